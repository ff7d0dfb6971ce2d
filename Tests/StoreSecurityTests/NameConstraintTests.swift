import Foundation
import StoreSecurity
import StoreTestSupport
import Testing

@Suite struct NameConstraintTests {
    private static let names: [ServerName] = [
        .dns("buy.itunes.apple.com"), .dns("localhost"), .address("127.0.0.1"), .address("::1"),
    ]

    @Test func `a root for servers says which names it permits`() throws {
        let root = try TestChain.issue(.serverRoot(Self.names), .generate(), nil)
        #expect(root.permittedServerNames == Set(Self.names))
    }

    @Test func `other certificates permit no list of names`() throws {
        let chain = try TestChain()
        for certificate in [chain.root, chain.intermediate, chain.leaf] {
            #expect(certificate.permittedServerNames == nil)
        }
    }

    @Test func `a root is made for names, not for patterns`() {
        #expect(throws: SecurityError(.malformed, "")) {
            try TestChain.issue(.serverRoot([.dns("*.example.com")]), .generate(), nil)
        }
    }

    /// Whoever trusts one of these trusts it for more than the names that it lists.
    @Test(
        .enabled(if: CommandLineTool.openssl != nil),
        arguments: [
            "permitted;DNS:a.example,permitted;IP:10.0.0.7/255.255.255.255",
            "critical,permitted;DNS:a.example", "critical,permitted;IP:10.0.0.7/255.255.255.255",
            "critical,permitted;DNS:a.example,permitted;IP:10.0.0.0/255.255.255.0",
            "critical,permitted;DNS:a.example,permitted;IP:10.0.0.7/255.255.255.255,"
                + "permitted;email:a.example",
            "critical,excluded;DNS:b.example,excluded;IP:10.0.0.7/255.255.255.255",
        ])
    func `constraints that leave names open are no list`(constraints: String) async throws {
        let folder = try TemporaryFolder()
        let tool = try #require(CommandLineTool.openssl)
        let result = try await tool.run(
            [
                "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes",
                "-keyout", "key.pem", "-out", "root.pem", "-subj", "/CN=Root", "-addext",
                "nameConstraints=\(constraints)",
            ], in: folder.url)
        try #require(result.status == 0, "\(result.output)")
        let root = try Certificate(
            pem: String(contentsOf: folder.file("root.pem"), encoding: .utf8))
        #expect(root.hasExtension("2.5.29.30"))
        #expect(root.permittedServerNames == nil)
    }
}
