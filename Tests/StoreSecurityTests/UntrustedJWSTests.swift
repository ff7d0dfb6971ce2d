import Foundation
import StoreSecurity
import StoreTestSupport
import Testing

@Suite("Statement under wrong certificates")
struct UntrustedJWSTests {
    private let chain: TestChain

    init() throws {
        chain = try TestChain()
    }

    private func expectUntrusted(
        key: SigningKey, _ certificates: [Certificate], at date: Date = TestChain.signingTime,
        _ location: SourceLocation = #_sourceLocation
    ) throws {
        let jws = try JWSSigner(key: key, chain: certificates).sign(Data("{}".utf8))
        #expect(throws: SecurityError(.untrusted, ""), sourceLocation: location) {
            try chain.verifier.verify(jws, at: date)
        }
    }

    @Test func `another store's statement is not trusted`() throws {
        let other = try TestChain()
        let jws = try other.signer().sign(Data("{}".utf8))
        #expect(try other.verifier.verify(jws) == "{}")
        #expect(throws: SecurityError(.untrusted, "")) { try chain.verifier.verify(jws) }
    }

    @Test func `naming the trusted root does not help another store`() throws {
        let other = try TestChain()
        try expectUntrusted(key: other.leafKey, [other.leaf, other.intermediate, chain.root])
        try expectUntrusted(key: other.leafKey, [other.leaf, chain.intermediate, chain.root])
    }

    @Test func `certificates in another order are refused`() throws {
        try expectUntrusted(key: chain.leafKey, [chain.intermediate, chain.leaf, chain.root])
        try expectUntrusted(key: chain.leafKey, [chain.leaf, chain.root, chain.intermediate])
        try expectUntrusted(key: chain.rootKey, [chain.root, chain.root, chain.root])
    }

    @Test func `an intermediate without its marker is refused`() throws {
        // An authority below the root, right but for the marker.
        let plain = try TestChain.issue(.root, chain.intermediateKey, (chain.root, chain.rootKey))
        let leaf = try TestChain.issue(.leaf, chain.leafKey, (plain, chain.intermediateKey))
        try expectUntrusted(key: chain.leafKey, [leaf, plain, chain.root])
    }

    @Test func `a leaf does not issue leaves`() throws {
        let key = try SigningKey.generate()
        let below = try TestChain.issue(.leaf, key, (chain.leaf, chain.leafKey))
        try expectUntrusted(key: key, [below, chain.leaf, chain.root])
        try expectUntrusted(key: key, [below, chain.intermediate, chain.root])
    }

    @Test func `an intermediate does not issue intermediates`() throws {
        let middleKey = try SigningKey.generate()
        let middle = try TestChain.issue(
            .intermediate, middleKey, (chain.intermediate, chain.intermediateKey))
        let leaf = try TestChain.issue(.leaf, chain.leafKey, (middle, middleKey))
        try expectUntrusted(key: chain.leafKey, [leaf, middle, chain.root])
    }

    /// The store can't make such a certificate, so openssl has to.
    @Test(.enabled(if: CommandLineTool.openssl != nil, "needs openssl"))
    func `a leaf without its marker is refused`() async throws {
        let folder = try TemporaryFolder()
        try folder.write("leaf.key", chain.leafKey.pem())
        try folder.write("ca.pem", chain.intermediate.pem())
        try folder.write("ca.key", chain.intermediateKey.pem())
        let usage = """
            basicConstraints = critical,CA:FALSE
            keyUsage = critical,digitalSignature
            subjectKeyIdentifier = hash
            authorityKeyIdentifier = keyid
            """
        let marker = "\(CertificateMarker.leaf) = ASN1:NULL"
        for (extensions, isTrusted) in [("\(usage)\n\(marker)\n", true), ("\(usage)\n", false)] {
            try folder.write("extensions", extensions)
            let tool = try #require(CommandLineTool.openssl)
            try await tool.run(
                ["req", "-new", "-key", "leaf.key", "-subj", "/CN=x", "-out", "leaf.csr"],
                in: folder.url)
            let result = try await tool.run(
                [
                    "x509", "-req", "-in", "leaf.csr", "-CA", "ca.pem", "-CAkey", "ca.key",
                    "-set_serial", "1", "-days", "20000", "-extfile", "extensions",
                    "-out", "leaf.pem",
                ], in: folder.url)
            try #require(result.status == 0, "\(result.output)")
            let leaf = try Certificate(
                pem: String(contentsOf: folder.file("leaf.pem"), encoding: .utf8))
            let certificates = [leaf, chain.intermediate, chain.root]
            // What openssl makes is valid from today on.
            let date = max(TestChain.signingTime, Date().addingTimeInterval(60))
            if isTrusted {
                let jws = try JWSSigner(key: chain.leafKey, chain: certificates).sign(Data())
                #expect(try chain.verifier.verify(jws, at: date) == "")
            } else {
                try expectUntrusted(key: chain.leafKey, certificates, at: date)
            }
        }
    }
}
