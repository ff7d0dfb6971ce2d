@preconcurrency import Dispatch
import Foundation
import StoreServer

/// Lets a server that speaks TLS show new certificates: when their files change, and on SIGHUP.
final class CertificateWatch: Sendable {
    private let source: any DispatchSourceSignal
    private let watch: Task<Void, Never>

    init(of server: StoreServer) {
        signal(SIGHUP, SIG_IGN)
        source = DispatchSource.makeSignalSource(signal: SIGHUP, queue: .global())
        source.setEventHandler { server.renewCertificate() }
        source.resume()
        watch = Task { await server.watchCertificate() }
    }

    /// The server is about to stop.
    func end() {
        source.cancel()
        watch.cancel()
    }
}
