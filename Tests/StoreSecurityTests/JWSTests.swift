import Foundation
import StoreSecurity
import Testing

@Suite("Signed statement")
struct JWSTests {
    private let chain: TestChain

    init() throws {
        chain = try TestChain()
    }

    @Test(arguments: ["{}", "", "{\"price\":990}", "日本語", String(repeating: "x", count: 100_000)])
    func `what the store signed is verified by its root`(_ payload: String) throws {
        let jws = try chain.signer().sign(Data(payload.utf8))
        #expect(try chain.verifier.verify(jws) == payload)
    }

    @Test func `the header holds algorithm, kind and three certificates`() throws {
        let jws = try chain.signer().sign(Data("{}".utf8), type: "openstore-profile")
        let header = try #require(Base64URL.decode(jws.prefix { $0 != "." }))
        let object = try JSONSerialization.jsonObject(with: header) as? [String: Any]
        #expect(object?["alg"] as? String == "ES256")
        #expect(object?["typ"] as? String == "openstore-profile")
        #expect(object?["x5c"] as? [String] == (try chain.x5c()))
        #expect(object?.count == 3)
    }

    @Test func `a statement without kind has no typ`() throws {
        let jws = try chain.signer().sign(Data("{}".utf8))
        let header = try #require(Base64URL.decode(jws.prefix { $0 != "." }))
        let object = try JSONSerialization.jsonObject(with: header) as? [String: Any]
        #expect(Set(try #require(object).keys) == ["alg", "x5c"])
    }

    @Test(
        arguments: [
            (nil, "openstore-profile"), ("openstore-profile", nil),
            ("openstore-profile", "openstore-delivery"), ("", nil),
        ] as [(String?, String?)])
    func `one kind is not taken for another`(_ signed: String?, _ wanted: String?) throws {
        let jws = try chain.signer().sign(Data("{}".utf8), type: signed)
        #expect(throws: SecurityError(.untrusted, "")) {
            try chain.verifier.verify(jws, type: wanted)
        }
        #expect(try chain.verifier.verify(jws, type: signed) == "{}")
    }

    @Test func `the time of signing is read from the payload`() throws {
        let seconds = Int(TestChain.signingTime.timeIntervalSince1970)
        let jws = try chain.signer().sign(Data("\(seconds)".utf8))
        var seen: [String] = []
        _ = try chain.verifier.verify(jws) { payload in
            seen.append(String(decoding: payload, as: UTF8.self))
            return TestChain.signingTime
        }
        #expect(seen == ["\(seconds)"])
    }

    @Test func `a payload without a time of signing stops the check`() throws {
        struct NoTime: Error {}
        let jws = try chain.signer().sign(Data("{}".utf8))
        #expect(throws: NoTime.self) { try chain.verifier.verify(jws) { _ in throw NoTime() } }
    }

    @Test(arguments: [-1, 0, 86_400 * 364, 86_400 * 365 + 1] as [TimeInterval])
    func `the certificates must have been valid when it was signed`(
        _ offset: TimeInterval
    ) throws {
        let jws = try chain.signer().sign(Data("{}".utf8))
        let date = TestChain.start.addingTimeInterval(offset)
        if (0...86_400 * 365).contains(offset) {
            #expect(try chain.verifier.verify(jws, at: date) == "{}")
        } else {
            #expect(throws: SecurityError(.untrusted, "")) {
                try chain.verifier.verify(jws, at: date)
            }
        }
    }

    @Test func `a statement names its root`() throws {
        let jws = try chain.signer().sign(Data("{}".utf8))
        #expect(try JWSVerifier.namedRoot(of: jws).der() == chain.root.der())
    }

    @Test func `a named root that is no certificate is malformed`() throws {
        var x5c = try chain.x5c()
        x5c[2] = "AAAA"
        let jws = try chain.statement(header: ["alg": "ES256", "x5c": x5c])
        #expect(throws: SecurityError(.malformed, "")) { try JWSVerifier.namedRoot(of: jws) }
    }
}
