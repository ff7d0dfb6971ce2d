import Foundation
import StoreHTTP
import StoreTestSupport
import Synchronization

/// A store on a real socket that passes requests on to an honest one, and lies where a test says.
final class LyingStore: Sendable {
    enum Lie: Sendable {
        /// The body of the honest answer with a change.
        case changed(@Sendable (Data) -> Data)
        /// The same, under the honest answer's `ETag` and `Cache-Control`.
        case disguised(@Sendable (Data) -> Data)
        /// Another answer; the honest store is not asked.
        case instead(status: Int, body: Data)
        /// These bytes, header and all.
        case bytes(String)
        /// A body that never ends.
        case endless
        /// A body of which a byte comes now and then.
        case dripping
    }

    fileprivate struct State {
        var lies: [String: [Lie]] = [:]
        var standing: [String: Lie] = [:]
        var asked: [String] = []
        var honest: [String: Data] = [:]
        var sent = 0
    }

    /// What the threads share.
    fileprivate final class Shared: Sendable {
        let state = Mutex(State())
        let port: UInt16

        init(port: UInt16) { self.port = port }
    }

    let address: String
    private let listener: Int32
    private let shared: Shared

    /// - Parameter store: what is true.
    init(before store: TestStore) throws {
        shared = Shared(port: store.server.port)
        let socket = try LoopbackListener()
        let descriptor = socket.descriptor
        listener = descriptor
        address = socket.address
        Thread.detachNewThread { [shared] in
            // Nobody else closes it: its number would be another's before this thread has ended.
            defer { close(descriptor) }
            while case let connection = accept(descriptor, nil, nil), connection >= 0 {
                Thread.detachNewThread { shared.serve(connection) }
            }
        }
    }

    deinit {
        // Lets the waiting `accept` go.
        shutdown(listener, Int32(SHUT_RDWR))
    }

    /// Lies to the next requests whose path ends so, one lie each; after that it is honest again.
    /// What ends in a slash stands for all paths with this folder.
    func tell(_ lies: [Lie], about path: String) {
        shared.state.withLock { $0.lies[path, default: []] += lies }
    }

    /// Lies to all requests whose path ends so; nil for the truth.
    func keepTelling(_ lie: Lie?, about path: String) {
        shared.state.withLock { $0.standing[path] = lie }
    }

    /// The body of the last honest answer to a request of this path, or below this folder.
    func truth(about path: String) -> Data? { shared.state.withLock { $0.honest[path] } }

    /// The targets of all requests whose path ends so.
    func requests(about path: String) -> [String] {
        shared.state.withLock { $0.asked }.filter { Shared.concerns(Shared.path(of: $0), path) }
    }

    /// How many bytes were sent that are not the honest store's.
    var bytesOfLies: Int { shared.state.withLock { $0.sent } }
}

extension LyingStore.Shared {
    static func path(of target: String) -> String {
        String(target.prefix { $0 != "?" })
    }

    static func concerns(_ path: String, _ part: String) -> Bool {
        part.hasSuffix("/") ? path.contains(part) : path.hasSuffix(part)
    }

    /// Answers one request; none follows it on the connection.
    fileprivate func serve(_ connection: Int32) {
        defer { close(connection) }
        guard let request = read(from: connection) else { return }
        let path = Self.path(of: request.target)
        let lie = state.withLock { state -> LyingStore.Lie? in
            state.asked.append(request.target)
            let next = state.lies.first { Self.concerns(path, $0.key) && !$0.value.isEmpty }
            if let next { return state.lies[next.key]?.removeFirst() }
            return state.standing.first { Self.concerns(path, $0.key) }?.value
        }
        switch lie {
        case nil:
            guard let answer = ask(request.bytes(isConditional: true)) else { return }
            if let parsed = try? LoopbackClient.parse(answer), parsed.status < 300 {
                let path = String(path.trimmingPrefix("/sandbox"))
                let folder = String(path[...(path.lastIndex(of: "/") ?? path.startIndex)])
                state.withLock { state in
                    state.honest[path] = parsed.data
                    state.honest[folder] = parsed.data
                }
            }
            _ = send(answer, over: connection)
        case .changed(let change):
            guard let answer = ask(request.bytes(isConditional: false)),
                let parsed = try? LoopbackClient.parse(answer)
            else { return }
            tell(status: parsed.status, body: change(parsed.data), over: connection)
        case .disguised(let change):
            guard let answer = ask(request.bytes(isConditional: false)),
                let parsed = try? LoopbackClient.parse(answer)
            else { return }
            let body = change(parsed.data)
            let fields = ["ETag", "Cache-Control"].compactMap { name in
                parsed.headers[name].map { "\(name): \($0)\r\n" }
            }
            let head = Self.head(
                status: parsed.status, length: body.count, fields: fields.joined())
            tell(head + body, over: connection)
        case .instead(let status, let body): tell(status: status, body: body, over: connection)
        case .bytes(let text): tell(Data(text.utf8), over: connection)
        case .endless:
            guard tell(Self.head(status: 200, length: nil), over: connection) else { return }
            let piece = Data(repeating: UInt8(ascii: " "), count: 1 << 16)
            while tell(piece, over: connection) {}
        case .dripping:
            guard tell(Self.head(status: 200, length: nil), over: connection) else { return }
            // On the connection's own thread: the slowness is the lie, and no test waits for it.
            while tell(Data(" ".utf8), over: connection) { usleep(2000) }
        }
    }

