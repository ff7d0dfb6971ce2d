import Foundation
import StoreSecurity

extension StoreKeys {
    /// Answers a request of OCSP about the certificates of this store.
    ///
    /// The root answers for intermediates, the intermediates for leaves. Where the root's key
    /// is kept elsewhere, nobody answers for intermediates.
    package func certificateStatus(_ request: Data, at date: Date) -> Data {
        var authorities: [OCSPResponder.Authority] = []
        if let text = try? folder.text(FileName.rootKey), let key = try? SigningKey(pem: text) {
            authorities.append(OCSPResponder.Authority(certificate: root, key: key))
        }
        let current = intermediate.current()
        authorities.append(
            OCSPResponder.Authority(certificate: current.certificate, key: current.key))
        authorities += RetiredIntermediates(folder: folder).all()
        return OCSPResponder(authorities: authorities) { [issued] serial, issuer in
            guard let certificate = issued.certificate(serial), certificate.isIssued(by: issuer)
            else { return .unknown }
            return issued.revocation(of: serial).map { .revoked(at: $0) } ?? .good
        }.answer(to: request, at: date)
    }

    /// The certificates for statements that were taken back, the last one first: leaves that sign
    /// transactions, and intermediates.
    package func revokedForStatements() -> [CertificateSerial] {
        issued.revoked().compactMap { serial, date -> (CertificateSerial, Date)? in
            guard let certificate = issued.certificate(serial) else { return nil }
            switch KeyRole(certificate) {
            case .signing, .intermediate: return (serial, date)
            case .receipts, nil: return nil
            }
        }.sorted { ($1.1, $1.0.text) < ($0.1, $0.0.text) }.map(\.0)
    }

    /// Every certificate of the store with what became of it, the newest first; the root is the
    /// last.
    package func certificates() throws -> [StoreCertificate] {
        let used = try usedCertificates()
        var all = issued.all()
        for certificate in used.flatMap(\.certificates) {
            if !all.contains(where: { $0.serial == certificate.serial }) { all.append(certificate) }
        }
        let current = Set(used.compactMap { $0.certificates.first?.serial })
        let below = all.compactMap { certificate -> StoreCertificate? in
            guard let serial = certificate.serial, let validity = certificate.validity else {
                return nil
            }
            return StoreCertificate(
                serial: serial, role: KeyRole(certificate), isRoot: false, name: certificate.name,
                start: validity.lowerBound, end: validity.upperBound,
                isCurrent: current.contains(serial), revoked: issued.revocation(of: serial),
                ocspAddress: certificate.ocspAddresses.first)
        }.sorted { ($1.start, $1.serial.text) < ($0.start, $0.serial.text) }
        guard let serial = root.serial, let validity = root.validity else { return below }
        return below + [
            StoreCertificate(
                serial: serial, role: nil, isRoot: true, name: root.name,
                start: validity.lowerBound, end: validity.upperBound, isCurrent: true,
                revoked: nil, ocspAddress: nil)
        ]
    }
}

/// A certificate of the store, and what became of it.
package struct StoreCertificate: Sendable {
    package let serial: CertificateSerial
    /// Nil for the root, and for what earlier versions issued for TLS.
    package let role: KeyRole?
    package let isRoot: Bool
    package let name: String
    package let start: Date
    package let end: Date
    /// Whether the store signs with its key.
    package let isCurrent: Bool
    package let revoked: Date?
    /// Where one asks about it; nil for certificates from before the store answered.
    package let ocspAddress: String?
}
