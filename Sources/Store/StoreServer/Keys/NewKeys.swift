import Foundation
import StoreSecurity

/// The keys of a new store, but for that of receipts (`ReceiptIdentity`).
enum NewKeys {
    static let organization = "OpenStoreKit"
    private static let rootDays = 20 * 365

    /// The files of the folder.
    static func files(
        at date: Date, ocspAddress: String?
    ) throws -> [(name: String, text: String)] {
        let rootKey = try SigningKey.generate()
        let root = try Certificate.issue(
            role: .root, name: "OpenStoreKit Root", organization: organization, key: rootKey,
            issuer: nil, start: date.addingTimeInterval(-RenewalRule.backdating), days: rootDays)
        let intermediate = try KeyIdentity<SigningKey>.makeIntermediate(
            SigningKey.generate(), under: (root, rootKey), at: date, ocspAddress: ocspAddress)
        let signing = try KeyIdentity<SigningKey>.make(.signing, under: intermediate, at: date)
        return try [
            (StoreKeys.FileName.root, root.pem()),
            (StoreKeys.FileName.rootKey, rootKey.pem()),
            (KeyRole.intermediate.fileName, intermediate.pem()),
            (KeyRole.signing.fileName, signing.pem()),
            (StoreKeys.FileName.sealSecret, Base64URL.encode(SecureRandom.bytes(32))),
        ]
            + [intermediate.certificate, signing.certificate].map {
                try IssuedCertificates.record(of: $0)
            }
    }
}

extension KeyIdentity {
    /// An identity below the intermediate.
    ///
    /// - Parameters:
    ///   - key: nil for a fresh one.
    ///   - ocspAddress: nil for the one that the intermediate's certificate has.
    static func make(
        _ role: KeyRole, key: Key? = nil, under issuer: KeyIdentity<SigningKey>, at date: Date,
        ocspAddress: String? = nil
    ) throws -> KeyIdentity {
        let key = try key ?? Key.generate()
        let certificate = try key.certificate(
            for: role, issuer: (issuer.certificate, issuer.key),
            start: date.addingTimeInterval(-RenewalRule.backdating),
            ocspAddress: ocspAddress ?? issuer.certificate.ocspAddresses.first)
        return KeyIdentity(
            role: role, key: key, certificates: [certificate, issuer.certificate])
    }
}

extension KeyIdentity<SigningKey> {
    /// The identity right below the root.
    static func makeIntermediate(
        _ key: SigningKey, under root: CertificateIssuer, at date: Date, ocspAddress: String?
    ) throws -> KeyIdentity {
        let role = KeyRole.intermediate
        let certificate = try Certificate.issue(
            role: .intermediate, name: role.subject, organization: NewKeys.organization, key: key,
            issuer: root, start: date.addingTimeInterval(-RenewalRule.backdating), days: role.days,
            ocspAddress: ocspAddress)
        return KeyIdentity(role: role, key: key, certificates: [certificate])
    }
}

extension SigningKey {
    func certificate(
        for role: KeyRole, issuer: CertificateIssuer, start: Date, ocspAddress: String?
    ) throws -> Certificate {
        try Certificate.issue(
            role: .leaf, name: role.subject, organization: NewKeys.organization, key: self,
            issuer: issuer, start: start, days: role.days, ocspAddress: ocspAddress)
    }
}

extension ReceiptKey {
    func certificate(
        for role: KeyRole, issuer: CertificateIssuer, start: Date, ocspAddress: String?
    ) throws -> Certificate {
        try Certificate.issue(
            receiptLeaf: role.subject, organization: NewKeys.organization, key: self,
            issuer: issuer, start: start, days: role.days, ocspAddress: ocspAddress)
    }
}
