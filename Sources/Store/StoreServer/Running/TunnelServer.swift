import Foundation
import StoreHTTP
import Synchronization

/// Where tunnels end: a server that speaks TLS, and makes way for another when there is a new
/// certificate.
final class TunnelServer: Sendable {
    private struct Current: Sendable {
        let server: HTTPServer
        let certificate: ServerCertificate
    }

    private let certificate: @Sendable () throws -> ServerCertificate
    private let start: @Sendable (ServerCertificate) throws -> HTTPServer
    /// Nil when it has ended.
    private let current: Mutex<Current?>

    init(
        certificate: @escaping @Sendable () throws -> ServerCertificate,
        start: @escaping @Sendable (ServerCertificate) throws -> HTTPServer
    ) throws {
        self.certificate = certificate
        self.start = start
        let first = try certificate()
        current = Mutex(Current(server: try start(first), certificate: first))
    }

    var server: HTTPServer? { current.withLock { $0?.server } }

    /// Looks for a new certificate. Who has a tunnel finishes what is running, and then comes
    /// again.
    ///
    /// - Returns: whether there was one.
    func renew() throws -> Bool {
        let newest = try certificate()
        guard let shown = current.withLock({ $0?.certificate }), shown != newest else {
            return false
        }
        let new = Current(server: try start(newest), certificate: newest)
        let left = current.withLock { current in
            guard let old = current else { return new.server }
            current = new
            return old.server
        }
        Thread.detachNewThread { left.stop() }
        return true
    }

    func stop() {
        current.withLock { $0.take() }?.server.stop()
    }
}
