import CStoreCrypto
import Foundation

/// Checks signed statements against one trusted root.
///
/// The rules are those of Apple's verification libraries: ES256 only, exactly three
/// certificates, the markers on leaf and intermediate, a chain that strict X.509
/// rules accept at the time of signing.
package struct JWSVerifier: Sendable {
    package let root: Certificate
    /// Whether the store has taken a certificate back.
    package let isRevoked: @Sendable (Certificate) -> Bool
    private let chains = VerifiedChains()

    /// - Parameter isRevoked: asked for leaf and intermediate of each statement; where it is
    ///   missing, nobody says that one was taken back.
    package init(
        root: Certificate, isRevoked: @escaping @Sendable (Certificate) -> Bool = { _ in false }
    ) {
        self.root = root
        self.isRevoked = isRevoked
    }

    /// A payload with the certificates that vouch for it.
    package struct Verified: Sendable {
        package let payload: Data
        /// Leaf, intermediate, root.
        package let chain: [Certificate]
    }

    /// The payload of a statement whose signature leads to the root.
    ///
    /// - Parameters:
    ///   - type: the `typ` that the header must have; nil where it must have none.
    ///   - signedAt: reads the time of signing from the payload. The certificates must
    ///     have been valid then.
    /// - Throws: `SecurityError` with `malformed`, `untrusted` or `badSignature`.
    package func verify(
        _ jws: String, type: String? = nil, signedAt: (Data) throws -> Date
    ) throws -> Data {
        try verified(jws, type: type, signedAt: signedAt).payload
    }

    /// The payload of a statement as `verify` gives it, with its certificates: who keeps it asks
    /// `isRevoked` about them later.
    package func verified(
        _ jws: String, type: String? = nil, signedAt: (Data) throws -> Date
    ) throws -> Verified {
        let statement = try JWSStatement(jws)
        guard statement.type == type else {
            throw SecurityError(
                .untrusted, "the statement is of the kind \(statement.type ?? "without name")",
                detail: "wanted \(type ?? "none")")
        }
        let date = try signedAt(statement.payload)
        let chain =
            try chains.chain(of: statement.certificates, at: date)
            ?? statement.chain(below: root, at: date, adding: chains)
        try chain.check(isRevoked: isRevoked)
        try statement.checkSignature(by: chain[0])
        return Verified(payload: statement.payload, chain: chain)
    }

    /// The root that an unverified statement names as its own: the third certificate.
    ///
    /// For a statement that is trusted because of where it lies, such as the
    /// provisioning profile inside the app's own bundle.
    package static func namedRoot(of jws: String) throws -> Certificate {
        let statement = try JWSStatement(jws)
        return try Certificate(der: statement.certificates[2])
    }
}

/// A JWS in its parts, nothing of it verified yet.
private struct JWSStatement {
    let type: String?
    let certificates: [Data]
    let payload: Data
    private let message: Data
    private let signature: Data

    init(_ jws: String) throws {
        guard let parts = JWSParts(jws), let headerData = parts.header,
            let payload = parts.payload, let signature = parts.signature
        else { throw SecurityError(.malformed, "the statement is not a signed JSON object") }
        let header = try JWSHeader(headerData, of: "statement")
        guard let named = header.x5c else {
            throw SecurityError(.malformed, "the statement does not name its certificates")
        }
        let certificates = named.compactMap { Data(base64Encoded: $0) }
        guard named.count == 3, certificates.count == 3 else {
            throw SecurityError(.untrusted, "the statement does not carry three certificates")
        }
        guard signature.count == 64 else {
            throw SecurityError(.badSignature, "the signature does not have 64 bytes")
        }
        self.type = header.typ
        self.certificates = certificates
        self.payload = payload
        self.signature = signature
        self.message = parts.signedBytes
    }

    /// The certificates, after checking that they lead to the root.
    func chain(
        below root: Certificate, at date: Date, adding chains: VerifiedChains
    ) throws -> [Certificate] {
        let leaf = try Certificate(der: certificates[0])
        let intermediate = try Certificate(der: certificates[1])
        let chain = try CertificateChain(leaf: leaf, others: [intermediate])
            .check(below: root, at: date)
        chains.add(certificates, chain)
        return chain
    }

    func checkSignature(by leaf: Certificate) throws {
        guard let key = X509_get0_pubkey(leaf.pointer) else {
            throw SecurityError(.untrusted, "the signing certificate has no key")
        }
        try ES256.check(signature, of: message, by: key)
    }
}
