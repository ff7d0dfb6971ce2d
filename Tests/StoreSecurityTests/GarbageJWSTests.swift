import Foundation
import StoreSecurity
import StoreTestSupport
import Testing

@Suite("Garbage in place of a statement")
struct GarbageJWSTests {
    private static let header = Base64URL.encode(Data(#"{"alg":"ES256","x5c":["","",""]}"#.utf8))

    private static func header(_ json: String) -> String {
        "\(Base64URL.encode(Data(json.utf8))).e30.AAAA"
    }

    @Test(arguments: [
        "", ".", "..", "...", "e30", "e30.e30", "e30.e30.e30.e30", " . . ", "a.b.c", "e30.e30.e30",
        "\u{0}.\u{0}.\u{0}", "日.本.語", "e30=.e30.AA", "\(header).e30.A", "\(header).!.AAAA",
        "\(header)\n.e30.AAAA", "\(header). e30.AAAA", ".\u{301}e30.e30",
        header("[]"), header("3"), header("{"), header(#"{"alg":"ES256"}"#),
        header(#"{"x5c":[]}"#), header(#"{"alg":1,"x5c":[]}"#),
        header(#"{"alg":"ES256","x5c":"AAAA"}"#), header(#"{"alg":"ES256","x5c":[1,2,3]}"#),
        header(#"{"alg":"ES256","typ":5,"x5c":["","",""]}"#),
        header(String(repeating: "[", count: 10_000)), String(repeating: ".", count: 10_000),
    ])
    func `text of another form is malformed`(_ text: String) throws {
        let verifier = try TestChain().verifier
        #expect(throws: SecurityError(.malformed, "")) { try verifier.verify(text) }
        #expect(throws: SecurityError(.malformed, "")) { try JWSVerifier.namedRoot(of: text) }
    }

    @Test(arguments: ["", "AAAA", "MAA=", "MIIB", "*", "MIIBAA=="])
    func `certificates that are none are refused`(_ text: String) throws {
        let chain = try TestChain()
        let genuine = try chain.x5c()
        for index in 0..<2 {
            var x5c = genuine
            x5c[index] = text
            let jws = try chain.statement(header: ["alg": "ES256", "x5c": x5c])
            #expect(throws: SecurityError.self) { try chain.verifier.verify(jws) }
        }
    }

    @Test func `a statement cut short anywhere is refused`() throws {
        let chain = try TestChain()
        let jws = try chain.signer().sign(Data("{}".utf8))
        for length in stride(from: 0, to: jws.count, by: 37) {
            #expect(throws: SecurityError.self) {
                try chain.verifier.verify(String(jws.prefix(length)))
            }
        }
    }

    @Test(arguments: UInt64(0)..<50)
    func `random certificates are refused`(_ seed: UInt64) throws {
        let chain = try TestChain()
        var x5c = try chain.x5c()
        // The genuine leaf with eight of its bytes overwritten.
        var leaf = try chain.leaf.der()
        try #require(!leaf.isEmpty)
        let noise = SampleShop.noise(16, seed: seed)
        for index in 0..<8 {
            let place = (Int(noise[index]) << 8 | Int(noise[index + 8])) % leaf.count
            leaf[place] ^= noise[index] | 1
        }
        x5c[0] = leaf.base64EncodedString()
        let jws = try chain.statement(header: ["alg": "ES256", "x5c": x5c])
        #expect(throws: SecurityError.self) { try chain.verifier.verify(jws) }
    }
}
