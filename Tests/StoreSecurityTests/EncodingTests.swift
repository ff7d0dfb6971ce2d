import Foundation
import StoreSecurity
import StoreTestSupport
import Testing

@Suite("URL-safe base64")
struct Base64URLTests {
    /// RFC 4648, section 10, without padding; and what the two alphabets differ in.
    @Test(arguments: [
        ("", ""), ("f", "Zg"), ("fo", "Zm8"), ("foo", "Zm9v"), ("foob", "Zm9vYg"),
        ("fooba", "Zm9vYmE"), ("foobar", "Zm9vYmFy"), ("??>", "Pz8-"), ("???", "Pz8_"),
    ])
    func `known texts are encoded and decoded`(_ text: String, _ encoded: String) {
        #expect(Base64URL.encode(Data(text.utf8)) == encoded)
        #expect(Base64URL.decode(encoded) == Data(text.utf8))
    }

    @Test func `bytes of every length survive`() {
        for length in 0..<70 {
            let bytes = SampleShop.noise(length, seed: UInt64(length))
            #expect(Base64URL.decode(Base64URL.encode(bytes)) == bytes)
        }
    }

    @Test(arguments: [
        "Zg==", "Zm8=", "=", "Pz8+", "Pz8/", "Zm 9v", "Zm9v\n", " Zm9v", "Z", "Zm9vY", "Zm9v!",
        "Zm9\u{0}", "Zm9é", "Zm9v\u{301}",
    ])
    func `padding, white space and foreign characters are refused`(_ text: String) {
        #expect(Base64URL.decode(text) == nil)
    }
}

@Suite("SHA-256")
struct SHA256DigestTests {
    /// FIPS 180-4's examples, and the digest of nothing.
    @Test(arguments: [
        ("", 1, "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"),
        ("abc", 1, "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"),
        (
            "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq", 1,
            "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1"
        ),
        ("a", 1_000_000, "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0"),
    ])
    func `known vectors`(_ text: String, _ count: Int, _ hex: String) {
        #expect(SHA256Digest.hex(Data(String(repeating: text, count: count).utf8)) == hex)
    }

    @Test(arguments: [1, 7, 64, 65, 999])
    func `pieces give the same digest as the whole`(_ size: Int) {
        let bytes = SampleShop.noise(1000, seed: 3)
        let digest = SHA256Digest()
        for start in stride(from: 0, to: bytes.count, by: size) {
            digest.update(bytes[start..<min(start + size, bytes.count)])
            digest.update(Data())
        }
        #expect(digest.finish() == SHA256Digest.of(bytes))
    }

    @Test func `hexadecimal digits are lower case, two for each byte`() {
        #expect(SHA256Digest.hexadecimal([0x00, 0x0f, 0xa0, 0xff]) == "000fa0ff")
    }
}

@Suite("Random bytes")
struct SecureRandomTests {
    @Test(arguments: [1, 16, 1000])
    func `there are as many as asked for`(_ count: Int) throws {
        #expect(try SecureRandom.bytes(count).count == count)
    }

    @Test func `they do not repeat`() throws {
        #expect(try SecureRandom.bytes(32) != SecureRandom.bytes(32))
    }
}

@Suite("Security error")
struct SecurityErrorTests {
    @Test func `errors are equal by their code`() {
        #expect(SecurityError(.malformed, "a") == SecurityError(.malformed, "b", detail: "c"))
        #expect(SecurityError(.malformed, "a") != SecurityError(.untrusted, "a"))
    }

    @Test func `the detail stays out of what anyone may see`() {
        let error = SecurityError(.library, "signing failed", detail: "error:0A00")
        #expect("\(error)" == "signing failed")
        #expect(error.debugDescription == "signing failed (error:0A00)")
    }
}
