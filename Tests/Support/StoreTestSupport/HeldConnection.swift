import Foundation

/// A connection to a server of this machine that stays open until it is let go.
package final class HeldConnection: Sendable {
    private let descriptor: Int32

    /// - Throws: `LoopbackError` where nobody listens.
    package init(port: UInt16) throws {
        descriptor = socket(
            AF_INET, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        address.sin_addr.s_addr = UInt32(0x7f00_0001).bigEndian
        let connected = withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
        guard connected == 0 else { throw LoopbackError("nobody listens at port \(port)") }
    }

    deinit { close(descriptor) }

    /// Sends a text, and gives what comes up to some words, the end of the connection, or the first
    /// piece where there are no words to wait for.
    package func exchange(_ text: String, until end: String = "") async -> String {
        let descriptor = descriptor
        // Blocks, so it must not run on one of the few threads that run tasks.
        return await withCheckedContinuation { continuation in
            Thread.detachNewThread {
                let bytes = Array(text.utf8)
                _ = send(descriptor, bytes, bytes.count, Int32(MSG_NOSIGNAL))
                var answer: [UInt8] = []
                var buffer = [UInt8](repeating: 0, count: 4096)
                repeat {
                    let count = recv(descriptor, &buffer, buffer.count, 0)
                    guard count > 0 else { break }
                    answer += buffer[..<count]
                } while !answer.suffix(end.utf8.count).elementsEqual(end.utf8)
                continuation.resume(returning: String(decoding: answer, as: UTF8.self))
            }
        }
    }
}
