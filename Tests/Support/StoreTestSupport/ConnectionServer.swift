import Foundation
import Synchronization

/// Gives everything the same answer, and notes what came, and over which connection.
package final class ConnectionServer: Sendable {
    /// What follows on an answer that has no end by itself.
    package enum Rest: Sendable {
        case nothing
        /// A byte, and after a while another one, until the client has gone.
        case dripping
        /// As many bytes as the client takes.
        case endless
    }

    package static let usual = "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n{}"
    /// A path at which there always is the usual answer.
    package static let other = "/other"

    package let address: String
    private let listener: Int32
    private let seen: Notes

    private final class Notes: Sendable {
        let requests = Mutex<[(connection: Int, text: String)]>([])
    }

    package init(answer: String = usual, behind rest: Rest = .nothing) throws {
        let bytes = Array(answer.utf8)
        let socket = try LoopbackListener()
        let descriptor = socket.descriptor
        listener = descriptor
        address = socket.address
        let notes = Notes()
        seen = notes
        Thread.detachNewThread {
            // Nobody else closes it: its number would be another's before this thread has ended.
            defer { close(descriptor) }
            var count = 0
            while true {
                let connection = accept(descriptor, nil, nil)
                guard connection >= 0 else { return }
                // A program that another test starts would keep it open.
                _ = fcntl(connection, F_SETFD, FD_CLOEXEC)
                count += 1
                let number = count
                Thread.detachNewThread { Self.serve(connection, number, notes, bytes, rest) }
            }
        }
    }

    deinit {
        // Lets the waiting `accept` go.
        shutdown(listener, Int32(SHUT_RDWR))
    }

    /// The number of the connection of each request, in their order.
    package var connections: [Int] { seen.requests.withLock { $0.map(\.connection) } }

    /// Each request with its body, as it came.
    package var requests: [String] { seen.requests.withLock { $0.map(\.text) } }

    private static func serve(
        _ connection: Int32, _ number: Int, _ notes: Notes, _ answer: [UInt8], _ rest: Rest
    ) {
        defer { close(connection) }
        var received = Data()
        var buffer = [UInt8](repeating: 0, count: 1 << 16)
        while true {
            let count = read(connection, &buffer, buffer.count)
            guard count > 0 else { return }
            received += buffer[..<count]
            guard isWhole(received) else { continue }
            let text = String(decoding: received, as: UTF8.self)
            let usual = Array(usual.utf8)
            let answer = text.hasPrefix("GET \(other) ") ? usual : answer
            received = Data()
            notes.requests.withLock { $0.append((number, text)) }
            let sent = send(connection, answer, answer.count, Int32(MSG_NOSIGNAL))
            guard sent == answer.count else { return }
            guard answer == usual else { return follow(connection, rest) }
        }
    }

    private static func isWhole(_ request: Data) -> Bool {
        guard let end = request.range(of: Data("\r\n\r\n".utf8)) else { return false }
        let header = String(decoding: request[..<end.lowerBound], as: UTF8.self).lowercased()
        if header.contains("transfer-encoding: chunked") {
            return request.suffix(5) == Data("0\r\n\r\n".utf8)
        }
        let length = header.firstMatch(of: /content-length: *([0-9]+)/).flatMap { Int($0.1) } ?? 0
        return request.endIndex - end.upperBound >= length
    }

    /// Sends what follows on an answer that has no end by itself.
    private static func follow(_ connection: Int32, _ rest: Rest) {
        let bytes = [UInt8](repeating: UInt8(ascii: " "), count: 1 << 16)
        while rest != .nothing {
            if rest == .dripping {
                // Comes back at once where the client has gone.
                var state = pollfd(fd: connection, events: Int16(POLLIN), revents: 0)
                guard poll(&state, 1, 20) == 0 else { return }
            }
            let count = rest == .dripping ? 1 : bytes.count
            guard send(connection, bytes, count, Int32(MSG_NOSIGNAL)) > 0 else { return }
        }
    }
}
