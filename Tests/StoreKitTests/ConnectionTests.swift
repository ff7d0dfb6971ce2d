import Foundation
import FoundationNetworking
import StoreTestSupport
import StoreWire
import Synchronization
import Testing

@testable import StoreKit

/// An answer as its bytes, of which the runner's lines show the beginning.
struct RawAnswer: Sendable, ExpressibleByStringLiteral, CustomTestStringConvertible {
    let text: String

    init(_ text: String) { self.text = text }
    init(stringLiteral text: String) { self.init(text) }

    var testDescription: String {
        "\(text.prefix(60).debugDescription), \(text.utf8.count) bytes"
    }
}

struct ConnectionsToTheStore {
    @Test func `requests that follow one another share a connection`() async throws {
        let server = try ConnectionServer()
        let transport = HTTPTransport()
        for path in [
            DeviceRoute.products, DeviceRoute.events, DeviceRoute.products, DeviceRoute.unfinished,
        ] {
            let url = try #require(URL(string: server.address + path))
            let (data, response) = try await transport.send(URLRequest(url: url))
            #expect(response.statusCode == 200 && data == Data("{}".utf8))
        }
        // Each connection by the order in which it came.
        #expect(server.connections == [1, 1, 1, 1])
    }

    /// Foundation's `URLSession` ends the process where a header is malformed.
    @Test(
        arguments: [
            "", "\r\n\r\n", "HTTP/1.1\r\n\r\n", "HTTQ/1.1 200 OK\r\n\r\n{}", "garbage",
            "HTTP/1.1 200 OK\r\nno field\r\nContent-Length: 2\r\n\r\n{}",
            "HTTP/1.1 2x0 OK\r\nContent-Length: 2\r\n\r\n{}",
            "HTTP/1.1 200 OK\r\nContent-Length: -2\r\n\r\n{}",
            "HTTP/1.1 200 OK\r\nContent-Length: 99\r\n\r\n{}",
            "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n",
            "HTTP/1.1 301 Moved\r\nLocation: file:///etc/passwd\r\nContent-Length: 0\r\n\r\n",
            "HTTP/1.1 302 Found\r\nLocation: /again\r\nContent-Length: 0\r\n\r\n",
            RawAnswer("HTTP/1.1 200 OK\r\n" + String(repeating: "X-A: b\r\n", count: 100_000)),
            RawAnswer(String(repeating: "HTTP/1.1 103 Early\r\n\r\n", count: 10_000) + usual),
        ] as [RawAnswer])
    func `an answer that is none is an error`(_ answer: RawAnswer) async throws {
        let server = try ConnectionServer(answer: answer.text)
        let url = try #require(URL(string: server.address + "/x"))
        await #expect(throws: URLError.self) {
            try await HTTPTransport().send(URLRequest(url: url))
        }
    }

    @Test(
        arguments: [
            "HTTP/1.1 200 OK\r\n: no name\r\nX: \u{1}\u{ff}\r\nContent-Length: 2\r\n\r\n{}",
            "HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n{}",
            "HTTP/1.1 200 OK\r\nConnection: close\r\n\r\n{}",
            "HTTP/1.1 200\r\nTransfer-Encoding: chunked\r\n\r\n2\r\n{}\r\n0\r\n\r\n",
        ] as [RawAnswer])
    func `an answer with odd lines is an answer`(_ answer: RawAnswer) async throws {
        let server = try ConnectionServer(answer: answer.text)
        let url = try #require(URL(string: server.address + "/x"))
        let (data, response) = try await HTTPTransport().send(URLRequest(url: url))
        #expect(response.statusCode == 200 && data == Data("{}".utf8))
    }

    /// Foundation's `URLSession` and libcurl take a connection on which bytes come for one that
    /// works.
    @Test func `an answer that drips ends at its deadline`() async throws {
        let server = try ConnectionServer(
            answer: "HTTP/1.1 200 OK\r\n\r\n{", behind: .dripping)
        var request = URLRequest(url: try #require(URL(string: server.address + "/x")))
        request.timeoutInterval = 0.1
        let error = await #expect(throws: URLError.self) {
            try await HTTPTransport(silence: 0.1).send(request, limit: 4096)
        }
        #expect(error?.code == .timedOut)
    }

    @Test func `an answer without an end is given up behind eight megabytes`() async throws {
        let server = try ConnectionServer(answer: "HTTP/1.1 200 OK\r\n\r\n", behind: .endless)
        let url = try #require(URL(string: server.address + "/x"))
        let error = await #expect(throws: URLError.self) {
            try await HTTPTransport().send(URLRequest(url: url))
        }
        #expect(error?.code == .dataLengthExceedsMaximum)
        #expect(error?.localizedDescription == "The answer has more than 8388608 bytes.")
    }

    @Test(arguments: [ConnectionServer.Rest.endless, .dripping])
    func `a redirection's body is not waited for`(_ rest: ConnectionServer.Rest) async throws {
        let server = try ConnectionServer(
            answer: "HTTP/1.1 302 Found\r\nLocation: \(ConnectionServer.other)\r\n\r\n",
            behind: rest)
        let url = try #require(URL(string: server.address + "/x"))
        let (data, response) = try await HTTPTransport().send(URLRequest(url: url))
        #expect(response.statusCode == 200 && data == Data("{}".utf8))
        #expect(response.url?.path == ConnectionServer.other)
    }

    @Test func `content has no deadline, but comes with a kilobyte a second`() {
        var request = URLRequest(url: URL(string: "https://store.example/")!)
        let content = TransferPace(limit: nil)
        #expect(content.deadline(of: request, sending: 0) == nil && content.leastSpeed == 1024)
        let answer = TransferPace(limit: 16 << 20)
        #expect(answer.deadline(of: request, sending: 1 << 20) == TimeInterval(60 + 1024 + 64))
        request.timeoutInterval = .infinity
        #expect(answer.deadline(of: request, sending: 0) == TimeInterval(3600 + 1024))
    }

    @Test func `what a request carries for its server is not shown to another one`() throws {
        var request = URLRequest(url: try #require(URL(string: "https://store.example/content/1")))
        for name in ["Authorization", DeviceRoute.grantHeader, "Range"] {
            request.setValue("x", forHTTPHeaderField: name)
        }
        func next(_ location: String, status: Int = 302) throws -> URLRequest? {
            let response = try #require(
                HTTPURLResponse(
                    url: request.url!, statusCode: status, httpVersion: nil,
                    headerFields: ["Location": location]))
            return try Redirection.request(after: request, response)
        }
        let other = try #require(try next("https://bucket.example/1?signature=2"))
        #expect(other.allHTTPHeaderFields == ["Range": "x"])
        let same = try #require(try next("/content/2"))
        #expect(same.url?.absoluteString == "https://store.example/content/2")
        #expect(same.allHTTPHeaderFields?.count == 3)
        #expect(throws: URLError.self) { try next("http://store.example/content/2") }
        #expect(try next("/elsewhere", status: 200) == nil)
        request.httpMethod = "POST"
        #expect(try next("/elsewhere") == nil)
        #expect(throws: URLError.self) { try next("https://other.example/", status: 307) }
    }
}

