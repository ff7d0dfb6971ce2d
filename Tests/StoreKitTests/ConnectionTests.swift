import Foundation
import FoundationNetworking
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

/// Gives everything the same answer, and notes which connection a request came over.
private final class ConnectionServer: Sendable {
    let address: String
    private let listener: Int32
    private let seen: Notes

    private final class Notes: Sendable {
        let connections = Mutex<[Int]>([])
    }

    private static let usual = "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n{}"

    init(answer: String = usual) throws {
        let answer = Array(answer.utf8)
        let descriptor = socket(
            AF_INET, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        listener = descriptor
        var name = sockaddr_in()
        name.sin_family = sa_family_t(AF_INET)
        name.sin_addr.s_addr = inet_addr("127.0.0.1")
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let isBound = withUnsafeMutablePointer(to: &name) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { pointer in
                bind(descriptor, pointer, length) == 0 && listen(descriptor, 8) == 0
                    && getsockname(descriptor, pointer, &length) == 0
            }
        }
        try #require(isBound)
        address = "http://127.0.0.1:\(UInt16(bigEndian: name.sin_port))"
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
                Thread.detachNewThread { Self.serve(connection, number, notes, answer) }
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
        _ connection: Int32, _ number: Int, _ notes: Notes, _ answer: [UInt8]
    ) {
        defer { close(connection) }
        let isWhole = answer == Array(usual.utf8)
        var received = ""
        var buffer = [UInt8](repeating: 0, count: 4096)
        while true {
            let count = read(connection, &buffer, buffer.count)
            guard count > 0 else { return }
            received += String(decoding: buffer[..<count], as: UTF8.self)
            guard received.contains("\r\n\r\n") else { continue }
            received = ""
            notes.connections.withLock { $0.append(number) }
            let sent = send(connection, answer, answer.count, Int32(MSG_NOSIGNAL))
            // Nothing follows on what has no end by itself.
            guard sent == answer.count, isWhole else { return }
        }
    }
}
