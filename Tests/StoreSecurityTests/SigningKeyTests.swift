import Foundation
import StoreSecurity
import StoreTestSupport
import Testing

@Suite("Signing key")
struct SigningKeyTests {
    @Test func `a key survives its PEM form`() throws {
        let key = try SigningKey.generate()
        let pem = try key.pem()
        #expect(pem.hasPrefix("-----BEGIN PRIVATE KEY-----\n"))
        #expect(try SigningKey(pem: pem).pem() == pem)
    }

    @Test func `no two keys are the same`() throws {
        #expect(try SigningKey.generate().pem() != SigningKey.generate().pem())
    }

    @Test func `a signature is always the 64 bytes of r and s`() throws {
        let key = try SigningKey.generate()
        // Every second r or s has a leading zero or a high bit: forty cover all forms.
        for number in 0..<40 {
            #expect(try key.signature(for: Data("\(number)".utf8)).count == 64)
        }
        #expect(try key.signature(for: Data()).count == 64)
    }

    @Test func `many threads sign with one key at once`() async throws {
        let chain = try TestChain()
        let signer = try chain.signer()
        let statements = try await withThrowingTaskGroup(of: [String].self) { group in
            for number in 0..<8 {
                group.addTask {
                    try (0..<50).map { try signer.sign(Data("\(number) \($0)".utf8)) }
                }
            }
            return try await group.reduce(into: [String]()) { $0 += $1 }
        }
        #expect(Set(statements).count == 400)
        for (index, jws) in statements.enumerated() {
            let payload = try chain.verifier.verify(jws)
            #expect(payload.split(separator: " ").count == 2, "\(index)")
        }
    }

    @Test(arguments: [
        "", "garbage", "-----BEGIN PRIVATE KEY-----\n-----END PRIVATE KEY-----\n",
        "-----BEGIN PRIVATE KEY-----\nAAAA\n-----END PRIVATE KEY-----\n",
    ])
    func `text that holds no key is malformed`(_ pem: String) {
        #expect(throws: SecurityError(.malformed, "")) { try SigningKey(pem: pem) }
    }

    @Test func `a certificate is no key`() throws {
        let pem = try TestChain().leaf.pem()
        #expect(throws: SecurityError(.malformed, "")) { try SigningKey(pem: pem) }
    }

    @Test(
        .enabled(if: CommandLineTool.openssl != nil, "needs openssl"),
        arguments: [
            ["-algorithm", "EC", "-pkeyopt", "ec_paramgen_curve:P-384"],
            ["-algorithm", "ED25519"],
            [
                "-algorithm", "EC", "-pkeyopt", "ec_paramgen_curve:P-256", "-aes256", "-pass",
                "pass:x",
            ],
        ])
    func `a key on another curve or under a password is malformed`(
        _ options: [String]
    ) async throws {
        let folder = try TemporaryFolder()
        let tool = try #require(CommandLineTool.openssl)
        let result = try await tool.run(["genpkey", "-out", "key.pem"] + options, in: folder.url)
        try #require(result.status == 0, "\(result.output)")
        let pem = try String(contentsOf: folder.file("key.pem"), encoding: .utf8)
        #expect(throws: SecurityError(.malformed, "")) { try SigningKey(pem: pem) }
    }

    @Test(.enabled(if: CommandLineTool.openssl != nil, "needs openssl"))
    func `openssl takes the key for a private key on P-256`() async throws {
        let folder = try TemporaryFolder()
        try folder.write("key.pem", try SigningKey.generate().pem())
        let tool = try #require(CommandLineTool.openssl)
        let result = try await tool.run(
            ["pkey", "-in", "key.pem", "-noout", "-text", "-check"], in: folder.url)
        #expect(result.status == 0)
        #expect(result.output.contains("NIST CURVE: P-256"))
        #expect(result.output.contains("Key is valid"))
    }
}
