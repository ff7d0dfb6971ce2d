import Foundation
import StoreSecurity

/// Where a process that intercepts keeps what it shows to clients: in its own folder, and not with the
/// keys of the store, which backups hold and a cluster shares.
struct InterceptionFolder: Sendable {
    static let name = "intercept"
    private static let rootName = "root.pem"
    private static let keyName = "server.pem"

    private let folder: KeyFolder

    /// - Parameter directory: the folder of a store.
    init(in directory: URL) {
        folder = KeyFolder(url: directory.appendingPathComponent(Self.name))
    }

    /// The file with the root, for programs that are to trust it.
    var rootFile: URL { folder.file(Self.rootName) }

    /// The file with the key, its certificate, and the root.
    var keyFile: URL { folder.file(Self.keyName) }

    /// What is there, or was made now.
    struct Found: Sendable {
        let identity: InterceptionIdentity
        let isNew: Bool
        /// Why the one before was replaced; nil where there was none.
        let reason: String?
    }

    /// The identity for some hosts; made where there is none that is good for just these.
    ///
    /// - Throws: `StoreKeysError`, `CocoaError` for a folder that can't be written.
    func identity(for names: [ServerName], at date: Date) throws -> Found {
        try FileManager.default.createDirectory(
            at: folder.url, withIntermediateDirectories: true,
            attributes: [.posixPermissions: 0o700])
        return try folder.locked {
            let found = try kept(for: names, at: date)
            // Last, and looked at each time: whoever is killed in between leaves it to the next.
            let root = try found.identity.root.pem()
            if (try? folder.text(Self.rootName)) != root { try folder.put(root, as: Self.rootName) }
            return found
        }
    }

    /// The identity in the file of the key, which is replaced where it is not as it should be.
    private func kept(for names: [ServerName], at date: Date) throws -> Found {
        var reason: String?
        if folder.has(Self.keyName) {
            do {
                let identity = try InterceptionIdentity(pem: folder.text(Self.keyName))
                reason = identity.flaw(for: names, at: date)
                if reason == nil { return Found(identity: identity, isNew: false, reason: nil) }
            } catch {
                reason = "\(keyFile.path) can't be used (\(error))"
            }
        }
        let identity = try InterceptionIdentity.make(for: names, at: date)
        try folder.put(try identity.pem(), as: Self.keyName)
        return Found(identity: identity, isNew: true, reason: reason)
    }
}
