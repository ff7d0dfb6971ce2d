import Foundation
import StoreHTTP
import Synchronization

/// Where clients connect: one server, which makes way for another when there is a new certificate.
/// Both listen on one socket, so that nobody is turned away; who is connected to the first one
/// stays until its answer is read.
final class ServerEndpoint: Sendable {
    typealias Start =
        @Sendable (_ certificate: ServerCertificate?, ListeningSocket?) throws -> HTTPServer

    private struct State: Sendable {
        /// Nil when it has ended.
        var current: HTTPServer?
        var certificate: ServerCertificate?
        var end: Date?
        var stamps: [FileStamp]?
        /// Those that made way and still have clients.
        var leaving: [ObjectIdentifier: HTTPServer] = [:]
        /// Connections of those that have gone.
        var gone = HTTPServer.Connections()
    }

    let port: UInt16
    let isTLS: Bool
    private let files: TLSFiles?
    private let socket: ListeningSocket?
    private let start: Start
    private let state: Mutex<State>
    /// Held by whoever looks for a new certificate: one at a time.
    private let renewing = Mutex(())

    /// - Parameters:
    ///   - socket: what clients connect to, instead of host and port.
    ///   - start: starts a server; gets a socket where it is not to open one.
    /// - Throws: `TLSFilesError`, `HTTPServerError`.
    init(
        host: String, port: UInt16, socket: ListeningSocket? = nil, files: TLSFiles?,
        start: @escaping Start
    ) throws {
        self.files = files
        self.start = start
        isTLS = files != nil
        let stamps = files?.stamps
        let shown = try files?.read()
        let socket = try socket ?? files.map { _ in try ListeningSocket(host: host, port: port) }
        self.socket = socket
        let server = try start(shown?.certificate, socket)
        self.port = server.port
        state = Mutex(
            State(
                current: server, certificate: shown?.certificate, end: shown?.end, stamps: stamps))
    }

    /// When the certificate ends that clients are shown; nil without TLS.
    var certificateEnd: Date? { state.withLock { $0.end } }

    /// Whether the files were changed since they were read.
    var isOutdated: Bool {
        guard let stamps = files?.stamps else { return false }
        return state.withLock { $0.stamps != stamps }
    }

    /// Looks for a new certificate. Where the files can't be used, the one before is shown on.
    ///
    /// - Returns: when the new one ends; nil where there is none.
    /// - Throws: `TLSFilesError`, `HTTPServerError`.
    func renew() throws -> Date? {
        guard let files else { return nil }
        return try renewing.withLock { _ in
            // The stamps first: what is replaced in between is read once more. They count where the
            // files could be used; what could not be read may be readable the next time.
            let stamps = files.stamps
            let newest = try files.read()
            let isNew = state.withLock { $0.current != nil && $0.certificate != newest.certificate }
            guard isNew else {
                state.withLock { $0.stamps = stamps }
                return nil
            }
            let new = try start(newest.certificate, socket)
            let old = state.withLock { state -> HTTPServer? in
                guard let old = state.current else { return nil }
                state.stamps = stamps
                state.current = new
                state.certificate = newest.certificate
                state.end = newest.end
                state.leaving[ObjectIdentifier(old)] = old
                return old
            }
            guard let old else {
                new.stop()
                return nil
            }
            old.retire { [weak self, weak old] in
                guard let self, let old else { return }
                // Whoever calls is a thread of the server, which can't wait for itself.
                Thread.detachNewThread {
                    old.stop()
                    self.forget(old)
                }
            }
            return newest.end ?? .distantFuture
        }
    }

    private func forget(_ server: HTTPServer) {
        let left = server.connections
        state.withLock { state in
            guard state.leaving.removeValue(forKey: ObjectIdentifier(server)) != nil else { return }
            state.gone.add(left)
        }
    }

    /// Of all servers that there are and were.
    var connections: HTTPServer.Connections {
        state.withLock { state in
            var sum = state.gone
            for server in [state.current].compactMap(\.self) + state.leaving.values {
                sum.add(server.connections)
            }
            return sum
        }
    }

    /// Lets running requests come to their end, and closes.
    func stop() {
        let servers = state.withLock { state in
            let servers = [state.current].compactMap(\.self) + state.leaving.values
            state.current = nil
            return servers
        }
        for server in servers { server.stop() }
    }
}

extension HTTPServer.Connections {
    fileprivate mutating func add(_ other: HTTPServer.Connections) {
        open += other.open
        opened += other.opened
        ends.merge(other.ends) { $0 + $1 }
    }
}
