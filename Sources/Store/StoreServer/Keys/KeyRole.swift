import StoreSecurity

/// What the keys below the root are for.
package enum KeyRole: String, Sendable, CaseIterable, Codable {
    /// Issues the certificates of the others.
    case intermediate
    /// Signs transactions, profiles and deliveries.
    case signing
    /// Signs receipts.
    case receipts
    /// Shows who the store is to clients that come over TLS.
    case server

    /// The file with the key, its certificate and those between it and the root.
    var fileName: String {
        switch self {
        case .intermediate: "intermediate-key.pem"
        case .signing: "signing-key.pem"
        case .receipts: "receipt-signing.pem"
        case .server: "server.pem"
        }
    }

    /// The file in which older stores keep the certificate, apart from the key.
    var olderCertificateName: String? {
        switch self {
        case .intermediate: "intermediate.pem"
        case .signing: "signing.pem"
        case .receipts, .server: nil
        }
    }

    /// The common name of the certificate.
    var subject: String {
        switch self {
        case .intermediate: "OpenStoreKit Signing Authority"
        case .signing: "OpenStoreKit Signed Data"
        case .receipts: "OpenStoreKit Receipts"
        case .server: "OpenStoreKit Server"
        }
    }

    /// How long a certificate is valid. Browsers take none of a server that is valid for more
    /// than 398 days.
    var days: Int {
        switch self {
        case .intermediate: 10 * 365
        case .signing, .receipts: 2 * 365
        case .server: 397
        }
    }

    /// What a certificate of the store is for; nil for the root.
    init?(_ certificate: Certificate) {
        guard let role = Self.allCases.first(where: { $0.subject == certificate.name }) else {
            return nil
        }
        self = role
    }
}
