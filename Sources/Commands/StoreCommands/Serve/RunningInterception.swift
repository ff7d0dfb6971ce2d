import Foundation
import StoreSecurity
import StoreServer

/// The proxy for clients of Apple's servers that belongs to a running store, with the note by which
/// commands find it; the note goes with its last user.
final class RunningInterception: Sendable {
    /// Host and port of the proxy.
    let address: String
    /// The SHA-256 of the root that clients are to trust, hexadecimal.
    let fingerprint: String
    private let note: LeftNote
    private let watch: Task<Void, Never>

    /// - Parameters:
    ///   - place: where to listen.
    ///   - publicAddress: scheme, host and port that customers reach the store at.
    init(
        of server: StoreServer, at place: (host: String, port: UInt16), publicAddress: String?
    ) throws {
        let interception = try server.intercept(
            host: place.host, port: place.port, publicAddress: publicAddress)
        address = interception.address
        fingerprint = SHA256Digest.hex(try interception.root.der())
        note = try InterceptionNote(
            store: [server.address] + [publicAddress].compactMap(\.self), proxy: address,
            root: interception.rootFile.path, process: getpid()
        ).leave(in: server.store.directory)
        watch = Task { await interception.run() }
    }

    /// The store is about to stop.
    func end() {
        watch.cancel()
    }
}
