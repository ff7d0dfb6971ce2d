import Foundation

/// One HTTP/1.1 connection over a plain socket: thousands of them cost nothing but their
/// descriptors, so that what is measured is the other side.
final class RawConnection {
    private let descriptor: Int32
    private let host: String
    private var received: [UInt8] = []

    init(_ url: URL) throws {
        host = "\(url.host ?? ""):\(url.port ?? 80)"
        descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue) | 0o2000000, 0)
        guard descriptor >= 0 else { throw BenchFailure("no socket: errno \(errno)") }
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = inet_addr(url.host ?? "")
        address.sin_port = UInt16(url.port ?? 80).bigEndian
        let result = withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { pointer in
                connect(descriptor, pointer, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
        guard result == 0 else { throw BenchFailure("\(host) can't be reached: errno \(errno)") }
    }

    deinit {
        close(descriptor)
    }

    func send(
        _ method: String, _ path: String, headers: [(String, String)], body: String = ""
    ) throws {
        var text = "\(method) \(path) HTTP/1.1\r\nHost: \(host)\r\n"
        for (name, value) in headers { text += "\(name): \(value)\r\n" }
        if !body.isEmpty { text += "Content-Length: \(body.utf8.count)\r\n" }
        let bytes = Array((text + "\r\n" + body).utf8)
        guard write(descriptor, bytes, bytes.count) == bytes.count else {
            throw BenchFailure("a request was not taken: errno \(errno)")
        }
    }

    /// Waits for a whole answer.
    ///
    /// - Returns: its status.
    func receive() throws -> Int {
        while true {
            if let end = headerEnd() {
                let head = String(decoding: received[..<end], as: UTF8.self)
                let lines = head.split(separator: "\r\n")
                let length =
                    lines.first { $0.lowercased().hasPrefix("content-length:") }
                    .flatMap { Int($0.dropFirst(15).drop { $0 == " " }) } ?? 0
                if received.count >= end + 4 + length {
                    received.removeFirst(end + 4 + length)
                    return lines.first?.split(separator: " ").dropFirst().first
                        .flatMap { Int($0) } ?? 0
                }
            }
            var buffer = [UInt8](repeating: 0, count: 16_384)
            let count = read(descriptor, &buffer, buffer.count)
            guard count > 0 else { throw BenchFailure("the connection has ended") }
            received += buffer[..<count]
        }
    }

    /// Whether an answer has come: without waiting, and without taking it.
    var isAnswered: Bool {
        var waiting = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
        return poll(&waiting, 1, 0) > 0
    }

    private func headerEnd() -> Int? {
        guard received.count >= 4 else { return nil }
        return (0...received.count - 4).first {
            received[$0] == 13 && received[$0 + 1] == 10 && received[$0 + 2] == 13
                && received[$0 + 3] == 10
        }
    }
}
