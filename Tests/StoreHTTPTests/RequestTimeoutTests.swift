import Foundation
import StoreHTTP
import StoreTestSupport
import Synchronization
import Testing

/// Who is slow on purpose loses the connection. The limit that a test waits for is short; the others
/// are out of reach, for on a busy machine everybody is slow at times.
struct RequestTimeoutTests {
    private static let look = Duration.milliseconds(250)
    private static let headers = RequestTimeouts(
        header: .milliseconds(200), grace: .seconds(3600), look: look)
    private static let bodies = RequestTimeouts(
        header: .seconds(3600), grace: .milliseconds(200), bytesPerSecond: 100_000, look: look)
    /// However fast the network takes what it can hold, it is not fast enough.
    private static let answers = RequestTimeouts(
        header: .seconds(3600), grace: .milliseconds(200), bytesPerSecond: 1 << 40, look: look)
    /// Ends who sends or reads nothing for a second; any byte in that time is enough for long.
    private static let standstills = RequestTimeouts(
        header: .seconds(3600), grace: .milliseconds(100), bytesPerSecond: 1,
        look: .milliseconds(50))

    /// A client whose socket the test has in its hands.
    private final class Client: Sendable {
        private let descriptor: Int32

        init(_ port: UInt16) throws {
            descriptor = try LoopbackClient.connection(to: port)
            // It waits for the server's limits, and has none of its own.
            var limit = timeval()
            setsockopt(
                descriptor, SOL_SOCKET, SO_RCVTIMEO, &limit, socklen_t(MemoryLayout<timeval>.size))
        }

        deinit { close(descriptor) }

        func send(_ text: String) -> Bool {
            let bytes = Array(text.utf8)
            return Glibc.send(descriptor, bytes, bytes.count, Int32(MSG_NOSIGNAL)) == bytes.count
        }

        /// Whether a byte of an answer comes.
        func readByte() async throws -> Bool {
            try await onThread { [self] in
                var first: UInt8 = 0
                return recv(descriptor, &first, 1, 0) == 1
            }
        }

        /// Reads until the server closes; how many bytes there were.
        ///
        /// - Parameter isEnough: until it is so, it reads little at a time.
        func readToEnd(
            slowlyUntil isEnough: @escaping @Sendable () -> Bool = { true }
        ) async throws -> Int {
            try await onThread { [self] in
                var (total, buffer) = (0, [UInt8](repeating: 0, count: 1 << 16))
                while true {
                    let isSlow = !isEnough()
                    let count = recv(descriptor, &buffer, isSlow ? 1 << 14 : buffer.count, 0)
                    guard count > 0 else { return total }
                    total += count
                    if isSlow { usleep(5_000) }
                }
            }
        }

        /// Sends one byte after the other until the server does not take them any more.
        func drip(_ byte: String) async throws {
            try await onThread { [self] in
                while send(byte) { usleep(20_000) }
            }
        }

        private static let chunk = "1000\r\n" + String(repeating: "a", count: 0x1000) + "\r\n"

        /// Begins a request whose body comes in chunks, with the first of them: from then on there
        /// is time for the next one, however slow the machine is.
        func beginChunks() -> Bool {
            send(
                "POST / HTTP/1.1\r\nHost: x\r\nConnection: close\r\n"
                    + "Transfer-Encoding: chunked\r\n\r\n" + Self.chunk)
        }

        /// Sends chunks of a body until something is so, and then the last one.
        ///
        /// - Returns: whether the server took them.
        func sendChunks(until isEnough: @escaping @Sendable () -> Bool) async throws -> Bool {
            try await onThread { [self] in
                while !isEnough() {
                    guard send(Self.chunk) else { return false }
                    usleep(5_000)
                }
                return send("0\r\n\r\n")
            }
        }
    }

    private func listening(
        _ timeouts: RequestTimeouts = .endless, bodyLimit: Int = 1 << 20, answer: Int = 2,
        _ change: (inout HTTPServer.Configuration) -> Void = { _ in }
    ) throws -> Listening {
        try Listening(
            bodyLimit: bodyLimit,
            change: { configuration in
                configuration.timeouts = timeouts
                change(&configuration)
            }
        ) { _ in
            .now(HTTPResponse(status: 200, body: Data(count: answer)))
        }
    }

