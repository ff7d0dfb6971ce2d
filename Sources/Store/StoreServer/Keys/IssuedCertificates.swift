import Foundation
import StoreSecurity

/// The certificates that a store has ever issued, and which of them it has taken back: a file
/// for each, named by its number, and another one beside it with the time of its revocation.
///
/// A certificate is recorded before it is used, so that whoever is shown one can ask about it.
struct IssuedCertificates: Sendable {
    private static let folderName = "issued"

    private let folder: KeyFolder
    private let revocations: RevocationFiles

    init(folder: KeyFolder) {
        self.folder = folder
        self.revocations = RevocationFiles(folder: folder.file(Self.folderName))
    }

    private static func name(_ serial: CertificateSerial) -> String {
        "\(folderName)/\(serial).pem"
    }

    private static func revocationName(_ serial: CertificateSerial) -> String {
        "\(folderName)/\(RevocationFiles.name(serial))"
    }

    /// Name and text of the file of a certificate.
    static func record(of certificate: Certificate) throws -> (name: String, text: String) {
        guard let serial = certificate.serial else {
            throw StoreKeysError(description: "a certificate has no number")
        }
        return (name(serial), try certificate.pem())
    }

    /// Records a certificate, once. The folder's lock must be held.
    func record(_ certificate: Certificate) throws {
        let (name, text) = try Self.record(of: certificate)
        if !folder.has(name) { try folder.put(text, as: name) }
    }

    /// Records that a certificate is taken back, once. The folder's lock must be held.
    func revoke(_ serial: CertificateSerial, at date: Date) throws {
        guard revocation(of: serial) == nil else { return }
        try folder.put(date.formatted(.iso8601) + "\n", as: Self.revocationName(serial))
    }

    func certificate(_ serial: CertificateSerial) -> Certificate? {
        guard folder.has(Self.name(serial)) else { return nil }
        return try? Certificate(pem: folder.text(Self.name(serial)))
    }

    /// When a certificate was taken back; nil where it was not.
    func revocation(of serial: CertificateSerial) -> Date? {
        let name = Self.revocationName(serial)
        guard folder.has(name) else { return nil }
        let text = try? folder.text(name).trimmingCharacters(in: .whitespacesAndNewlines)
        // A damaged file still says that it was.
        return text.flatMap { try? Date($0, strategy: .iso8601) } ?? Date(timeIntervalSince1970: 0)
    }

    func isRevoked(_ certificate: Certificate) -> Bool {
        certificate.serial.map { revocations.contains($0) } ?? false
    }

    /// Those that were taken back, with the time.
    func revoked() -> [(serial: CertificateSerial, date: Date)] {
        folder.names(in: Self.folderName).compactMap { name in
            guard let serial = RevocationFiles.serial(name),
                let date = revocation(of: serial)
            else { return nil }
            return (serial, date)
        }
    }

    /// All of them.
    func all() -> [Certificate] {
        folder.names(in: Self.folderName).compactMap { name in
            guard let serial = name.dropping(suffix: ".pem").flatMap({ CertificateSerial($0) })
            else {
                return nil
            }
            return certificate(serial)
        }
    }
}
