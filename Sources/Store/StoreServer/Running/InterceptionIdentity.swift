import Foundation
import StoreSecurity

/// What the interception shows to its clients, and the root that they are asked to trust for it.
///
/// The root is not the store's. It says itself that it vouches for the hosts that are taken over and for
/// no other, by critical name constraints (RFC 5280, section 4.2.1.10). Java takes no notice of them on
/// a root, so its key does not exist any more either: it has signed the one certificate below it, and
/// was never written anywhere.
struct InterceptionIdentity: Sendable {
    /// Browsers take no server's certificate that is valid for more than 398 days.
    static let days = 397

    let root: Certificate
    let certificate: Certificate
    /// Belongs to `certificate`.
    let key: SigningKey

    private init(root: Certificate, certificate: Certificate, key: SigningKey) {
        (self.root, self.certificate, self.key) = (root, certificate, key)
    }

    /// Makes a root and a certificate for some hosts.
    static func make(for names: [ServerName], at date: Date) throws -> InterceptionIdentity {
        let start = date.addingTimeInterval(-RenewalRule.backdating)
        let rootKey = try SigningKey.generate()
        let root = try Certificate.issue(
            role: .serverRoot(names), name: "OpenStoreKit Interception Root",
            organization: NewKeys.organization, key: rootKey, issuer: nil, start: start, days: days)
        let key = try SigningKey.generate()
        let certificate = try Certificate.issue(
            role: .server(names), name: "OpenStoreKit Interception",
            organization: NewKeys.organization, key: key, issuer: (root, rootKey), start: start,
            days: days)
        return InterceptionIdentity(root: root, certificate: certificate, key: key)
    }

    /// Reads what `pem` has written.
    ///
    /// - Throws: `SecurityError` for anything else.
    init(pem: String) throws {
        let certificates = try Certificate.all(pem: pem)
        let key = try SigningKey(pem: pem)
        guard certificates.count == 2, let certificate = certificates.first,
            let root = certificates.last, certificate.belongs(to: key),
            certificate.isIssued(by: root), root.isIssued(by: root)
        else {
            throw SecurityError(.untrusted, "its key and certificates don't belong together")
        }
        self.init(root: root, certificate: certificate, key: key)
    }

    /// The certificate, the root, and the certificate's key.
    func pem() throws -> String { try certificate.pem() + root.pem() + key.pem() }

    /// Why another one is to be made; nil where this one is good for some hosts, and for no other.
    func flaw(for names: [ServerName], at date: Date) -> String? {
        let names = Set(names)
        guard root.permittedServerNames == names, Set(certificate.serverNames) == names else {
            return "the store has another address"
        }
        guard let validity = certificate.validity, validity.contains(date),
            !RenewalRule.isDue(
                end: validity.upperBound, days: Self.days, ceiling: .distantFuture, at: date)
        else { return "it is not valid now, or not for much longer" }
        return nil
    }
}
