import Foundation
import StoreTestSupport
import Synchronization
import Testing

@testable import StoreTransport

/// What arrived so far.
final class ReceivedBody: Sendable {
    private let bytes = Mutex(Data())
    var data: Data { bytes.withLock { $0 } }
    func add(_ piece: UnsafeRawBufferPointer) { bytes.withLock { $0.append(contentsOf: piece) } }
}

@Suite(.timeLimit(.minutes(5))) struct HTTPClientTests {
    private let client = HTTPClient()

    private struct Refusal: Error, Equatable {}

    // MARK: What is sent

    @Test func `requests that follow one another share a connection`() async throws {
        let server = try ConnectionServer()
        for path in ["/a", "/b", "/c"] {
            let response = try await client.send(TransportRequest("GET", server.address + path))
            #expect(response.status == 200 && response.body == Data("{}".utf8))
        }
        #expect(server.connections == [1, 1, 1])
        try await onThread { [client] in
            for _ in 0..<2 {
                _ = try client.perform(
                    TransportRequest("GET", server.address), accept: { _ in }, sink: { _ in })
            }
        }
        #expect(server.connections == [1, 1, 1, 2, 2])
    }

    struct Body: Sendable {
        let method: String
        let body: TransportBody
        let sent: String
    }

    private static func counting(to count: UInt8) -> TransportBody.Source {
        let next = Mutex(UInt8(ascii: "0"))
        return { buffer in
            next.withLock { next in
                guard next < UInt8(ascii: "0") + count else { return 0 }
                buffer[0] = next
                next += 1
                return 1
            }
        }
    }

    @Test(arguments: SendMethod.allCases)
    func `a body is sent from memory, a file or a stream`(_ method: SendMethod) async throws {
        let folder = try TemporaryFolder()
        let file = try FileHandle(
            forReadingFrom: folder.write("body", Data("0123456789".utf8)))
        let bodies = [
            Body(method: "GET", body: .none, sent: ""), Body(method: "POST", body: .none, sent: ""),
            Body(method: "PUT", body: .data(Data("ab".utf8)), sent: "ab"),
            Body(method: "PATCH", body: .data(Data()), sent: ""),
            Body(
                method: "PUT", body: .file(descriptor: file.fileDescriptor, range: 3..<7),
                sent: "3456"),
            Body(
                method: "POST", body: .stream(length: 5, source: Self.counting(to: 5)),
                sent: "01234"),
        ]
        let server = try ConnectionServer()
        for (number, body) in bodies.enumerated() {
            let request = TransportRequest(
                body.method, server.address + "/../a%2f", headers: [("Content-Length", "99")],
                body: body.body)
            #expect(try await method.send(request, by: client).status == 200)
            let seen = server.requests[number]
            #expect(seen.hasPrefix("\(body.method) /../a%2f HTTP/1.1\r\n"))
            #expect(seen.hasSuffix("\r\n\r\n\(body.sent)"))
            #expect(!seen.contains("Expect:") && !seen.contains("Content-Type:"))
            let length = body.method == "GET" ? nil : "Content-Length: \(body.sent.utf8.count)\r\n"
            #expect(seen.contains(length ?? "\r\n") && !seen.contains("Content-Length: 99"))
        }
        withExtendedLifetime(file) {}
        let chunked = TransportRequest(
            "POST", server.address, body: .stream(length: nil, source: Self.counting(to: 3)))
        #expect(try await method.send(chunked, by: client).status == 200)
        let last = try #require(server.requests.last)
        #expect(last.contains("Transfer-Encoding: chunked\r\n"))
        #expect(last.hasSuffix("1\r\n2\r\n0\r\n\r\n"))
    }

    @Test func `a field begins no line of its own, and may be empty`() async throws {
        let server = try ConnectionServer()
        let fields = [
            ("X-A", "1\r\nX-B: 2"), ("X-C\n", "\u{0}3"), ("X-D", ""), ("Content-Type", "a/b"),
        ]
        _ = try await client.send(TransportRequest("POST", server.address, headers: fields))
        let lines = try #require(server.requests.first).components(separatedBy: "\r\n")
        for line in ["X-A: 1X-B: 2", "X-C: 3", "X-D:", "Content-Type: a/b"] {
            #expect(lines.contains(line))
        }
        #expect(!lines.contains("X-B: 2"))
    }

    @Test func `a body that can't be read ends the request`() async throws {
        let server = try ConnectionServer()
        let request = TransportRequest(
            "PUT", server.address, body: .stream(length: 5) { _ in throw Refusal() })
        await #expect(throws: Refusal()) { try await client.send(request) }
        let folder = try TemporaryFolder()
        let file = try FileHandle(forReadingFrom: folder.write("body", Data("ab".utf8)))
        for descriptor in [file.fileDescriptor, -1] {
            let request = TransportRequest(
                "PUT", server.address, body: .file(descriptor: descriptor, range: 0..<5))
            await #expect(throws: TransportError(.unreadableBody, "")) {
                try await client.send(request)
            }
        }
        withExtendedLifetime(file) {}
        #expect(server.requests.isEmpty)
    }

    // MARK: Limits

    @Test(arguments: SendMethod.allCases)
    func `a response that drips ends at its deadline`(_ method: SendMethod) async throws {
        let server = try ConnectionServer(answer: "HTTP/1.1 200 OK\r\n\r\n{", behind: .dripping)
        var request = TransportRequest("GET", server.address)
        request.limits.deadline = .milliseconds(200)
        let error = await #expect(throws: TransportError(.timedOut, "")) {
            try await method.send(request, by: client)
        }
        #expect(error?.response?.status == 200)
    }

    @Test(arguments: SendMethod.allCases)
    func `a response without an end is given up at the limit`(_ method: SendMethod) async throws {
        let server = try ConnectionServer(answer: "HTTP/1.1 404 No\r\n\r\n", behind: .endless)
        var request = TransportRequest("GET", server.address)
        request.limits.bodySize = 1 << 20
        let error = await #expect(throws: TransportError(.bodyTooLong, "")) {
            try await method.send(request, by: client)
        }
        #expect(error?.description == "The response has more than 1048576 bytes")
        #expect(error?.response?.status == 404)
    }

    @Test(arguments: SendMethod.allCases)
    func `a header without an end is given up at the limit`(_ method: SendMethod) async throws {
        let server = try ConnectionServer(
            answer: "HTTP/1.1 200 OK\r\n" + String(repeating: "X-A: b\r\n", count: 100_000))
        await #expect(throws: TransportError(.headerTooLong, "")) {
            try await method.send(TransportRequest("GET", server.address), by: client)
        }
    }

    struct Answer: Sendable {
        let text: String
        let code: TransportError.Code
    }

    @Test(arguments: [
        Answer(text: "", code: .noResponse), Answer(text: "garbage\r\n\r\n", code: .scheme),
        Answer(text: "HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nhalf", code: .truncated),
        Answer(
            text: "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n",
            code: .connectionLost),
    ])
    func `what is no response is an error`(_ answer: Answer) async throws {
        let server = try ConnectionServer(answer: answer.text)
        for method in SendMethod.allCases {
            await #expect(throws: TransportError(answer.code, "")) {
                try await method.send(TransportRequest("GET", server.address), by: client)
            }
        }
    }

    struct UnreachableAddress: Sendable {
        let url: String
        let code: TransportError.Code
    }

    @Test(arguments: [
        UnreachableAddress(url: "", code: .address),
        UnreachableAddress(url: "http://[::1", code: .address),
        UnreachableAddress(url: "file:///etc/passwd", code: .scheme),
        UnreachableAddress(url: "ftp://127.0.0.1", code: .scheme),
        UnreachableAddress(url: "http://no-such-host.invalid/", code: .hostNotFound),
        UnreachableAddress(url: "http://127.0.0.1:1/", code: .unreachable),
    ])
    func `where nothing can be reached, the error says why`(_ place: UnreachableAddress) async {
        var configuration = HTTPClient.Configuration()
        configuration.usesProxies = false
        await #expect(throws: TransportError(place.code, "")) {
            try await HTTPClient(configuration).send(TransportRequest("GET", place.url))
        }
    }

    // MARK: Where connections go

    @Test(arguments: SendMethod.allCases)
    func `an address that is not permitted is not connected to`(_ method: SendMethod) async throws {
        let server = try ConnectionServer()
        let asked = Mutex<[PeerAddress]>([])
        var configuration = HTTPClient.Configuration()
        configuration.usesProxies = false
        configuration.permit = { address in
            asked.withLock { $0.append(address) }
            if address.port != 1 { throw Refusal() }
        }
        let port = try #require(URL(string: server.address)?.port)
        await #expect(throws: Refusal()) {
            try await method.send(
                TransportRequest("GET", server.address), by: HTTPClient(configuration))
        }
        #expect(asked.withLock { $0 } == [PeerAddress(bytes: [127, 0, 0, 1], port: port)])
        #expect(server.requests.isEmpty)
    }

    @Test func `a client that speaks HTTPS only sends nothing in plain text`() async throws {
        let server = try ConnectionServer()
        var configuration = HTTPClient.Configuration()
        configuration.allowsPlainHTTP = false
        await #expect(throws: TransportError(.scheme, "")) {
            try await HTTPClient(configuration).send(TransportRequest("GET", server.address))
        }
        #expect(server.requests.isEmpty)
    }

    // MARK: Ends

    @Test(arguments: SendMethod.allCases, [true, false])
    func `what the caller throws ends the request`(
        _ method: SendMethod, inHeader: Bool
    ) async throws {
        let server = try ConnectionServer(answer: "HTTP/1.1 200 OK\r\n\r\n", behind: .endless)
        await #expect(throws: Refusal()) {
            try await refuse(
                TransportRequest("GET", server.address), method, inHeader: inHeader)
        }
    }

    private func refuse(
        _ request: TransportRequest, _ method: SendMethod, inHeader: Bool
    ) async throws {
        let accept: @Sendable (TransportResponse) throws -> Void = { _ in
            if inHeader { throw Refusal() }
        }
        let sink: @Sendable (UnsafeRawBufferPointer) throws -> Void = { _ in throw Refusal() }
        if method == .blocking {
            _ = try await onThread { [client] in
                try client.perform(request, accept: accept, sink: sink)
            }
        } else {
            _ = try await client.stream(request, accept: accept, sink: sink)
        }
    }

    @Test func `a cancelled task's request ends at once`() async throws {
        let server = try ConnectionServer(answer: "HTTP/1.1 200 OK\r\n\r\n{", behind: .dripping)
        let (arrivals, continuation) = AsyncStream<Void>.makeStream()
        let task = Task { [client] in
            try await client.stream(
                TransportRequest("GET", server.address), accept: { _ in },
                sink: { _ in continuation.yield() })
        }
        for await _ in arrivals { break }
        task.cancel()
        let result = await task.result
        #expect(throws: TransportError(.cancelled, "")) { try result.get() }
        // One that was cancelled before it began.
        let late = Task { [client] in
            withUnsafeCurrentTask { $0?.cancel() }
            return try await client.send(TransportRequest("GET", server.address))
        }
        let end = await late.result
        #expect(throws: TransportError(.cancelled, "")) { try end.get() }
    }
}
