import Foundation
import FoundationNetworking
import StoreTestSupport
import StoreTransport
import StoreWire
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
            RawAnswer(
                String(repeating: "HTTP/1.1 103 Early\r\n\r\n", count: 10_000)
                    + ConnectionServer.usual),
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
        #expect(error?.localizedDescription == "The response has more than 8388608 bytes")
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
        let content = TransportRequest(request, silence: 60, limit: nil).limits
        #expect(content.deadline == nil && content.minimumSpeed == 1024)
        request.httpBody = Data(count: 1 << 20)
        let answer = TransportRequest(request, silence: 60, limit: 16 << 20).limits
        #expect(answer.deadline == .seconds(60 + 1024 + 64) && answer.minimumSpeed == 1)
        request.httpBody = nil
        request.timeoutInterval = .infinity
        let patient = TransportRequest(request, silence: 60, limit: 16 << 20).limits
        #expect(patient.deadline == .seconds(3600 + 1024) && patient.idleTimeout == .seconds(3600))
    }

    @Test func `a body that is a stream is sent as long as its header says`() async throws {
        let server = try ConnectionServer()
        var request = URLRequest(url: try #require(URL(string: server.address + "/x")))
        request.httpMethod = "PUT"
        request.httpBodyStream = InputStream(data: Data("0123".utf8))
        request.setValue("4", forHTTPHeaderField: "Content-Length")
        let (_, response) = try await HTTPTransport().send(request)
        #expect(response.statusCode == 200)
        let seen = try #require(server.requests.first)
        #expect(seen.contains("Content-Length: 4\r\n") && seen.hasSuffix("\r\n\r\n0123"))
    }
}
