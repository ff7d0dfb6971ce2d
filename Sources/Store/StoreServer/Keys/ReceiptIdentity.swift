import Foundation
import StoreSecurity
import Synchronization

/// The key that signs receipts, with its certificates. It is made when the first receipt is signed,
/// or by the store's jobs before that: an RSA key takes longer to make than all the rest of a store.
final class ReceiptIdentity: Sendable {
    private struct State {
        /// Nil until this process has read or made the key.
        var file: ReloadingFile<KeyIdentity<ReceiptKey>>?
        /// A key that this process has made, and could not write to the folder yet.
        var unkept: ReceiptKey?
    }

    private let folder: KeyFolder
    private let root: Certificate
    private let makeKey: @Sendable () throws -> ReceiptKey
    private let state = Mutex(State())

    /// - Throws: `StoreKeysError` for a file that is damaged.
    init(
        folder: KeyFolder, root: Certificate,
        makeKey: @escaping @Sendable () throws -> ReceiptKey
    ) throws {
        (self.folder, self.root, self.makeKey) = (folder, root, makeKey)
        _ = try known()
    }

    /// The key that signs receipts now; nil if the store has none yet.
    ///
    /// - Throws: `StoreKeysError` for a file that is damaged.
    func known() throws -> KeyIdentity<ReceiptKey>? {
        try state.withLock { try known(&$0) }
    }

    /// The key that signs receipts now. Makes it if the store has none yet.
    ///
    /// - Parameter made: gets the certificate if this call has made it.
    /// - Throws: `StoreKeysError`, or `SecurityError` where no key can be made.
    func current(made: (Certificate) -> Void = { _ in }) throws -> KeyIdentity<ReceiptKey> {
        try state.withLock { state in
            if let known = try known(&state) { return known }
            let key = try state.unkept ?? makeKey()
            state.unkept = key
            if let certificate = try keep(key) { made(certificate) }
            state.unkept = nil
            return try read(&state)
        }
    }

    private func known(_ state: inout State) throws -> KeyIdentity<ReceiptKey>? {
        if let file = state.file { return file.current() }
        return folder.has(KeyRole.receipts.fileName) ? try read(&state) : nil
    }

    private func read(_ state: inout State) throws -> KeyIdentity<ReceiptKey> {
        let file = try ReloadingFile(folder.file(KeyRole.receipts.fileName)) { [folder, root] in
            try KeyIdentity<ReceiptKey>.read(.receipts, in: folder, below: root)
        }
        state.file = file
        return file.current()
    }

    /// Issues a certificate for a key, and writes both to the folder. The certificate begins at the
    /// same time as the one that signs transactions, so that a receipt can have any date that a
    /// transaction can.
    ///
    /// - Returns: the certificate; nil if another process has written a key first.
    private func keep(_ key: ReceiptKey) throws -> Certificate? {
        try folder.locked {
            guard !folder.has(KeyRole.receipts.fileName) else { return nil }
            let issuer = try KeyIdentity<SigningKey>.read(.intermediate, in: folder, below: root)
            let other = try KeyIdentity<SigningKey>.read(.signing, in: folder, below: root)
            let identity = try KeyIdentity<ReceiptKey>.make(
                .receipts, key: key, under: issuer, at: other.made)
            try IssuedCertificates(folder: folder).record(identity.certificate)
            try folder.put(try identity.pem(), as: KeyRole.receipts.fileName)
            return identity.certificate
        }
    }
}