    @Test func `a header that never ends ends the connection`() async throws {
        let listening = try listening(Self.headers)
        let client = try Client(listening.server.port)
        #expect(client.send("GET / HTTP/1.1\r\nX: "))
        try await client.drip("a")
        #expect(try await client.readToEnd() == 0)
        #expect(listening.server.connections.ends == [.slowHeader: 1])
    }

    @Test func `who connects and says nothing is not waited for`() async throws {
        let listening = try listening(Self.headers)
        let client = try Client(listening.server.port)
        #expect(try await client.readToEnd() == 0)
        #expect(listening.server.connections.ends == [.slowHeader: 1])
    }

    /// A client that has announced a body.
    private func sender(to listening: Listening) throws -> Client {
        let client = try Client(listening.server.port)
        #expect(client.send("POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 100000\r\n\r\n"))
        return client
    }

    @Test func `a body that drips ends the connection`() async throws {
        let listening = try listening(Self.bodies)
        let client = try sender(to: listening)
        try await client.drip("a")
        #expect(try await client.readToEnd() == 0)
        #expect(listening.server.connections.ends == [.slowBody: 1])
    }

    @Test func `an answer that nobody reads ends the connection`() async throws {
        let length = 64 << 20
        let listening = try listening(Self.answers, answer: length)
        let client = try Client(listening.server.port)
        #expect(client.send("GET / HTTP/1.1\r\nHost: x\r\n\r\n"))
        // The server's word that it is gone; reading would be what the client does not do.
        try await until { listening.server.connections.ends[.slowReader] != nil }
        #expect(try await client.readToEnd() < length)
        #expect(listening.server.connections.ends == [.slowReader: 1])
    }

    @Test func `who reads and sends fast enough has all the time of a large body`() async throws {
        let length = 32 << 20
        let listening = try listening(Self.standstills, bodyLimit: 1 << 30, answer: length)
        let server = listening.server
        @Sendable func ended() -> Int { server.connections.ends[.slowBody, default: 0] }
        let client = try Client(server.port)
        #expect(client.beginChunks())
        // The time is over when somebody who came later, and stands still, has been ended.
        let first = try sender(to: listening)
        #expect(try await client.sendChunks { ended() > 0 })
        let before = ended()
        let second = try sender(to: listening)
        #expect(try await client.readToEnd { ended() > before } > length)
        #expect(Set(server.connections.ends.keys) == [.slowBody])
        withExtendedLifetime((first, second)) {}
    }

    @Test func `who waits for an answer is not slow`() async throws {
        let (arrived, leaving) = (Gate(), Gate())
        let listening = try Listening(change: { $0.timeouts = Self.standstills }) { request in
            guard request.path == "/wait" else { return .now(HTTPResponse(status: 204)) }
            return .later {
                await arrived.open()
                await leaving.pass()
                return HTTPResponse(status: 200)
            }
        }
        async let waiting = listening.get("/wait")
        // Whatever fails, nobody waits for ever.
        defer { Task { await leaving.open() } }
        await arrived.pass()
        // Longer than everything that is measured: another client has lost its connection by then.
        let silent = try sender(to: listening)
        #expect(try await silent.readToEnd() == 0)
        await leaving.open()
        #expect(try await waiting.status == 200)
    }

    @Test func `one client has so many connections, and others theirs`() async throws {
        let listening = try listening { configuration in
            configuration.uncounted = .none
            configuration.proxies = .none
            configuration.connectionsPerClient = 3
        }
        let port = listening.server.port
        var held: [Client] = []
        for _ in 0..<3 {
            let client = try Client(port)
            #expect(client.send("GET / HTTP/1.1\r\nHost: x\r\n\r\n"))
            #expect(try await client.readByte())
            held.append(client)
        }
        let fourth = try Client(port)
        #expect(try await fourth.readToEnd() == 0)
        #expect(listening.server.connections.ends == [.tooMany: 1])
        held.removeLast()
        // The place is free as soon as the server has seen the other one go.
        try await until { listening.server.connections.open <= 2 }
        #expect(try await listening.get("/").status == 200)
        withExtendedLifetime(held) {}
    }

    @Test func `proxies and this machine are not counted`() async throws {
        let listening = try listening { $0.connectionsPerClient = 1 }
        let first = try Client(listening.server.port)
        #expect(try await listening.get("/").status == 200)
        withExtendedLifetime(first) {}
        #expect(listening.server.connections.ends.isEmpty)
    }
}
