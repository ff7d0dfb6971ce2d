import Foundation
import StoreSecurity
import Testing

@Suite("Forged statement")
struct ForgedJWSTests {
    private let chain: TestChain
    /// Of a genuine statement: header, payload and signature.
    private let parts: [String]

    init() throws {
        chain = try TestChain()
        let genuine = try chain.signer().sign(Data(#"{"price":990}"#.utf8))
        parts = genuine.split(separator: ".").map(String.init)
        try #require(parts.count == 3)
    }

    private func expect(
        _ code: SecurityError.Code, _ jws: String, _ location: SourceLocation = #_sourceLocation
    ) {
        #expect(throws: SecurityError(code, ""), sourceLocation: location) {
            try chain.verifier.verify(jws)
        }
    }

    @Test func `a statement made by hand with the right key and header is genuine`() throws {
        let jws = try chain.statement(header: ["alg": "ES256", "x5c": chain.x5c()])
        #expect(try chain.verifier.verify(jws) == "{}")
    }

    @Test(arguments: ["none", "None", "HS256", "ES384", "RS256", "es256", ""])
    func `every algorithm but ES256 is refused`(_ algorithm: String) throws {
        expect(.untrusted, try chain.statement(header: ["alg": algorithm, "x5c": chain.x5c()]))
    }

    @Test func `no signature is no signature`() throws {
        expect(.badSignature, "\(parts[0]).\(parts[1]).")
        let header = try JSONSerialization.data(
            withJSONObject: ["alg": "none", "x5c": chain.x5c()])
        expect(.untrusted, "\(Base64URL.encode(header)).\(parts[1]).")
    }

    @Test(arguments: [0, 1, 2, 4, 6])
    func `any number of certificates but three is refused`(_ count: Int) throws {
        let x5c = try chain.x5c()
        let certificates = (0..<count).map { x5c[min($0, 2)] }
        expect(.untrusted, try chain.statement(header: ["alg": "ES256", "x5c": certificates]))
    }

    @Test func `another payload does not belong to the signature`() {
        let payload = Base64URL.encode(Data(#"{"price":0}"#.utf8))
        expect(.badSignature, "\(parts[0]).\(payload).\(parts[2])")
    }

    @Test(arguments: 0..<64)
    func `a changed byte of the signature is noticed`(_ index: Int) throws {
        var signature = try #require(Base64URL.decode(parts[2]))
        try #require(signature.count == 64)
        signature[signature.startIndex + index] ^= 0x10
        expect(.badSignature, "\(parts[0]).\(parts[1]).\(Base64URL.encode(signature))")
    }

    @Test(arguments: [0, 1, 63, 65, 128])
    func `a signature of another length is refused`(_ length: Int) {
        let signature = Base64URL.encode(Data(repeating: 1, count: length))
        expect(.badSignature, "\(parts[0]).\(parts[1]).\(signature)")
    }

    @Test(arguments: [UInt8(0), 0xff])
    func `a signature of nothing but one byte is refused`(_ byte: UInt8) {
        let signature = Base64URL.encode(Data(repeating: byte, count: 64))
        expect(.badSignature, "\(parts[0]).\(parts[1]).\(signature)")
    }

    @Test func `a key that is not the leaf's does not sign for it`() throws {
        let thief = try SigningKey.generate()
        let chain = [chain.leaf, chain.intermediate, chain.root]
        let jws = try JWSSigner(key: thief, chain: chain).sign(Data("{}".utf8))
        expect(.badSignature, jws)
    }

    @Test func `another header does not belong to the signature`() throws {
        let header = try JSONSerialization.data(
            withJSONObject: ["alg": "ES256", "typ": "other", "x5c": chain.x5c()])
        #expect(throws: SecurityError(.badSignature, "")) {
            try chain.verifier.verify(
                "\(Base64URL.encode(header)).\(parts[1]).\(parts[2])", type: "other")
        }
    }
}
