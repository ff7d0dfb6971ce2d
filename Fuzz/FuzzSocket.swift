import Foundation
import Glibc
import Synchronization

/// A server on a port of this machine whose answers are the parts of an input, byte by byte; behind
/// them it hangs up.
final class FuzzSocket: Sendable {
    let port: UInt16
    private let listener: Int32
    private let input = Mutex(Input(Data()))

    init() {
        let listener = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = UInt32(INADDR_LOOPBACK).bigEndian
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let isOpen = withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(listener, $0, length) == 0 && listen(listener, 64) == 0
                    && getsockname(listener, $0, &length) == 0
            }
        }
        demand(isOpen, "no socket listens")
        self.listener = listener
        port = UInt16(bigEndian: address.sin_port)
        Thread.detachNewThread { [self] in
            while true { answer() }
        }
    }

    /// Answers with these parts from now on.
    func take(_ answers: Input) {
        input.withLock { $0 = answers }
    }

    private func answer() {
        let connection = accept(listener, nil, nil)
        guard connection >= 0 else { return }
        defer { close(connection) }
        var received = Data()
        var buffer = [UInt8](repeating: 0, count: 1 << 16)
        while received.range(of: Data("\r\n\r\n".utf8)) == nil {
            let count = recv(connection, &buffer, buffer.count, 0)
            guard count > 0 else { return }
            received.append(contentsOf: buffer[..<count])
        }
        let answer = input.withLock { $0.part() }
        answer.withUnsafeBytes { bytes in
            _ = send(connection, bytes.baseAddress, bytes.count, Int32(MSG_NOSIGNAL))
        }
        shutdown(connection, Int32(SHUT_WR))
        // What the other side still sends would turn the end into a reset.
        var patience = timeval(tv_sec: 0, tv_usec: 2_000)
        setsockopt(
            connection, SOL_SOCKET, SO_RCVTIMEO, &patience,
            socklen_t(MemoryLayout<timeval>.size))
        while recv(connection, &buffer, buffer.count, 0) > 0 {}
    }
}
