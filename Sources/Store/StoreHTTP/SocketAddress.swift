import CStoreHTTP
import Foundation

/// A numeric IPv4 or IPv6 address with a port.
struct SocketAddress: Sendable {
    private var storage = sockaddr_storage()

    /// - Throws: `HTTPServerError` for a host that is not an address; `localhost` is
    ///   taken as 127.0.0.1.
    init(host: String, port: UInt16) throws {
        let host = host == "localhost" ? "127.0.0.1" : host
        var ipv4 = sockaddr_in()
        var ipv6 = sockaddr_in6()
        if inet_pton(AF_INET, host, &ipv4.sin_addr) == 1 {
            ipv4.sin_family = sa_family_t(AF_INET)
            ipv4.sin_port = port.bigEndian
            withUnsafeMutableBytes(of: &storage) { storage in
                withUnsafeBytes(of: &ipv4) { storage.copyMemory(from: $0) }
            }
        } else if inet_pton(AF_INET6, host, &ipv6.sin6_addr) == 1 {
            ipv6.sin6_family = sa_family_t(AF_INET6)
            ipv6.sin6_port = port.bigEndian
            withUnsafeMutableBytes(of: &storage) { storage in
                withUnsafeBytes(of: &ipv6) { storage.copyMemory(from: $0) }
            }
        } else {
            throw HTTPServerError(
                description:
                    "\"\(host)\" is not an address to listen on; use a numeric one such as 127.0.0.1 "
                    + "or 0.0.0.0")
        }
    }

    /// A copy; nil for addresses of another kind.
    init?(_ address: UnsafePointer<sockaddr>) {
        let family = Int32(address.pointee.sa_family)
        guard family == AF_INET || family == AF_INET6 else { return nil }
        storage.ss_family = address.pointee.sa_family
        let bytes = UnsafeRawBufferPointer(start: address, count: Int(length))
        withUnsafeMutableBytes(of: &storage) { $0.copyMemory(from: bytes) }
    }

    /// Where a socket is bound to; nil where it is not.
    init?(boundBy descriptor: Int32) {
        var size = socklen_t(MemoryLayout<sockaddr_storage>.size)
        let status = withUnsafeMutablePointer(to: &storage) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                getsockname(descriptor, $0, &size)
            }
        }
        guard status == 0 else { return nil }
    }

    /// Takes in somebody who has connected, without waiting for it.
    ///
    /// - Returns: the new socket is the caller's to close.
    static func next(at listener: Int32) -> Acceptor.Result {
        var storage = sockaddr_storage()
        var size = socklen_t(MemoryLayout<sockaddr_storage>.size)
        return withUnsafeMutablePointer(to: &storage) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { pointer in
                let descriptor = cstore_http_accept(listener, pointer, &size)
                guard descriptor >= 0 else {
                    let isNobody = [EAGAIN, ECONNABORTED, EINTR, EPROTO].contains(errno)
                    return isNobody ? .nobody : .exhausted
                }
                guard let address = SocketAddress(pointer) else {
                    close(descriptor)
                    return .nobody
                }
                return .accepted(descriptor: descriptor, address)
            }
        }
    }

    /// The address without its port; nil for addresses of another kind.
    var host: String? {
        var text = [CChar](repeating: 0, count: Int(NI_MAXHOST))
        let status = withPointer {
            getnameinfo($0, length, &text, socklen_t(text.count), nil, 0, NI_NUMERICHOST)
        }
        guard status == 0, family == AF_INET || family == AF_INET6 else { return nil }
        return String(decoding: text.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
    }

    var family: Int32 { Int32(storage.ss_family) }

    /// IPv4 and IPv6 have it in the same place.
    var port: UInt16 {
        withUnsafeBytes(of: storage) {
            UInt16(bigEndian: $0.loadUnaligned(fromByteOffset: 2, as: UInt16.self))
        }
    }

    /// Bytes of the address.
    var length: socklen_t {
        Int32(storage.ss_family) == AF_INET6
            ? socklen_t(MemoryLayout<sockaddr_in6>.size) : socklen_t(MemoryLayout<sockaddr_in>.size)
    }

    func withPointer<Result>(_ body: (UnsafePointer<sockaddr>) -> Result) -> Result {
        withUnsafePointer(to: storage) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1, body)
        }
    }
}
