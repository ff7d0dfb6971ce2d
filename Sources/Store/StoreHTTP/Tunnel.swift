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
        server().flatMap { $0.reserveSlot() ? $0 : nil }
    }
}
