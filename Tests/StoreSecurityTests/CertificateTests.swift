import Foundation
import StoreSecurity
import StoreTestSupport
import Testing

@Suite("Certificate")
struct CertificateTests {
    @Test func `a certificate survives PEM and DER`() throws {
        let leaf = try TestChain().leaf
        let der = try leaf.der()
        #expect(try Certificate(der: der).der() == der)
        #expect(try Certificate(pem: leaf.pem()).der() == der)
    }

    @Test func `each role carries its own marker and no other`() throws {
        let chain = try TestChain()
        #expect(chain.leaf.hasExtension(CertificateMarker.leaf))
        #expect(!chain.leaf.hasExtension(CertificateMarker.intermediate))
        #expect(chain.intermediate.hasExtension(CertificateMarker.intermediate))
        #expect(!chain.intermediate.hasExtension(CertificateMarker.leaf))
        #expect(!chain.root.hasExtension(CertificateMarker.leaf))
        #expect(!chain.root.hasExtension(CertificateMarker.intermediate))
    }

    @Test func `trailing bytes behind DER are refused`() throws {
        let der = try TestChain().leaf.der()
        #expect(throws: SecurityError(.malformed, "")) { try Certificate(der: der + [0]) }
    }

    @Test(arguments: [0, 1, 2, 4, 100, 300])
    func `a certificate cut short is malformed`(_ length: Int) throws {
        let der = try TestChain().leaf.der().prefix(length)
        #expect(throws: SecurityError(.malformed, "")) { try Certificate(der: der) }
    }

    @Test(arguments: [
        "", "garbage", "-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n",
    ])
    func `text that holds no certificate is malformed`(_ pem: String) {
        #expect(throws: SecurityError(.malformed, "")) { try Certificate(pem: pem) }
    }
}

@Suite("Certificates as openssl sees them", .enabled(if: CommandLineTool.openssl != nil))
struct CertificateInspectionTests {
    private let folder: TemporaryFolder
    private let tool: CommandLineTool

    init() throws {
        folder = try TemporaryFolder()
        tool = try #require(CommandLineTool.openssl)
        let chain = try TestChain()
        try folder.write("root.pem", chain.root.pem())
        try folder.write("intermediate.pem", chain.intermediate.pem())
        try folder.write("leaf.pem", chain.leaf.pem())
    }

    private func verify(at date: Date, root: String = "root.pem") async throws -> String {
        try await tool.run(
            [
                "verify", "-x509_strict", "-attime", "\(Int(date.timeIntervalSince1970))",
                "-CAfile", root, "-untrusted", "intermediate.pem", "leaf.pem",
            ], in: folder.url
        ).output
    }

    @Test func `strict rules accept the chain`() async throws {
        #expect(try await verify(at: TestChain.signingTime) == "leaf.pem: OK\n")
    }

    @Test func `the chain is valid from its start until its last day`() async throws {
        let day: TimeInterval = 86_400
        let before = try await verify(at: TestChain.start.addingTimeInterval(-1))
        #expect(before.contains("not yet valid"))
        #expect(try await verify(at: TestChain.start) == "leaf.pem: OK\n")
        #expect(
            try await verify(at: TestChain.start.addingTimeInterval(364 * day)) == "leaf.pem: OK\n")
        let after = try await verify(at: TestChain.start.addingTimeInterval(365 * day + 1))
        #expect(after.contains("expired"))
    }

    @Test func `another root does not vouch for it`() async throws {
        try folder.write("other.pem", TestChain().root.pem())
        #expect(try await !verify(at: TestChain.signingTime, root: "other.pem").contains("OK"))
    }

    @Test(arguments: [
        (
            "root",
            [
                "Basic Constraints: critical\nCA:TRUE\n",
                "Key Usage: critical\nCertificate Sign, CRL Sign\n", "Subject Key Identifier",
            ]
        ),
        (
            "intermediate",
            [
                "Basic Constraints: critical\nCA:TRUE, pathlen:0\n",
                "Key Usage: critical\nCertificate Sign, CRL Sign\n", "Subject Key Identifier",
                "Authority Key Identifier", "1.2.840.113635.100.6.2.1",
            ]
        ),
        (
            "leaf",
            [
                "Basic Constraints: critical\nCA:FALSE\n",
                "Key Usage: critical\nDigital Signature\n", "Subject Key Identifier",
                "Authority Key Identifier", "1.2.840.113635.100.6.11.1",
            ]
        ),
    ])
    func `each role has its extensions`(_ role: String, _ parts: [String]) async throws {
        let result = try await tool.run(
            ["x509", "-in", "\(role).pem", "-noout", "-text"], in: folder.url)
        let text = result.output.split(separator: "\n").map {
            $0.trimmingCharacters(in: .whitespaces)
        }.joined(separator: "\n")
        #expect(result.status == 0)
        for part in parts + [
            "Version: 3 (0x2)", "ecdsa-with-SHA256", "Subject: O = Example, CN = Test \(role)",
        ] {
            // Newer versions of openssl write names without spaces.
            let isThere = text.contains(part) || text.contains(part.replacing(" = ", with: "="))
            #expect(isThere, "\(part) is missing from\n\(text)")
        }
    }
}
