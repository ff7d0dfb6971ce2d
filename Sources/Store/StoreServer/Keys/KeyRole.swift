import StoreSecurity

/// What the keys below the root are for.
package enum KeyRole: String, Sendable, CaseIterable, Codable {
    /// Issues the certificates of the others.
    case intermediate
    /// Signs transactions, profiles and deliveries.
    case signing
    /// Signs receipts.
    case receipts

    /// The file with the key, its certificate and those between it and the root.
    var fileName: String {
        switch self {
        case .intermediate: "intermediate-key.pem"
        case .signing: "signing-key.pem"
        case .receipts: "receipt-signing.pem"
        }
    }

    /// The file in which older stores keep the certificate, apart from the key.
    var olderCertificateName: String? {
        switch self {
        case .intermediate: "intermediate.pem"
        case .signing: "signing.pem"
        case .receipts: nil
        }
    }

    /// The common name of the certificate.
    var subject: String {
        switch self {
        case .intermediate: "OpenStoreKit Signing Authority"
        case .signing: "OpenStoreKit Signed Data"
        case .receipts: "OpenStoreKit Receipts"
        }
    }

    /// How long a certificate is valid.
    var days: Int {
        switch self {
        case .intermediate: 10 * 365
        case .signing, .receipts: 2 * 365
        }
    }

    /// What a certificate of the store is for; nil for the root, and for those of roles that there
    /// are no more.
    init?(_ certificate: Certificate) {
        guard let role = Self.allCases.first(where: { $0.subject == certificate.name }) else {
            return nil
        }
        self = role
    }
}
