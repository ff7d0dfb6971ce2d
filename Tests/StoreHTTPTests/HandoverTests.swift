import Foundation
import StoreHTTP
import StoreTestSupport
import Synchronization
import Testing

/// A server makes way for another on the same socket.
struct HandoverTests {
    private func start(
        _ socket: ListeningSocket, _ name: String, until gate: Gate? = nil
    ) throws -> HTTPServer {
        var configuration = HTTPServer.Configuration()
        configuration.socket = socket
        configuration.timeouts = .endless
        return try HTTPServer(
            configuration,
            handler: { request in
                .later {
                    if request.path == "/wait" { await gate?.pass() }
                    return HTTPResponse(status: 200, body: Data(name.utf8))
                }
            }, bodyTooLarge: { _, _ in HTTPResponse(status: 413) })
    }

    @Test func `new clients find the new server, and who waits is answered by the old one`()
        async throws
    {
        let socket = try ListeningSocket(host: "127.0.0.1", port: 0)
        let gate = Gate()
        let old = try start(socket, "old", until: gate)
        defer { old.stopAside() }
        let client = LoopbackClient(port: socket.port)
        #expect(old.port == socket.port)
        async let waiting = client.send(HTTPRequest(method: "GET", path: "/wait"))
        // Whatever fails, nobody waits for ever.
        defer { Task { await gate.open() } }
        try await until { old.connections.open >= 1 }
        let new = try start(socket, "new")
        defer { new.stopAside() }
        let (ended, ending) = AsyncStream<Void>.makeStream()
        old.retire { ending.yield() }
        for _ in 0..<20 {
            #expect(try await client.send(HTTPRequest(method: "GET", path: "/")).text == "new")
        }
        await gate.open()
        let answer = try await waiting
        #expect(answer.text == "old")
        #expect(answer.headers["Connection"]?.lowercased() == "close")
        for await _ in ended { break }
        try await onThread { old.stop() }
        #expect(try await client.send(HTTPRequest(method: "GET", path: "/")).text == "new")
    }

    @Test func `no client is turned away while servers make way for one another`() async throws {
        let socket = try ListeningSocket(host: "127.0.0.1", port: 0)
        let client = LoopbackClient(port: socket.port)
        var latest = try start(socket, "first")
        let clients = Task {
            try await withThrowingTaskGroup(of: Int.self) { clients in
                for _ in 0..<4 {
                    clients.addTask {
                        var count = 0
                        // One request more than it takes: none is cancelled halfway.
                        while !Task.isCancelled {
                            let answer = try await Task {
                                try await client.send(HTTPRequest(method: "GET", path: "/"))
                            }.value
                            try #require(answer.status == 200)
                            count += 1
                        }
                        return count
                    }
                }
                return try await clients.reduce(into: []) { $0.append($1) }
            }
        }
        for number in 1...40 {
            let old = latest
            latest = try start(socket, "\(number)")
            let (ended, ending) = AsyncStream<Void>.makeStream()
            old.retire { ending.yield() }
            for await _ in ended { break }
            try await onThread { old.stop() }
        }
        clients.cancel()
        let counts = try await clients.value
        #expect(counts.count == 4 && counts.allSatisfy { $0 > 0 })
        latest.stopAside()
    }

    @Test func `whoever finds no place waits until there is one`() async throws {
        let gate = Gate()
        let listening = try Listening(change: { $0.connectionLimit = 1 }) { request in
            .later {
                if request.path == "/wait" { await gate.pass() }
                return HTTPResponse(status: 200)
            }
        }
        async let first = listening.get("/wait")
        defer { Task { await gate.open() } }
        try await until { listening.server.connections.open == 1 }
        async let others = withThrowingTaskGroup(of: Int.self) { group in
            for _ in 0..<10 { group.addTask { try await listening.get("/").status } }
            return try await group.reduce(into: []) { $0.append($1) }
        }
        await gate.open()
        #expect(try await first.status == 200)
        #expect(try await others == [Int](repeating: 200, count: 10))
        #expect(listening.server.connections.opened == 11)
    }

    @Test func `a socket that is taken is a clear error`() throws {
        let first = try ListeningSocket(host: "127.0.0.1", port: 0)
        #expect {
            try ListeningSocket(host: "127.0.0.1", port: first.port)
        } throws: {
            "\($0)" == "cannot listen on 127.0.0.1:\(first.port): Address already in use"
        }
    }
}
