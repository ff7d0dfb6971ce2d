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
        configuration.patience = .endless
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

    @Test func `a socket that is taken is a clear error`() throws {
        let first = try ListeningSocket(host: "127.0.0.1", port: 0)
        #expect {
            try ListeningSocket(host: "127.0.0.1", port: first.port)
        } throws: {
            "\($0)" == "cannot listen on 127.0.0.1:\(first.port): Address already in use"
        }
    }
}
