import Foundation
import StoreSecurity

/// Keys and certificates of a store as the store makes them, valid for a year.
struct TestChain {
    static let start = Date(timeIntervalSince1970: 1_800_000_000)
    static let signingTime = start.addingTimeInterval(86_400)

    let rootKey: SigningKey
    let root: Certificate
    let intermediateKey: SigningKey
    let intermediate: Certificate
    let leafKey: SigningKey
    let leaf: Certificate

    init() throws {
        rootKey = try SigningKey.generate()
        intermediateKey = try SigningKey.generate()
        leafKey = try SigningKey.generate()
        root = try Self.issue(.root, rootKey, nil)
        intermediate = try Self.issue(.intermediate, intermediateKey, (root, rootKey))
        leaf = try Self.issue(.leaf, leafKey, (intermediate, intermediateKey))
    }

    static func issue(
        _ role: CertificateRole, _ key: SigningKey,
        _ issuer: (certificate: Certificate, key: SigningKey)?
    ) throws -> Certificate {
        try Certificate.issue(
            role: role, name: String("Test \(role)".prefix(64)), organization: "Example", key: key,
            issuer: issuer,
            start: start, days: 365)
    }

    var verifier: JWSVerifier { JWSVerifier(root: root) }

    func signer() throws -> JWSSigner {
        try JWSSigner(key: leafKey, chain: [leaf, intermediate, root])
    }

    func x5c() throws -> [String] {
        try [leaf, intermediate, root].map { try $0.der().base64EncodedString() }
    }

    /// A statement with any header at all, signed with the leaf's key.
    func statement(header: [String: Any], payload: String = "{}") throws -> String {
        let header = try JSONSerialization.data(withJSONObject: header)
        let message = "\(Base64URL.encode(header)).\(Base64URL.encode(Data(payload.utf8)))"
        let signature = try leafKey.signature(for: Data(message.utf8))
        return "\(message).\(Base64URL.encode(signature))"
    }
}

extension JWSVerifier {
    /// Verifies as at a fixed time of signing.
    func verify(
        _ jws: String, type: String? = nil, at date: Date = TestChain.signingTime
    ) throws -> String {
        String(decoding: try verify(jws, type: type) { _ in date }, as: UTF8.self)
    }
}
