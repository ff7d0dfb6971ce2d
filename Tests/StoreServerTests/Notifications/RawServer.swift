import Foundation
import StoreTestSupport
import Synchronization

/// A server on a loopback port that answers every connection with the same bytes, and closes it.
final class RawServer: Sendable {
    let port: UInt16
    private let host: String
    private let listener: Listener

    /// The socket that clients come to. The thread that takes them in closes it: until then, its
    /// number can't become that of another socket.
    private final class Listener: Sendable {
        private let descriptor: Mutex<Int32?>
        private let count = Mutex(0)

        init(_ descriptor: Int32) {
            self.descriptor = Mutex(descriptor)
        }

        /// How many have connected.
        var connections: Int { count.withLock { $0 } }

        /// Lets the thread come to its end.
        func end() {
            descriptor.withLock { if let open = $0 { shutdown(open, Int32(SHUT_RDWR)) } }
        }

        func serve(_ answer: Data) {
            guard let listening = descriptor.withLock({ $0 }) else { return }
            while true {
                let client = accept(listening, nil, nil)
                guard client >= 0 else { break }
                count.withLock { $0 += 1 }
                RawServer.readRequest(from: client)
                answer.withUnsafeBytes { bytes in
                    _ = send(client, bytes.baseAddress, bytes.count, Int32(MSG_NOSIGNAL))
                }
                shutdown(client, Int32(SHUT_WR))
                close(client)
            }
            descriptor.withLock { $0 = nil }
            close(listening)
        }
    }

    /// - Parameters:
    ///   - host: of the loopback's addresses.
    ///   - answer: what comes once a request was sent.
    init(host: String = "127.0.0.1", _ answer: Data) throws {
        self.host = host
        let (descriptor, port) = try SilentPort.bound(host: host)
        guard listen(descriptor, 64) == 0 else {
            close(descriptor)
            throw POSIXError(.EADDRNOTAVAIL)
        }
        self.port = port
        let listener = Listener(descriptor)
        self.listener = listener
        Thread.detachNewThread { listener.serve(answer) }
    }

    deinit { listener.end() }

    /// How many have connected. To be asked once: it connects, too, and waits for its end, so that
    /// all who came before are counted by then.
    func strangers() async throws -> Int {
        let (host, port, listener) = (host, port, listener)
        return try await onThread {
            let descriptor = try SilentPort.socket(host: host)
            defer { close(descriptor) }
            let (storage, size) = try SilentPort.address(host: host, port: port)
            let isConnected = withUnsafePointer(to: storage) { pointer in
                pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
                    connect(descriptor, address, size) == 0
                }
            }
            guard isConnected else { throw POSIXError(.ECONNREFUSED) }
            shutdown(descriptor, Int32(SHUT_WR))
            var byte: UInt8 = 0
            while recv(descriptor, &byte, 1, 0) > 0 {}
            return listener.connections - 1
        }
    }

    /// Reads a request to its end: what is left in a socket that is closed takes the answer away
    /// from the other side.
    private static func readRequest(from client: Int32) {
        var (request, buffer) = (Data(), [UInt8](repeating: 0, count: 1 << 16))
        while !isWhole(request) {
            let count = recv(client, &buffer, buffer.count, 0)
            guard count > 0 else { return }
            request.append(contentsOf: buffer[..<count])
        }
    }

    private static func isWhole(_ request: Data) -> Bool {
        guard let end = request.range(of: Data("\r\n\r\n".utf8)) else { return false }
        let header = String(decoding: request[..<end.lowerBound], as: UTF8.self).lowercased()
        let length = header.firstMatch(of: /content-length: *([0-9]+)/).flatMap { Int($0.1) } ?? 0
        return request.endIndex - end.upperBound >= length
    }
}

/// A port that somebody has, so that nobody gets it who asks for a free one, and at which nobody
/// listens. A server that names the port may have it too.
final class SilentPort: Sendable {
    let number: UInt16
    private let descriptor: Int32

    init() throws {
        (descriptor, number) = try Self.bound(host: "127.0.0.1")
    }

    deinit { close(descriptor) }

    /// A socket that has a port of its own.
    static func bound(host: String) throws -> (descriptor: Int32, port: UInt16) {
        let descriptor = try socket(host: host)
        var yes: Int32 = 1
        setsockopt(
            descriptor, SOL_SOCKET, SO_REUSEADDR, &yes, socklen_t(MemoryLayout<Int32>.size))
        do {
            let (start, size) = try address(host: host, port: 0)
            var (storage, length) = (start, size)
            let isBound = withUnsafeMutablePointer(to: &storage) { pointer in
                pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
                    bind(descriptor, address, size) == 0
                        && getsockname(descriptor, address, &length) == 0
                }
            }
            guard isBound else { throw POSIXError(.EADDRNOTAVAIL) }
            // The port is at the same place in both kinds of addresses.
            let port = withUnsafeBytes(of: &storage) {
                UInt16(bigEndian: $0.load(fromByteOffset: 2, as: UInt16.self))
            }
            return (descriptor, port)
        } catch {
            close(descriptor)
            throw error
        }
    }

    static func socket(host: String) throws -> Int32 {
        let descriptor = Glibc.socket(
            host.contains(":") ? AF_INET6 : AF_INET,
            Int32(SOCK_STREAM.rawValue) | Int32(O_CLOEXEC), 0)
        guard descriptor >= 0 else { throw POSIXError(.EIO) }
        return descriptor
    }

    static func address(
        host: String, port: UInt16
    ) throws -> (sockaddr_storage, size: socklen_t) {
        var storage = sockaddr_storage()
        if host.contains(":") {
            var address = sockaddr_in6()
            address.sin6_family = sa_family_t(AF_INET6)
            address.sin6_port = port.bigEndian
            guard inet_pton(AF_INET6, host, &address.sin6_addr) == 1 else {
                throw POSIXError(.EINVAL)
            }
            withUnsafeMutableBytes(of: &storage) {
                $0.storeBytes(of: address, as: sockaddr_in6.self)
            }
            return (storage, socklen_t(MemoryLayout<sockaddr_in6>.size))
        }
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        guard inet_pton(AF_INET, host, &address.sin_addr) == 1 else { throw POSIXError(.EINVAL) }
        withUnsafeMutableBytes(of: &storage) { $0.storeBytes(of: address, as: sockaddr_in.self) }
        return (storage, socklen_t(MemoryLayout<sockaddr_in>.size))
    }
}
