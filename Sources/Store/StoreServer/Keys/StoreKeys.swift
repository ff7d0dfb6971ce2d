import Foundation
import StoreSecurity

/// The store's own authority: root, intermediate, the leaf that signs, the one that signs
/// receipts, and the secret that seals.
package struct StoreKeys: Sendable {
    package let root: Certificate
    private let intermediate: Certificate
    private let leaf: Certificate
    private let leafKey: SigningKey
    private let receipt: StoreReceiptIdentity
    package let sealSecret: Data

    private enum File: String, CaseIterable {
        case root = "root.pem"
        case rootKey = "root-key.pem"
        case intermediate = "intermediate.pem"
        case intermediateKey = "intermediate-key.pem"
        case leaf = "signing.pem"
        case leafKey = "signing-key.pem"
        case sealSecret = "seal.secret"
    }

    /// What signs transactions, profiles and deliveries.
    package func signer() throws -> JWSSigner {
        try JWSSigner(key: leafKey, chain: [leaf, intermediate, root])
    }

    /// What signs receipts.
    package func receiptSigner() -> ReceiptSigner {
        ReceiptSigner(key: receipt.key, chain: [receipt.certificate, intermediate, root])
    }

    /// Reads the keys in a folder, and makes them first where there is none.
    ///
    /// They are written into a folder beside it that is then renamed, so that there are
    /// either all keys or none; of two processes that make them at once, one wins and
    /// both use its keys.
    static func open(in folder: URL, at date: Date) throws -> StoreKeys {
        if !FileManager.default.fileExists(atPath: folder.path) { try make(in: folder, at: date) }
        func text(_ file: File) throws -> String {
            let url = folder.appendingPathComponent(file.rawValue)
            guard let text = try? String(contentsOf: url, encoding: .utf8) else {
                throw StoreKeysError(
                    description: "the key file \(url.path) is missing or can't be read; restore it "
                        + "from a backup")
            }
            return text
        }
        guard let secret = Base64URL.decode(try text(.sealSecret)), secret.count >= 32 else {
            throw StoreKeysError(
                description:
                    "\(folder.path)/\(File.sealSecret.rawValue) is damaged; restore it from "
                    + "a backup")
        }
        let intermediate = try Certificate(pem: try text(.intermediate))
        return StoreKeys(
            root: try Certificate(pem: try text(.root)), intermediate: intermediate,
            leaf: try Certificate(pem: try text(.leaf)),
            leafKey: try SigningKey(pem: try text(.leafKey)),
            receipt: try StoreReceiptIdentity.open(in: folder) {
                try StoreReceiptIdentity.make(
                    issuer: (
                        intermediate, try SigningKey(pem: try text(.intermediateKey))
                    ), at: date)
            }, sealSecret: secret)
    }

    private static func make(in folder: URL, at date: Date) throws {
        let organization = "OpenStoreKit"
        // Clocks of devices differ a little from the store's.
        let start = date.addingTimeInterval(-3600)
        let rootKey = try SigningKey.generate()
        let root = try Certificate.issue(
            role: .root, name: "OpenStoreKit Root", organization: organization, key: rootKey,
            issuer: nil, start: start, days: 20 * 365)
        let intermediateKey = try SigningKey.generate()
        let intermediate = try Certificate.issue(
            role: .intermediate, name: "OpenStoreKit Signing Authority",
            organization: organization, key: intermediateKey, issuer: (root, rootKey),
            start: start, days: 10 * 365)
        let leafKey = try SigningKey.generate()
        let leaf = try Certificate.issue(
            role: .leaf, name: "OpenStoreKit Signed Data", organization: organization,
            key: leafKey, issuer: (intermediate, intermediateKey), start: start, days: 5 * 365)
        let receipt = try StoreReceiptIdentity.make(
            issuer: (intermediate, intermediateKey), at: date)
        let contents: [File: String] = [
            .root: try root.pem(), .rootKey: try rootKey.pem(),
            .intermediate: try intermediate.pem(), .intermediateKey: try intermediateKey.pem(),
            .leaf: try leaf.pem(), .leafKey: try leafKey.pem(),
            .sealSecret: Base64URL.encode(try SecureRandom.bytes(32)),
        ]
        let partial = folder.deletingLastPathComponent()
            .appendingPathComponent(".keys-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: partial) }
        try FileManager.default.createDirectory(
            at: partial, withIntermediateDirectories: true,
            attributes: [.posixPermissions: 0o700])
        for (file, text) in contents {
            try write(text, to: partial.appendingPathComponent(file.rawValue))
        }
        try write(
            try receipt.pem(), to: partial.appendingPathComponent(StoreReceiptIdentity.fileName))
        guard rename(partial.path, folder.path) == 0 || errno == ENOTEMPTY || errno == EEXIST
        else {
            throw StoreKeysError(
                description: "\(folder.path) can't be made: \(String(cString: strerror(errno)))")
        }
    }

    /// Writes a file that only its owner can read, and brings it to disk.
    static func write(_ text: String, to file: URL) throws {
        let isWritten = FileManager.default.createFile(
            atPath: file.path, contents: Data(text.utf8), attributes: [.posixPermissions: 0o600])
        guard isWritten, let handle = FileHandle(forWritingAtPath: file.path) else {
            throw StoreKeysError(
                description: "\(file.path) can't be written: \(String(cString: strerror(errno)))")
        }
        try handle.synchronize()
        try handle.close()
    }
}

/// The keys can't be read or made.
struct StoreKeysError: Error, CustomStringConvertible {
    let description: String
}
