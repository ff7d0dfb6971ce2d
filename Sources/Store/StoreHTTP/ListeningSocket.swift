import CStoreHTTP
import Foundation

/// A socket that clients connect to, which several servers can have at the same time: one that
/// begins takes them over from one that leaves, and none is turned away in between.
package final class ListeningSocket: Sendable {
    /// A numeric address.
    package let host: String
    package let port: UInt16
    /// Whether it was there before this process, and goes on to listen when the process has ended:
    /// who connects in between waits for the next one.
    package let isInherited: Bool
    /// It doesn't block.
    let descriptor: Int32

    /// - Parameters:
    ///   - host: a numeric address.
    ///   - port: 0 asks for a free one.
    /// - Throws: `HTTPServerError` for an address that can't be bound.
    package init(host: String, port: UInt16) throws {
        let address = try SocketAddress(host: host, port: port)
        func failure() -> HTTPServerError {
            HTTPServerError(
                description: "cannot listen on \(host):\(port): \(String(cString: strerror(errno)))"
            )
        }
        let descriptor = socket(
            Int32(address.family), Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        guard descriptor >= 0 else { throw failure() }
        var yes: Int32 = 1
        let size = socklen_t(MemoryLayout<Int32>.size)
        setsockopt(descriptor, SOL_SOCKET, SO_REUSEADDR, &yes, size)
        if address.family == AF_INET6 {
            setsockopt(descriptor, Int32(IPPROTO_IPV6), IPV6_V6ONLY, &yes, size)
        }
        let isBound = address.withPointer { bind(descriptor, $0, address.length) } == 0
        guard isBound, listen(descriptor, 1024) == 0,
            let bound = SocketAddress(boundBy: descriptor)
        else {
            let failure = failure()
            close(descriptor)
            throw failure
        }
        _ = fcntl(descriptor, F_SETFL, O_NONBLOCK)
        self.descriptor = descriptor
        self.host = host
        self.port = bound.port
        isInherited = false
    }

    /// The socket that whoever started the process listens with, as systemd hands it over
    /// (`sd_listen_fds(3)`); nil where there is none.
    ///
    /// Each socket is taken once: programs that this process starts do not get it.
    ///
    /// - Throws: `HTTPServerError` where more than one was handed over, or what is no socket that
    ///   listens for TCP.
    package static func inherited(
        environment: [String: String] = ProcessInfo.processInfo.environment
    ) throws -> ListeningSocket? {
        guard environment["LISTEN_PID"].flatMap(Int32.init) == getpid(),
            let count = environment["LISTEN_FDS"].flatMap(Int32.init), count > 0
        else { return nil }
        unsetenv("LISTEN_PID")
        unsetenv("LISTEN_FDS")
        guard count == 1 else {
            throw HTTPServerError(
                description: "\(count) sockets were handed over in LISTEN_FDS; use one "
                    + "ListenStream= for each store")
        }
        // The first one that is handed over has this number, always.
        return try ListeningSocket(inherited: 3)
    }

    init(inherited descriptor: Int32) throws {
        var listens: Int32 = 0
        var size = socklen_t(MemoryLayout<Int32>.size)
        guard getsockopt(descriptor, SOL_SOCKET, SO_ACCEPTCONN, &listens, &size) == 0, listens == 1,
            let bound = SocketAddress(boundBy: descriptor), let host = bound.host
        else {
            throw HTTPServerError(
                description: "what LISTEN_FDS hands over is no socket that listens for TCP; use "
                    + "ListenStream= with an address and a port")
        }
        _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
        _ = fcntl(descriptor, F_SETFL, fcntl(descriptor, F_GETFL) | O_NONBLOCK)
        self.descriptor = descriptor
        self.host = host
        self.port = bound.port
        isInherited = true
    }

    deinit { close(descriptor) }

    /// Takes in somebody who has connected, without waiting for it.
    func next() -> Acceptor.Result { SocketAddress.next(at: descriptor) }

    /// Refuses who connects from now on.
    func shutDown() { shutdown(descriptor, Int32(SHUT_RDWR)) }
}