private let usual = "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n{}"

/// Gives everything the same answer, and notes which connection a request came over.
final class ConnectionServer: Sendable {
    /// What follows on an answer that has no end by itself.
    enum Rest: Sendable {
        case nothing
        /// A byte, and after a while another one, until the client has gone.
        case dripping
        /// As many bytes as the client takes.
        case endless
    }

    /// A path at which there always is the usual answer.
    static let other = "/other"

    let address: String
    private let listener: Int32
    private let seen: Notes

    private final class Notes: Sendable {
        let connections = Mutex<[Int]>([])
    }

    init(answer: String? = nil, behind rest: Rest = .nothing) throws {
        let answer = answer ?? usual
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

    /// The number of the connection of each request.
    var connections: [Int] { seen.connections.withLock { $0 } }

    private static func serve(
        _ connection: Int32, _ number: Int, _ notes: Notes, _ answer: [UInt8], _ rest: Rest
    ) {
        defer { close(connection) }
        var received = ""
        var buffer = [UInt8](repeating: 0, count: 4096)
        while true {
            let count = read(connection, &buffer, buffer.count)
            guard count > 0 else { return }
            received += String(decoding: buffer[..<count], as: UTF8.self)
            guard received.contains("\r\n\r\n") else { continue }
            let answer = received.hasPrefix("GET \(other) ") ? Array(usual.utf8) : answer
            received = ""
            notes.connections.withLock { $0.append(number) }
            let sent = send(connection, answer, answer.count, Int32(MSG_NOSIGNAL))
            guard sent == answer.count else { return }
            guard answer == Array(usual.utf8) else { return follow(connection, rest) }
        }
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
