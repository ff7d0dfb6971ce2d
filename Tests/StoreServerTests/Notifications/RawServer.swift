import Foundation
import Synchronization

/// A server on a loopback port that answers every connection with the same bytes, and closes it.
final class RawServer: Sendable {
    let port: UInt16
    private let listener: Int32
    private let count = Connections()

    private final class Connections: Sendable {
        let number = Mutex(0)
    }

    /// - Parameters:
    ///   - host: of the loopback's addresses.
    ///   - answer: what comes once something was sent.
    init(host: String = "127.0.0.1", _ answer: Data) throws {
        let isLong = host.contains(":")
        let socket = socket(
            isLong ? AF_INET6 : AF_INET, Int32(SOCK_STREAM.rawValue) | Int32(O_CLOEXEC), 0)
        listener = socket
        guard socket >= 0 else { throw POSIXError(.EIO) }
        var storage = sockaddr_storage()
        let size = try Self.fill(&storage, host, isLong)
        let isListening = withUnsafeMutablePointer(to: &storage) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
                var length = size
                return bind(socket, address, size) == 0 && listen(socket, 64) == 0
                    && getsockname(socket, address, &length) == 0
            }
        }
        guard isListening else { throw POSIXError(.EADDRNOTAVAIL) }
        // The port is at the same place in both kinds of addresses.
        port = withUnsafeBytes(of: &storage) {
            UInt16(bigEndian: $0.load(fromByteOffset: 2, as: UInt16.self))
        }
        Thread.detachNewThread { [listener, count] in
            Self.serve(answer, on: listener, counting: count)
        }
    }

    deinit {
        shutdown(listener, Int32(SHUT_RDWR))
        close(listener)
    }

    /// How many have connected.
    var connections: Int { count.number.withLock { $0 } }

    /// A port that nobody listens on.
    static func unusedPort() throws -> UInt16 {
        let server = try RawServer(Data())
        return server.port
    }

    private static func fill(
        _ storage: inout sockaddr_storage, _ host: String, _ isLong: Bool
    ) throws -> socklen_t {
        try withUnsafeMutableBytes(of: &storage) { bytes in
            if isLong {
                let address = bytes.baseAddress!.assumingMemoryBound(to: sockaddr_in6.self)
                address.pointee.sin6_family = sa_family_t(AF_INET6)
                guard inet_pton(AF_INET6, host, &address.pointee.sin6_addr) == 1 else {
                    throw POSIXError(.EINVAL)
                }
                return socklen_t(MemoryLayout<sockaddr_in6>.size)
            }
            let address = bytes.baseAddress!.assumingMemoryBound(to: sockaddr_in.self)
            address.pointee.sin_family = sa_family_t(AF_INET)
            guard inet_pton(AF_INET, host, &address.pointee.sin_addr) == 1 else {
                throw POSIXError(.EINVAL)
            }
            return socklen_t(MemoryLayout<sockaddr_in>.size)
        }
    }

    private static func serve(_ answer: Data, on listener: Int32, counting count: Connections) {
        while true {
            let client = accept(listener, nil, nil)
            guard client >= 0 else { return }
            count.number.withLock { $0 += 1 }
            var buffer = [UInt8](repeating: 0, count: 1 << 16)
            _ = recv(client, &buffer, buffer.count, 0)
            answer.withUnsafeBytes { bytes in
                _ = send(client, bytes.baseAddress, bytes.count, Int32(MSG_NOSIGNAL))
            }
            shutdown(client, Int32(SHUT_WR))
            close(client)
        }
    }
}
