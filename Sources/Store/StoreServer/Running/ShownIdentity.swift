import Foundation
import StoreHTTP
import StoreSecurity
import Synchronization

/// What a running interception shows to its clients now.
final class ShownIdentity: Sendable {
    private let store: Store
    private let names: [ServerName]
    private let folder: InterceptionFolder
    private let shown: Mutex<InterceptionIdentity>

    /// - Parameter addresses: of the store itself.
    /// - Throws: `StoreKeysError`, `CocoaError` for a folder that can't be written.
    init(of store: Store, addresses: [String]) throws {
        self.store = store
        names = InterceptedHosts.names(of: addresses)
        folder = InterceptionFolder(in: store.directory)
        let found = try folder.identity(for: names, at: store.clock.now())
        shown = Mutex(found.identity)
        try tell(of: found)
    }

    var rootFile: URL { folder.rootFile }

    var root: Certificate { shown.withLock { $0.root } }

    /// The certificate to show; another one where that before ends soon.
    ///
    /// What another process over the same folder has made for other hosts does not replace it.
    func certificate() throws -> ServerCertificate {
        let now = store.clock.now()
        if shown.withLock({ $0.flaw(for: names, at: now) }) != nil {
            let found = try folder.identity(for: names, at: now)
            shown.withLock { $0 = found.identity }
            try tell(of: found)
        }
        return try shown.withLock {
            ServerCertificate(chain: try $0.certificate.pem(), key: try $0.key.pem())
        }
    }

    private func tell(of found: InterceptionFolder.Found) throws {
        guard found.isNew else { return }
        let root = found.identity.root
        // Who trusts the one before has to be given this one.
        store.log.write(
            found.reason == nil ? .info : .warning, .interceptionRoot,
            [
                "reason": found.reason ?? "there was none", "file": rootFile.path,
                "sha256": SHA256Digest.hex(try root.der()),
                "hosts": names.map(\.description).joined(separator: " "),
                "until": root.validity?.upperBound.formatted(.iso8601) ?? "",
            ])
    }
}
