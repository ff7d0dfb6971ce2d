import Foundation

/// A socket on a free port of this machine, for servers that answer as no honest one does.
package struct LoopbackListener {
    /// For the server to close. No program inherits it: it would stay open when it is closed here.
    package let descriptor: Int32
    package let port: UInt16
    package var address: String { "http://127.0.0.1:\(port)" }

    /// - Throws: `LoopbackError` where there can't be one.
    package init() throws {
        let descriptor = socket(
            AF_INET, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        var name = sockaddr_in()
        name.sin_family = sa_family_t(AF_INET)
        name.sin_addr.s_addr = UInt32(0x7f00_0001).bigEndian
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let isBound = withUnsafeMutablePointer(to: &name) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { pointer in
                bind(descriptor, pointer, length) == 0 && listen(descriptor, 64) == 0
                    && getsockname(descriptor, pointer, &length) == 0
            }
        }
        guard isBound else {
            close(descriptor)
            throw LoopbackError("no socket can listen on this machine")
        }
        self.descriptor = descriptor
        port = UInt16(bigEndian: name.sin_port)
    }
}
