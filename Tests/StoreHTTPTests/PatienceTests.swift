import Foundation
import StoreHTTP
import StoreTestSupport
import Synchronization
import Testing

/// Who is slow on purpose loses the connection; the limits here are short, so that the tests are.
@Suite(.timeLimit(.minutes(2))) struct PatienceTests {
    private static let impatient = Patience(
        header: .milliseconds(200), grace: .milliseconds(200), bytesPerSecond: 100_000,
        look: .milliseconds(50))

    /// A client whose socket the test has in its hands.
    private final class Client: Sendable {
        let descriptor: Int32

        init(_ port: UInt16) throws {
            descriptor = try LoopbackClient.connection(to: port)
        }

        deinit { close(descriptor) }

        func send(_ text: String) -> Bool {
            let bytes = Array(text.utf8)
            return Glibc.send(descriptor, bytes, bytes.count, Int32(MSG_NOSIGNAL)) == bytes.count
        }

        /// Reads until the server closes, on a thread of its own; how many bytes there were.
        func readToEnd() async -> Int {
            await withCheckedContinuation { continuation in
                Thread.detachNewThread { [self] in
                    var (total, buffer) = (0, [UInt8](repeating: 0, count: 1 << 16))
                    while case let count = recv(descriptor, &buffer, buffer.count, 0), count > 0 {
                        total += count
                    }
                    continuation.resume(returning: total)
                }
            }
        }

        /// Sends one byte after the other until the server does not take them any more.
        func drip(_ byte: String) async {
            await withCheckedContinuation { (continuation: CheckedContinuation<Void, Never>) in
                Thread.detachNewThread { [self] in
                    while send(byte) {
                        var wait = pollfd(fd: descriptor, events: 0, revents: 0)
                        poll(&wait, 1, 20)
                    }
                    continuation.resume()
                }
            }
        }
    }

    private func listening(
        bodyLimit: Int = 1 << 20, answer: Int = 2,
        _ change: (inout HTTPServer.Configuration) -> Void = { _ in }
    ) throws -> Listening {
        try Listening(
            bodyLimit: bodyLimit,
            change: { configuration in
                configuration.patience = Self.impatient
                change(&configuration)
            }
        ) { _ in
            .now(HTTPResponse(status: 200, body: Data(count: answer)))
        }
    }

    @Test func `a header that never ends ends the connection`() async throws {
        let listening = try listening()
        let client = try Client(listening.server.port)
        #expect(client.send("GET / HTTP/1.1\r\nX: "))
        await client.drip("a")
        #expect(await client.readToEnd() == 0)
        #expect(listening.server.connections.ends == [.slowHeader: 1])
    }

    @Test func `who connects and says nothing is not waited for`() async throws {
        let listening = try listening()
        let client = try Client(listening.server.port)
        #expect(await client.readToEnd() == 0)
        #expect(listening.server.connections.ends == [.slowHeader: 1])
    }

    @Test func `a body that drips ends the connection`() async throws {
        let listening = try listening()
        let client = try Client(listening.server.port)
        #expect(client.send("POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 100000\r\n\r\n"))
        await client.drip("a")
        #expect(await client.readToEnd() == 0)
        #expect(listening.server.connections.ends == [.slowBody: 1])
    }

    @Test func `an answer that nobody reads ends the connection`() async throws {
        let length = 64 << 20
        let listening = try listening(answer: length)
        let client = try Client(listening.server.port)
        #expect(client.send("GET / HTTP/1.1\r\nHost: x\r\n\r\n"))
        // The server's word that it is gone; reading would be what the client does not do.
        while listening.server.connections.ends[.slowReader] == nil {
            var wait = pollfd(fd: client.descriptor, events: 0, revents: 0)
            poll(&wait, 1, 20)
        }
        #expect(await client.readToEnd() < length)
        #expect(listening.server.connections.ends == [.slowReader: 1])
    }

    @Test func `who reads and sends fast enough has all the time of a large body`() async throws {
        let listening = try listening(bodyLimit: 64 << 20, answer: 32 << 20)
        let body = Data(count: 32 << 20)
        let answer = try await listening.send(HTTPRequest(method: "POST", path: "/", body: body))
        #expect(answer.data.count == 32 << 20)
        #expect(listening.server.connections.ends.isEmpty)
    }

    @Test func `who waits for an answer is not slow`() async throws {
        let gate = Gate()
        let listening = try Listening(change: { $0.patience = Self.impatient }) { request in
            guard request.path == "/wait" else { return .now(HTTPResponse(status: 204)) }
            return .later {
                await gate.pass()
                return HTTPResponse(status: 200)
            }
        }
        async let waiting = listening.get("/wait")
        // Longer than everything that is measured: another client has lost its connection by then.
        let silent = try Client(listening.server.port)
        #expect(await silent.readToEnd() == 0)
        await gate.open()
        #expect(try await waiting.status == 200)
    }

    @Test func `one client has so many connections, and others theirs`() async throws {
        let listening = try listening { configuration in
            configuration.patience = .standard
            configuration.uncounted = .none
            configuration.proxies = .none
            configuration.connectionsPerClient = 3
        }
        let port = listening.server.port
        var held: [Client] = []
        for _ in 0..<3 {
            let client = try Client(port)
            #expect(client.send("GET / HTTP/1.1\r\nHost: x\r\n\r\n"))
            var first: UInt8 = 0
            #expect(recv(client.descriptor, &first, 1, 0) == 1)
            held.append(client)
        }
        let fourth = try Client(port)
        #expect(await fourth.readToEnd() == 0)
        #expect(listening.server.connections.ends == [.tooMany: 1])
        held.removeLast()
        // The place is free as soon as the server has seen the other one go.
        while listening.server.connections.open > 2 { await Task.yield() }
        #expect(try await listening.get("/").status == 200)
        withExtendedLifetime(held) {}
    }

    @Test func `proxies and this machine are not counted`() async throws {
        let listening = try listening { configuration in
            configuration.patience = .standard
            configuration.connectionsPerClient = 1
        }
        let first = try Client(listening.server.port)
        #expect(try await listening.get("/").status == 200)
        withExtendedLifetime(first) {}
        #expect(listening.server.connections.ends.isEmpty)
    }
}
