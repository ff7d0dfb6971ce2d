import Foundation
import StoreSecurity
import StoreTestSupport
import Testing

/// The chains that Apple's verifier accepts and refuses, one by one.
@Suite("Broken chains", .enabled(if: CommandLineTool.openssl != nil, "needs openssl"))
struct BrokenChainTests {
    /// A chain that differs from a right one in one point.
    struct Case: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let make: @Sendable () async throws -> ForeignChain

        init(
            _ name: String, root: ForeignChain.Part = ForeignChain.root,
            intermediate: ForeignChain.Part = ForeignChain.intermediate,
            leaf: ForeignChain.Part = ForeignChain.leaf, digest: String = "sha256"
        ) {
            testDescription = name
            make = {
                try await ForeignChain(
                    root: root, intermediate: intermediate, leaf: leaf, digest: digest)
            }
        }
    }

    private typealias Chain = ForeignChain
    private static let keyIdentifier = "subjectKeyIdentifier"
    private static let issuerIdentifier = "authorityKeyIdentifier"

    static let accepted = [
        Case("all on P-256, SHA-256"),
        Case(
            "root and intermediate on P-384, SHA-384", root: Chain.root.on("P-384"),
            intermediate: Chain.intermediate.on("P-384"), digest: "sha384"),
        Case(
            "markers with an empty text as value",
            intermediate: Chain.intermediate.with(
                CertificateMarker.intermediate, "ASN1:UTF8String:"),
            leaf: Chain.leaf.with(CertificateMarker.leaf, "ASN1:UTF8String:")),
        Case(
            "markers with junk as value",
            intermediate: Chain.intermediate.with(CertificateMarker.intermediate, "DER:ffff"),
            leaf: Chain.leaf.with(CertificateMarker.leaf, "DER:000102")),
        Case("no authority key identifier on the root"),
        Case("no subject key identifier on the leaf", leaf: Chain.leaf.without(keyIdentifier)),
        Case("no key usage on the leaf", leaf: Chain.leaf.without("keyUsage")),
    ]

    static let refused = [
        Case("no marker on the leaf", leaf: Chain.leaf.without(CertificateMarker.leaf)),
        Case(
            "no marker on the intermediate",
            intermediate: Chain.intermediate.without(CertificateMarker.intermediate)),
        Case(
            "the leaf's marker on the intermediate",
            intermediate: Chain.intermediate.without(CertificateMarker.intermediate)
                .with(CertificateMarker.leaf, "ASN1:NULL")),
        Case(
            "a critical marker on the leaf",
            leaf: Chain.leaf.with(CertificateMarker.leaf, "critical,ASN1:NULL")),
        Case(
            "a critical marker on the intermediate",
            intermediate: Chain.intermediate.with(
                CertificateMarker.intermediate, "critical,ASN1:NULL")),
        Case(
            "no authority key identifier on the leaf",
            leaf: Chain.leaf.without(issuerIdentifier)),
        Case(
            "no authority key identifier on the intermediate",
            intermediate: Chain.intermediate.without(issuerIdentifier)),
        Case(
            "no subject key identifier on the root", root: Chain.root.without(keyIdentifier),
            intermediate: Chain.intermediate.without(issuerIdentifier)),
        Case(
            "no subject key identifier on the intermediate",
            intermediate: Chain.intermediate.without(keyIdentifier),
            leaf: Chain.leaf.without(issuerIdentifier)),
        Case(
            "an intermediate with a path length and no right to issue",
            intermediate: Chain.intermediate.without("keyUsage")),
        Case(
            "an intermediate that may sign data only",
            intermediate: Chain.intermediate.with("keyUsage", "critical,digitalSignature")),
        Case(
            "an intermediate that is no authority",
            intermediate: Chain.intermediate.with("basicConstraints", "critical,CA:FALSE")
                .with("keyUsage", "critical,digitalSignature")),
        Case(
            "an intermediate without basic constraints",
            intermediate: Chain.intermediate.without("basicConstraints")),
    ]

    @Test(arguments: accepted)
    func `what Apple's verifier accepts is accepted`(_ one: Case) async throws {
        let chain = try await one.make()
        let jws = try chain.statement()
        #expect(throws: Never.self) { try chain.verify(jws) }
    }

    @Test(arguments: refused)
    func `what Apple's verifier refuses is not trusted`(_ one: Case) async throws {
        let chain = try await one.make()
        let jws = try chain.statement()
        #expect(throws: SecurityError(.untrusted, "")) { try chain.verify(jws) }
    }

    /// Apple's verifier takes them. OpenSSL's strict rules, which are those of RFC 5280 (section
    /// 4.2.1.9), do not; the store's own are critical.
    @Test func `basic constraints that are not critical are refused`() async throws {
        let chain = try await ForeignChain(
            intermediate: ForeignChain.intermediate.with("basicConstraints", "CA:TRUE,pathlen:0"))
        let jws = try chain.statement()
        #expect(throws: SecurityError(.untrusted, "")) { try chain.verify(jws) }
    }

    @Test func `the third certificate is counted and not believed`() async throws {
        let chain = try await ForeignChain()
        let other = try TestChain()
        let jws = try chain.statement(third: other.root)
        #expect(throws: Never.self) { try chain.verify(jws) }
        #expect(throws: SecurityError(.untrusted, "")) { try other.verifier.verify(jws) }
    }

    @Test(arguments: ["P-384", "P-521", "secp256k1"])
    func `a leaf on another curve does not sign`(curve: String) async throws {
        let chain = try await ForeignChain(leaf: ForeignChain.leaf.on(curve))
        #expect(throws: SecurityError.self) {
            try SigningKey(
                pem: String(contentsOf: chain.folder.file("leaf.key"), encoding: .utf8))
        }
        // Whatever the signature is: of the length of P-256, of P-384, of ASN.1, or none.
        for length in [64, 96, 71, 0] {
            let signature = Data(repeating: 1, count: length)
            for algorithm in ["ES256", "ES384", "none"] {
                let jws = try chain.statement(algorithm: algorithm, signature: signature)
                #expect(throws: SecurityError.self, "\(algorithm) \(length)") {
                    try chain.verify(jws)
                }
            }
        }
        // What the chain is signed with does not matter: the curve is what is refused.
        let jws = try chain.statement(
            algorithm: "ES256", signature: Data(repeating: 1, count: 64))
        #expect(throws: SecurityError(.untrusted, "")) { try chain.verify(jws) }
    }

    @Test func `certificates count at the time of signing, and in no other order`() async throws {
        let chain = try await ForeignChain()
        let jws = try chain.statement()
        let day: TimeInterval = 86_400
        #expect(throws: Never.self) { try chain.verify(jws, at: Date().addingTimeInterval(day)) }
        for date in [
            Date(timeIntervalSince1970: 0.001), Date().addingTimeInterval(-day),
            Date().addingTimeInterval(3651 * day),
        ] {
            #expect(throws: SecurityError(.untrusted, "")) { try chain.verify(jws, at: date) }
        }
    }

    @Test func `a chain that was verified once is asked for its time each time`() async throws {
        let chain = try await ForeignChain()
        let jws = try chain.statement()
        let verifier = JWSVerifier(root: chain.root)
        _ = try verifier.verify(jws) { _ in Date() }
        #expect(throws: SecurityError(.untrusted, "")) {
            try verifier.verify(jws) { _ in Date(timeIntervalSince1970: 1) }
        }
        _ = try verifier.verify(jws) { _ in Date() }
    }

    /// Stores name their certificates alike, so names tell nothing.
    @Test func `chains of two stores can't be mixed`() async throws {
        let ours = try await ForeignChain()
        let theirs = try await ForeignChain()
        let key = try SigningKey(
            pem: String(contentsOf: theirs.folder.file("leaf.key"), encoding: .utf8))
        for chain in [
            [theirs.leaf, theirs.intermediate, theirs.root],
            [theirs.leaf, theirs.intermediate, ours.root],
            [theirs.leaf, ours.intermediate, ours.root],
            [theirs.leaf, ours.intermediate, theirs.root],
            [theirs.leaf, ours.root, ours.root],
        ] {
            let jws = try JWSSigner(key: key, chain: chain).sign(Data("{}".utf8))
            #expect(throws: SecurityError(.untrusted, "")) { try ours.verify(jws) }
        }
        let jws = try JWSSigner(key: key, chain: [ours.leaf, ours.intermediate, ours.root])
            .sign(Data("{}".utf8))
        #expect(throws: SecurityError(.badSignature, "")) { try ours.verify(jws) }
    }
}
