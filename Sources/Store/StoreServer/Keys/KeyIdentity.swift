import Foundation
import StoreSecurity

/// A private key that is kept in a file.
protocol StoredKey: Sendable {
    static func generate() throws -> Self
    init(pem: String) throws
    func pem() throws -> String
    func isKey(of certificate: Certificate) -> Bool
    /// A certificate for it, below the intermediate.
    func certificate(
        for role: KeyRole, issuer: CertificateIssuer, start: Date, ocspAddress: String?
    ) throws -> Certificate
}

extension SigningKey: StoredKey {
    func isKey(of certificate: Certificate) -> Bool { certificate.belongs(to: self) }
}

extension ReceiptKey: StoredKey {
    func isKey(of certificate: Certificate) -> Bool { certificate.belongs(to: self) }
}

/// A key with its certificate and those between it and the root: one file, so that there are
/// all of them or none, and always ones that belong together.
struct KeyIdentity<Key: StoredKey>: Sendable {
    let role: KeyRole
    let key: Key
    /// Its own, and for a leaf that of the intermediate.
    let certificates: [Certificate]

    var certificate: Certificate { certificates[0] }

    /// When the first of its certificates ends.
    var end: Date {
        certificates.compactMap(\.validity?.upperBound).min() ?? .distantPast
    }

    /// When its own certificate was made.
    var made: Date {
        (certificate.validity?.lowerBound ?? .distantPast)
            .addingTimeInterval(RenewalRule.backdating)
    }

    /// Whether it has not begun, as the clock was ahead when it was made.
    func isAhead(of date: Date) -> Bool {
        certificate.validity.map { $0.lowerBound > date } ?? false
    }

    /// As the file holds it.
    func pem() throws -> String {
        try certificates.map { try $0.pem() }.joined() + key.pem()
    }

    /// Reads the file of a role, or the two files of stores that are older than renewal.
    ///
    /// - Throws: `StoreKeysError`, which names the file that is missing or damaged.
    static func read(
        _ role: KeyRole, in folder: KeyFolder, below root: Certificate
    ) throws -> KeyIdentity {
        do {
            return try readOnce(role, in: folder, below: root)
        } catch let error as StoreKeysError {
            // Another process may have renewed the older files between two reads.
            guard let name = role.olderCertificateName, !folder.has(name) else { throw error }
            return try readOnce(role, in: folder, below: root)
        }
    }

    private static func readOnce(
        _ role: KeyRole, in folder: KeyFolder, below root: Certificate
    ) throws -> KeyIdentity {
        let text = try folder.text(role.fileName)
        do {
            var certificates = try Certificate.all(pem: text)
            if certificates.isEmpty, let name = role.olderCertificateName {
                certificates = [try Certificate(pem: try folder.text(name))]
            }
            if certificates.count == 1, role != .intermediate,
                let name = KeyRole.intermediate.olderCertificateName
            {
                certificates.append(try Certificate(pem: try folder.text(name)))
            }
            let identity = KeyIdentity(
                role: role, key: try Key(pem: text), certificates: certificates)
            guard identity.isWhole(below: root) else {
                throw SecurityError(.untrusted, "its key and certificates don't belong together")
            }
            return identity
        } catch let error as SecurityError {
            throw StoreKeysError(
                description:
                    "the key file \(folder.file(role.fileName).path) is damaged (\(error));"
                    + " restore it from a backup")
        }
    }

    private func isWhole(below root: Certificate) -> Bool {
        let above = certificates.dropFirst() + [root]
        return certificates.count == (role == .intermediate ? 1 : 2)
            && key.isKey(of: certificate)
            && zip(certificates, above).allSatisfy { $0.isIssued(by: $1) }
    }
}
