import Foundation
import StoreSecurity
import StoreTestSupport
import Testing

@Suite struct APITokenTests {
    private let key: SigningKey
    private let claims = APIToken.Claims(
        issuer: "57246542-96fe-1a63-e053-0824d011072a",
        issued: Date(timeIntervalSince1970: 1_800_000_000),
        expiration: Date(timeIntervalSince1970: 1_800_001_200), audiences: ["appstoreconnect-v1"])

    init() throws {
        key = try SigningKey.generate()
    }

    @Test func `a token says what was signed, and by which key`() throws {
        var scoped = claims
        scoped.scopes = ["GET /v1/apps"]
        scoped.audiences = ["a", "b"]
        var server = claims
        server.issued = nil
        server.notBefore = Date(timeIntervalSince1970: 1_800_000_000)
        server.bundleID = "com.example.app"
        for claims in [claims, scoped, server] {
            let token = try APIToken(APIToken.sign(claims, keyID: "2X9R4HXF34", key: key))
            #expect(token.keyID == "2X9R4HXF34")
            #expect(token.claims == claims)
            try token.check(by: VerifyingKey(pem: key.publicPEM()))
            let other = try VerifyingKey(pem: SigningKey.generate().publicPEM())
            #expect(throws: SecurityError(.badSignature, "")) { try token.check(by: other) }
        }
    }

    @Test(arguments: [0, 1, 2])
    func `a changed byte anywhere is noticed`(part: Int) throws {
        let text = try APIToken.sign(claims, keyID: "2X9R4HXF34", key: key)
        let parts = text.split(separator: ".").map(String.init)
        try #require(parts.count == 3)
        let bytes = try #require(Base64URL.decode(parts[part]))
        let verifier = try VerifyingKey(pem: key.publicPEM())
        for index in bytes.indices {
            var changed = bytes
            changed[index] ^= 1
            var spoiled = parts
            spoiled[part] = Base64URL.encode(changed)
            #expect(throws: SecurityError.self, "byte \(index)") {
                try APIToken(spoiled.joined(separator: ".")).check(by: verifier)
            }
        }
    }

    @Test(arguments: [
        "", ".", "..", "a.b", "a.b.c.d", "e30.e30.", "e30.e30.e30",
        String(repeating: "a", count: 5000),
    ])
    func `what is no token is refused`(text: String) {
        #expect(throws: SecurityError.self) { try APIToken(text) }
    }

    @Test(
        .enabled(if: CommandLineTool.openssl != nil, "openssl is not installed"))
    func `openssl reads the public key and takes the private one`() async throws {
        let folder = try TemporaryFolder()
        try folder.write("key.p8", key.pem())
        let tool = try #require(CommandLineTool.openssl)
        let result = try await tool.run(["pkey", "-in", "key.p8", "-pubout"], in: folder.url)
        #expect(result.output == (try key.publicPEM()))
    }

    @Test func `a private key is no public one, nor one on another curve`() throws {
        for pem in ["", "-----BEGIN PUBLIC KEY-----\n-----END PUBLIC KEY-----", try key.pem()] {
            #expect(throws: SecurityError(.malformed, "")) { try VerifyingKey(pem: pem) }
        }
    }
}
