import Foundation

/// A port of this machine that nobody else is given: stores of a test listen at it, one after the
/// other, and what they are to find there again can't be somebody else.
///
/// It is bound here, and not listened at. Linux lets a server that reuses addresses (`SO_REUSEADDR`)
/// bind it as well, and chooses another one for who asks for a free port, and for who connects.
final class ReservedPort: Sendable {
    let number: UInt16
    private let descriptor: Int32

    /// - Throws: `POSIXError` where there is none.
    init() throws {
        descriptor = socket(
            AF_INET, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        guard descriptor >= 0 else { throw POSIXError(.EMFILE) }
        var yes: Int32 = 1
        setsockopt(
            descriptor, SOL_SOCKET, SO_REUSEADDR, &yes, socklen_t(MemoryLayout<Int32>.size))
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = UInt32(0x7f00_0001).bigEndian
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let file = descriptor
        let isBound = withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { pointer in
                bind(file, pointer, length) == 0 && getsockname(file, pointer, &length) == 0
            }
        }
        number = UInt16(bigEndian: address.sin_port)
        guard isBound else { throw POSIXError(.EADDRINUSE) }
    }

    deinit { close(descriptor) }
}
