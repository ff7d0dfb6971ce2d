import Foundation
import StoreSecurity
import Testing

@Suite("Password hash")
struct PasswordHashTests {
    @Test(arguments: ["correct-horse", "", "パスワード", String(repeating: "x", count: 1000)])
    func `the password that was hashed is recognised`(_ password: String) throws {
        let stored = try PasswordHash.make(password)
        #expect(PasswordHash.verify(password, against: stored))
        #expect(!PasswordHash.verify(password + "x", against: stored))
        #expect(stored.hasPrefix("scrypt$14$8$1$"))
        #expect(password.isEmpty || !stored.contains(password))
    }

    @Test func `a password with a NUL in it is not cut there`() throws {
        let stored = try PasswordHash.make("a\u{0}b")
        #expect(PasswordHash.verify("a\u{0}b", against: stored))
        #expect(!PasswordHash.verify("a", against: stored))
        #expect(!PasswordHash.verify("a\u{0}c", against: stored))
    }

    @Test func `the same password is never hashed alike twice`() throws {
        #expect(try PasswordHash.make("x") != PasswordHash.make("x"))
    }

    /// RFC 7914, section 12, third vector: its first 32 bytes.
    private static let vector: String = {
        let hash: [UInt8] = [
            0x70, 0x23, 0xbd, 0xcb, 0x3a, 0xfd, 0x73, 0x48, 0x46, 0x1c, 0x06, 0xcd, 0x81, 0xfd,
            0x38, 0xeb, 0xfd, 0xa8, 0xfb, 0xba, 0x90, 0x4f, 0x8e, 0x3e, 0xa9, 0xb5, 0x43, 0xf6,
            0x54, 0x5d, 0xa1, 0xf2,
        ]
        let salt = Base64URL.encode(Data("SodiumChloride".utf8))
        return "scrypt$14$8$1$\(salt)$\(Base64URL.encode(hash))"
    }()

    @Test func `it is the scrypt of RFC 7914`() {
        #expect(PasswordHash.verify("pleaseletmein", against: Self.vector))
        #expect(!PasswordHash.verify("pleaseletmeout", against: Self.vector))
    }

    @Test(arguments: [
        ("scrypt", "bcrypt"), ("$14$", "$15$"), ("$14$", "$9$"), ("$14$", "$64$"), ("$14$", "$-1$"),
        ("$14$", "$x$"), ("$8$", "$4$"), ("$8$", "$0$"), ("$1$", "$0$"), ("$1$", "$2$"),
        ("U29k", "U29l"), ("U29k", "!"), ("$8$1$", "$8$1$$"), ("scrypt$", ""),
        ("cCO9", "cCO8"), ("cCO9", ""),
    ])
    func `a changed hash recognises nothing`(_ part: String, _ replacement: String) throws {
        try #require(Self.vector.contains(part))
        let stored = Self.vector.replacingOccurrences(of: part, with: replacement)
        #expect(!PasswordHash.verify("pleaseletmein", against: stored))
    }

    @Test(arguments: ["", "$", "$$$$$", "scrypt$14$8$1$$", "pleaseletmein"])
    func `text that is no hash recognises nothing`(_ stored: String) {
        #expect(!PasswordHash.verify("pleaseletmein", against: stored))
        #expect(!PasswordHash.verify("", against: stored))
    }
}
