import CStoreHTTP
import Foundation

/// A socket that clients connect to, which several servers can have at the same time: one that
/// begins takes them over from one that leaves, and none is turned away in between.
package final class ListeningSocket: Sendable {
    package let port: UInt16
    private let descriptor: Int32

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
        self.port = bound.port
    }

    deinit { close(descriptor) }

    /// A descriptor of its own for a server, which closes it; -1 where there can't be one.
    func duplicate() -> Int32 { fcntl(descriptor, F_DUPFD_CLOEXEC, 0) }
}
