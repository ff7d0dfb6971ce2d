import Foundation
import StoreSecurity

/// Intermediates whose key signs no more certificates. They are kept because their issuer has
/// to answer for those that they have signed.
struct RetiredIntermediates: Sendable {
    private static let folderName = "former"

    let folder: KeyFolder

    /// The folder's lock must be held.
    func add(_ identity: KeyIdentity<SigningKey>) throws {
        guard let serial = identity.certificate.serial else { return }
        try folder.put(try identity.pem(), as: "\(Self.folderName)/\(serial).pem")
    }

    func all() -> [OCSPResponder.Authority] {
        folder.names(in: Self.folderName).compactMap { name in
            guard let text = try? folder.text("\(Self.folderName)/\(name)"),
                let certificate = try? Certificate(pem: text), let key = try? SigningKey(pem: text)
            else { return nil }
            return OCSPResponder.Authority(certificate: certificate, key: key)
        }
    }
}
