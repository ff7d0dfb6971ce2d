import Foundation
import StoreSecurity

/// The key that signs receipts, with its certificate: one file, so that there are both or
/// none.
struct StoreReceiptIdentity: Sendable {
    static let fileName = "receipt-signing.pem"

    let certificate: Certificate
    let key: ReceiptKey

    /// Makes a key under the store's intermediate.
    static func make(
        issuer: (certificate: Certificate, key: SigningKey), at date: Date
    ) throws -> StoreReceiptIdentity {
        let key = try ReceiptKey.generate()
        // Clocks of devices differ a little from the store's.
        let certificate = try Certificate.issue(
            receiptLeaf: "OpenStoreKit Receipts", organization: "OpenStoreKit", key: key,
            issuer: issuer, start: date.addingTimeInterval(-3600), days: 5 * 365)
        return StoreReceiptIdentity(certificate: certificate, key: key)
    }

    /// Reads the file in a folder of keys. Where there is none, because the keys are older
    /// than receipts, it is made: written beside its place, and then linked there, which
    /// fails where another process was faster; both use that one's.
    static func open(
        in folder: URL, otherwise make: () throws -> StoreReceiptIdentity
    ) throws -> StoreReceiptIdentity {
        let file = folder.appendingPathComponent(fileName)
        if access(file.path, F_OK) != 0, errno == ENOENT {
            let partial = folder.deletingLastPathComponent()
                .appendingPathComponent(".keys-\(UUID().uuidString)")
            defer { unlink(partial.path) }
            try StoreKeys.write(try make().pem(), to: partial)
            guard link(partial.path, file.path) == 0 || errno == EEXIST else {
                throw StoreKeysError(
                    description: "\(file.path) can't be made: \(String(cString: strerror(errno)))")
            }
            try synchronize(folder)
        }
        do {
            let text = try String(contentsOf: file, encoding: .utf8)
            return StoreReceiptIdentity(
                certificate: try Certificate(pem: text), key: try ReceiptKey(pem: text))
        } catch {
            throw StoreKeysError(
                description: "the key file \(file.path) can't be read or is damaged (\(error)); "
                    + "restore it from a backup")
        }
    }

    /// Key and certificate as the file holds them.
    func pem() throws -> String {
        try certificate.pem() + key.pem()
    }

    /// Brings the names in a folder to disk.
    private static func synchronize(_ folder: URL) throws {
        let descriptor = Glibc.open(folder.path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        defer { if descriptor >= 0 { close(descriptor) } }
        guard descriptor >= 0, fsync(descriptor) == 0 else {
            throw StoreKeysError(
                description: "\(folder.path) can't be brought to disk: "
                    + String(cString: strerror(errno)))
        }
    }
}
