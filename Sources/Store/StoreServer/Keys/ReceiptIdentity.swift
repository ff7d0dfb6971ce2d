import Foundation
import StoreSecurity
import Synchronization

/// The key that signs receipts, with its certificates. It is made when the first receipt is signed,
/// or by the store's jobs before that: an RSA key takes longer to make than all the rest of a store.
final class ReceiptIdentity: Sendable {
    private let folder: KeyFolder
    private let root: Certificate
    private let makeKey: @Sendable () throws -> ReceiptKey
    private let now: @Sendable () -> Date
    /// Nil while there is no key that this process knows.
    private let file = Mutex<LiveFile<KeyIdentity<ReceiptKey>>?>(nil)

    /// - Throws: `StoreKeysError` for a file that is damaged.
    init(
        folder: KeyFolder, root: Certificate,
        makeKey: @escaping @Sendable () throws -> ReceiptKey, now: @escaping @Sendable () -> Date
    ) throws {
        (self.folder, self.root, self.makeKey, self.now) = (folder, root, makeKey, now)
        _ = try known()
    }

    /// What signs now; made where there is none.
    ///
    /// - Throws: `StoreKeysError`, or `SecurityError` where no key can be made.
    func current() throws -> KeyIdentity<ReceiptKey> {
        try file.withLock { file in
            if let known = try known(&file) { return known }
            try make()
            return try read(&file)
        }
    }

    /// What signs now; nil where none was made.
    ///
    /// - Throws: `StoreKeysError` for a file that is damaged.
    func known() throws -> KeyIdentity<ReceiptKey>? { try file.withLock { try known(&$0) } }

    private func known(
        _ file: inout LiveFile<KeyIdentity<ReceiptKey>>?
    ) throws -> KeyIdentity<ReceiptKey>? {
        if let file { return file.current() }
        return folder.has(KeyRole.receipts.fileName) ? try read(&file) : nil
    }

    private func read(
        _ file: inout LiveFile<KeyIdentity<ReceiptKey>>?
    ) throws -> KeyIdentity<ReceiptKey> {
        let read = try LiveFile(folder.file(KeyRole.receipts.fileName)) { [folder, root] in
            try KeyIdentity<ReceiptKey>.read(.receipts, in: folder, below: root)
        }
        file = read
        return read.current()
    }

    private func make() throws {
        let key = try makeKey()
        try folder.locked {
            // Another process may have been faster.
            guard !folder.has(KeyRole.receipts.fileName) else { return }
            let issuer = try KeyIdentity<SigningKey>.read(.intermediate, in: folder, below: root)
            let identity = try KeyIdentity<ReceiptKey>.make(
                .receipts, key: key, under: issuer, at: now())
            try IssuedCertificates(folder: folder).record(identity.certificate)
            try folder.put(try identity.pem(), as: KeyRole.receipts.fileName)
        }
    }
}
