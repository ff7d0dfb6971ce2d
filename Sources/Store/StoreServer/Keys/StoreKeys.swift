import Foundation
import StoreSecurity

/// The store's own authority: root, intermediate, the leaf that signs, the one that signs
/// receipts, and the secret that seals.
///
/// What stands below the root is replaced while the store runs, by this process or another
/// one; the signers use what is there when they sign.
package final class StoreKeys: Sendable {
    package let root: Certificate
    package let sealSecret: Data
    let folder: KeyFolder
    let issued: IssuedCertificates
    let intermediate: ReloadingFile<KeyIdentity<SigningKey>>
    private let signing: ReloadingFile<(KeyIdentity<SigningKey>, JWSSigner.Identity)>
    private let receipts: ReceiptIdentity

    enum FileName {
        static let root = "root.pem"
        static let rootKey = "root-key.pem"
        static let sealSecret = "seal.secret"
        static let formerServer = "server.pem"
    }

    /// What signs transactions, profiles and deliveries.
    package func signer() -> JWSSigner {
        JWSSigner { [signing] in signing.current().1 }
    }

    /// Until when what is signed now can be verified.
    package func signingEnd() -> Date {
        let end = signing.current().0.end
        // A damaged file is told of where a receipt is signed.
        return min(end, (try? receipts.known())?.end ?? end)
    }

    /// What signs receipts.
    package func receiptSigner() -> ReceiptSigner {
        ReceiptSigner { [receipts, root] in
            let identity = try receipts.current()
            return ReceiptSigner.Identity(
                key: identity.key, chain: identity.certificates + [root])
        }
    }

    /// Makes the key for receipts if the store has none yet, so that the first customer need not wait
    /// for it.
    ///
    /// - Returns: the new certificate; nil if the store had a key.
    /// - Throws: `StoreKeysError` or `SecurityError`.
    @discardableResult
    package func prepareReceipts() throws -> Certificate? {
        var certificate: Certificate?
        _ = try receipts.current { certificate = $0 }
        return certificate
    }

    /// Reads the keys in a folder, and makes them first where there is none.
    ///
    /// - Parameters:
    ///   - ocspAddress: what new certificates say about where to ask for them.
    ///   - makeReceiptKey: makes the key for receipts when one is needed first.
    /// - Throws: `StoreKeysError`, which names the file that is missing or damaged.
    static func open(
        in url: URL, at date: Date, ocspAddress: String? = nil,
        makeReceiptKey: @escaping @Sendable () throws -> ReceiptKey = ReceiptKey.generate
    ) throws -> StoreKeys {
        let folder = KeyFolder(url: url)
        if !FileManager.default.fileExists(atPath: url.path) {
            try KeyFolder.make(at: url, NewKeys.files(at: date, ocspAddress: ocspAddress))
        }
        let root: Certificate
        do {
            root = try Certificate(pem: try folder.text(FileName.root))
        } catch let error as SecurityError {
            throw StoreKeysError(
                description: "\(folder.file(FileName.root).path) is damaged (\(error)); restore it "
                    + "from a backup")
        }
        guard let secret = Base64URL.decode(try folder.text(FileName.sealSecret)),
            secret.count >= 32
        else {
            throw StoreKeysError(
                description: "\(folder.file(FileName.sealSecret).path) is damaged; restore it from "
                    + "a backup")
        }
        return try StoreKeys(
            root: root, sealSecret: secret, folder: folder,
            receipts: ReceiptIdentity(folder: folder, root: root, makeKey: makeReceiptKey)
        )
    }

    private init(
        root: Certificate, sealSecret: Data, folder: KeyFolder, receipts: ReceiptIdentity
    ) throws {
        self.root = root
        self.sealSecret = sealSecret
        self.folder = folder
        self.issued = IssuedCertificates(folder: folder)
        self.intermediate = try ReloadingFile(folder.file(KeyRole.intermediate.fileName)) {
            try KeyIdentity.read(.intermediate, in: folder, below: root)
        }
        self.signing = try ReloadingFile(folder.file(KeyRole.signing.fileName)) {
            let identity = try KeyIdentity<SigningKey>.read(.signing, in: folder, below: root)
            let signer = try JWSSigner.Identity(
                key: identity.key, chain: identity.certificates + [root])
            return (identity, signer)
        }
        self.receipts = receipts
    }
}
