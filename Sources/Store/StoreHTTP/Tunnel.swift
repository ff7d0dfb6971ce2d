import CStoreHTTP

/// Where clients end up that ask for a tunnel (`CONNECT`; RFC 9110, section 9.3.6), whatever
/// host and port they name.
///
/// libmicrohttpd reads the request and has no answer for it: its responses that give the socket
/// away have the status 101. So the socket is duplicated, the connection ended, and the
/// duplicate, which nobody else has any more, is served by another server.
package struct Tunnel: Sendable {
    private let server: @Sendable () -> HTTPServer?

    /// - Parameter server: where they end up now, to which nobody connects otherwise; nil for
    ///   nowhere.
    package init(to server: @escaping @Sendable () -> HTTPServer?) {
        self.server = server
    }

    /// Keeps a place for one more client.
    ///
    /// - Returns: the server that has it; nil where there is none.
    func reserve() -> HTTPServer? {
        server().flatMap { $0.reservePlace() ? $0 : nil }
    }
}

/// What stands beside a connection that may become a tunnel.
final class TunnelPlace: @unchecked Sendable {
    // Sendable: libmicrohttpd calls back for one connection from one thread at a time.

    /// Keeps a place for the client; nil for one who does not ask for a tunnel.
    var server: HTTPServer?
    /// Goes into the tunnel as soon as the connection has ended.
    var socket: ClientSocket?

    /// Called when a connection begins.
    static func make(in slot: UnsafeMutablePointer<UnsafeMutableRawPointer?>?) {
        slot?.pointee = Unmanaged.passRetained(TunnelPlace()).toOpaque()
    }

    /// Called when libmicrohttpd has let go of a connection's socket and is about to close it.
    static func leave(_ slot: UnsafeMutablePointer<UnsafeMutableRawPointer?>?) {
        guard let slot, let held = slot.pointee else { return }
        slot.pointee = nil
        let place = Unmanaged<TunnelPlace>.fromOpaque(held).takeRetainedValue()
        guard let server = place.server else { return }
        guard let socket = place.socket, socket.grant() else { return server.leavePlace() }
        server.adopt(socket)
    }

    static func of(_ connection: OpaquePointer) -> TunnelPlace? {
        cstore_http_socket_context(connection).map {
            Unmanaged<TunnelPlace>.fromOpaque($0).takeUnretainedValue()
        }
    }
}
