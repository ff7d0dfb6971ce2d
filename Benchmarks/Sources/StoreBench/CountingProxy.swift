import Foundation
import Synchronization

/// Something between a client and a server that counts the bytes that come from the server,
/// with the headers of HTTP.
final class CountingProxy: Sendable {
    private struct State {
        var target: UInt16 = 0
        var bytes = 0
    }

    let port: UInt16
    private let listener: Int32
    private let state = Mutex(State())

    /// Listens on a free port of the loopback.
    init() throws {
        (listener, port) = try Loopback.bind()
        guard listen(listener, 64) == 0 else { throw BenchFailure("no proxy: errno \(errno)") }
        Thread.detachNewThread { [self] in accept() }
    }

    /// Passes new connections on to another server.
    func turn(to target: UInt16) {
        state.withLock { $0.target = target }
    }

    /// Takes no more connections.
    func stop() {
        shutdown(listener, Int32(SHUT_RDWR))
    }

    /// Bytes since the last time.
    func takeBytes() -> Int {
        state.withLock { state in
            defer { state.bytes = 0 }
            return state.bytes
        }
    }

    private func accept() {
        while case let client = Glibc.accept(listener, nil, nil), client >= 0 {
            _ = fcntl(client, F_SETFD, FD_CLOEXEC)
            guard let server = Loopback.connect(state.withLock { $0.target }) else {
                close(client)
                continue
            }
            let ends = Mutex(2)
            let carry = { @Sendable [self] (source: Int32, sink: Int32, counts: Bool) in
                pass(from: source, to: sink, counts: counts)
                let isLast = ends.withLock { ends in
                    ends -= 1
                    return ends == 0
                }
                guard isLast else { return }
                close(client)
                close(server)
            }
            Thread.detachNewThread { carry(client, server, false) }
            Thread.detachNewThread { carry(server, client, true) }
        }
        close(listener)
    }

    private func pass(from source: Int32, to sink: Int32, counts: Bool) {
        let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 1 << 16, alignment: 1)
        defer { buffer.deallocate() }
        reading: while case let count = read(source, buffer.baseAddress, buffer.count), count > 0 {
            // Before the client has them: whoever asks afterwards sees all of them.
            if counts { state.withLock { $0.bytes += count } }
            var done = 0
            while done < count {
                let written = send(
                    sink, buffer.baseAddress! + done, count - done, Int32(MSG_NOSIGNAL))
                guard written > 0 else { break reading }
                done += written
            }
        }
        shutdown(source, Int32(SHUT_RDWR))
        shutdown(sink, Int32(SHUT_RDWR))
    }
}

/// Sockets of this machine.
enum Loopback {
    /// A socket with a free port.
    static func bind() throws -> (socket: Int32, port: UInt16) {
        let descriptor = make()
        var address = address(0)
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let isBound = withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { pointer in
                Glibc.bind(descriptor, pointer, length) == 0
                    && getsockname(descriptor, pointer, &length) == 0
            }
        }
        guard isBound else { throw BenchFailure("no free port: errno \(errno)") }
        return (descriptor, UInt16(bigEndian: address.sin_port))
    }

    /// Nil where nobody listens.
    static func connect(_ port: UInt16) -> Int32? {
        let descriptor = make()
        var address = address(port)
        let isConnected = withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { pointer in
                Glibc.connect(descriptor, pointer, socklen_t(MemoryLayout<sockaddr_in>.size)) == 0
            }
        }
        guard isConnected else {
            close(descriptor)
            return nil
        }
        return descriptor
    }

    /// Not for the programs that are started.
    private static func make() -> Int32 {
        socket(AF_INET, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
    }

    private static func address(_ port: UInt16) -> sockaddr_in {
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = inet_addr("127.0.0.1")
        address.sin_port = port.bigEndian
        return address
    }
}