    private static func head(status: Int, length: Int?, fields: String = "") -> Data {
        let fields = fields + (length.map { "Content-Length: \($0)\r\n" } ?? "")
        return Data("HTTP/1.1 \(status) Lie\r\n\(fields)Connection: close\r\n\r\n".utf8)
    }

    private func tell(status: Int, body: Data, over connection: Int32) {
        tell(Self.head(status: status, length: body.count) + body, over: connection)
    }

    @discardableResult
    private func tell(_ bytes: Data, over connection: Int32) -> Bool {
        state.withLock { $0.sent += bytes.count }
        return send(bytes, over: connection)
    }

    // MARK: Sockets

    private struct Request {
        let line: String
        let fields: [String]
        let body: Data

        var target: String { line.split(separator: " ").dropFirst().first.map(String.init) ?? "" }

        /// As it goes on to the honest store, which closes the connection behind its answer.
        ///
        /// - Parameter isConditional: whether the store may say that nothing has changed.
        func bytes(isConditional: Bool) -> Data {
            let kept = fields.filter { field in
                let name = field.prefix { $0 != ":" }.lowercased()
                return name != "connection" && (isConditional || name != "if-none-match")
            }
            let lines = [line] + kept + ["Connection: close", "", ""]
            return Data(lines.joined(separator: "\r\n").utf8) + body
        }
    }

    private func read(from connection: Int32) -> Request? {
        var received = Data()
        var buffer = [UInt8](repeating: 0, count: 1 << 16)
        while true {
            let count = recv(connection, &buffer, buffer.count, 0)
            guard count > 0 else { return nil }
            received.append(contentsOf: buffer[..<count])
            guard let end = received.range(of: Data("\r\n\r\n".utf8)) else { continue }
            let lines = String(decoding: received[..<end.lowerBound], as: UTF8.self)
                .components(separatedBy: "\r\n")
            let length = lines.lazy.compactMap { line -> Int? in
                let parts = line.split(separator: ":")
                guard parts.count == 2, parts[0].lowercased() == "content-length" else {
                    return nil
                }
                return Int(parts[1].trimmingCharacters(in: .whitespaces))
            }.first
            let body = received[end.upperBound...]
            guard body.count >= length ?? 0, let line = lines.first else { continue }
            return Request(line: line, fields: Array(lines.dropFirst()), body: Data(body))
        }
    }

    private func ask(_ request: Data) -> Data? {
        guard let honest = try? LoopbackClient.connection(to: port) else { return nil }
        defer { close(honest) }
        guard send(request, over: honest) else { return nil }
        var answer = Data()
        var buffer = [UInt8](repeating: 0, count: 1 << 16)
        while case let count = recv(honest, &buffer, buffer.count, 0), count > 0 {
            answer.append(contentsOf: buffer[..<count])
        }
        return answer
    }

    private func send(_ bytes: Data, over connection: Int32) -> Bool {
        bytes.withUnsafeBytes { buffer in
            var rest = buffer[...]
            while !rest.isEmpty {
                let piece = UnsafeRawBufferPointer(rebasing: rest)
                let count = Glibc.send(
                    connection, piece.baseAddress, piece.count, Int32(MSG_NOSIGNAL))
                guard count > 0 else { return false }
                rest = rest.dropFirst(count)
            }
            return true
        }
    }
}
