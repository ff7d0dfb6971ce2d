import Foundation
import StoreHTTP
import StoreTestSupport
import Synchronization
import Testing

@Suite(
    .enabled(if: CommandLineTool.openssl != nil && CommandLineTool.curl != nil),
    .timeLimit(.minutes(5)))
struct TunnelTests {
    static let names = ["api.storekit.itunes.apple.com", "example.org", "127.0.0.1"]

    /// A server that speaks TLS, and one whose clients are sent there.
    private final class Tunnelled: Sendable {
        let target: HTTPServer
        let entrance: HTTPServer
        let test: TestCertificate
        let folder: TemporaryFolder
        let records: Records

        final class Records: Sendable {
            let list = Mutex<[HTTPServer.Record]>([])
        }

        init(limit: Int = 100, idleSeconds: Int = 60) throws {
            test = try TestCertificate(TunnelTests.names)
            folder = try TemporaryFolder()
            let records = Records()
            self.records = records
            var configuration = HTTPServer.Configuration(
                connectionLimit: limit, idleSeconds: idleSeconds, certificate: test.certificate)
            configuration.listens = false
            target = try HTTPServer(
                configuration,
                handler: { request in
                    let host = request.headers["Host"] ?? ""
                    return .now(
                        HTTPResponse(
                            status: 200,
                            body: Data("\(host) \(request.path) \(request.peer?.text ?? "")".utf8)))
                }, bodyTooLarge: { _, _ in HTTPResponse(status: 413) })
            entrance = try HTTPServer(
                HTTPServer.Configuration(threads: 1, idleSeconds: idleSeconds),
                handler: { _ in .now(HTTPResponse(status: 403)) },
                tunnel: Tunnel { [target] in target },
                bodyTooLarge: { _, _ in HTTPResponse(status: 413) },
                observe: { record in records.list.withLock { $0.append(record) } })
        }

        deinit {
            entrance.stop()
            target.stop()
        }

        func curl(_ arguments: [String]) async throws -> (status: Int32, output: String) {
            try await Curl.run(
                ["--cacert", test.root.path, "--proxy", "http://127.0.0.1:\(entrance.port)"]
                    + arguments, in: folder.url)
        }

        /// Sends bytes to the entrance, and gives what comes back until it closes.
        func exchange(_ text: String, then rest: String = "") async throws -> String {
            String(
                decoding: try await LoopbackClient(port: entrance.port)
                    .exchange(Data(text.utf8), then: Data(rest.utf8)), as: UTF8.self)
        }

        /// A client that has its tunnel, and does nothing with it.
        func idler(_ host: String = "example.org:443") throws -> Idler {
            try Idler(port: entrance.port, "CONNECT \(host) HTTP/1.1\r\nHost: \(host)\r\n\r\n")
        }
    }

    /// A connection that is held until its last user goes.
    private final class Idler: Sendable {
        private let descriptor: Int32
        let answer: String

        init(port: UInt16, _ request: String) throws {
            let descriptor = try LoopbackClient.connection(to: port)
            self.descriptor = descriptor
            var buffer = [UInt8](repeating: 0, count: 1000)
            _ = request.withCString { send(descriptor, $0, strlen($0), Int32(MSG_NOSIGNAL)) }
            let count = recv(descriptor, &buffer, buffer.count, 0)
            answer = String(decoding: buffer[..<max(0, count)], as: UTF8.self)
        }

        deinit {
            close(descriptor)
        }

        /// Waits until the other side closes, which may say something about it first.
        func waitForEnd() -> Bool {
            var bytes = [UInt8](repeating: 0, count: 1000)
            for _ in 0..<10 where recv(descriptor, &bytes, bytes.count, 0) == 0 { return true }
            return false
        }
    }

    @Test(arguments: ["api.storekit.itunes.apple.com", "example.org", "example.org:8443"])
    func `whatever host is named, the store answers`(host: String) async throws {
        let tunnelled = try Tunnelled()
        let answer = try await tunnelled.curl(["https://\(host)/a/path"])
        #expect(answer.output == "\(host) /a/path 127.0.0.1")
        tunnelled.entrance.stop()
        let records = tunnelled.records.list.withLock { $0 }
        #expect(records.map(\.method) == ["CONNECT"])
        #expect(records.map(\.path) == [host.contains(":") ? host : "\(host):443"])
        #expect(records.map(\.status) == [200])
    }

    @Test func `a tunnel carries several requests, and several tunnels at once`() async throws {
        let tunnelled = try Tunnelled()
        let answers = try await withThrowingTaskGroup(of: String.self) { group in
            for number in 0..<8 {
                group.addTask {
                    try await tunnelled.curl([
                        "https://example.org/\(number)/{1,2,3}", "--write-out",
                        " %{num_connects};",
                    ]).output
                }
            }
            return try await group.reduce(into: []) { $0.append($1) }
        }
        #expect(answers.count == 8)
        for answer in answers {
            // Only the first request of three makes a connection.
            #expect(answer.split(separator: ";").map { $0.suffix(1) } == ["1", "0", "0"])
        }
    }

    @Test func `another service of this machine is never reached`() async throws {
        let tunnelled = try Tunnelled()
        let other = try Listening { _ in
            .now(HTTPResponse(status: 200, body: Data("other".utf8)))
        }
        let target = "127.0.0.1:\(other.server.port)"
        let raw = try await tunnelled.exchange(
            "CONNECT \(target) HTTP/1.1\r\nHost: \(target)\r\n\r\n",
            then: "GET / HTTP/1.1\r\nHost: \(target)\r\n\r\n")
        #expect(raw.hasPrefix("HTTP/1.1 200 Connection established\r\n\r\n"))
        #expect(!raw.contains("other"))
        #expect(
            try await tunnelled.curl(["https://\(target)/x"]).output == "\(target) /x 127.0.0.1")
    }

    @Test(arguments: [
        "CONNECT / HTTP/1.1\r\nHost: x\r\n\r\n", "CONNECT * HTTP/1.0\r\n\r\n",
        "CONNECT :0 HTTP/1.0\r\n\r\n", "CONNECT http://a/ HTTP/1.0\r\n\r\n",
        "CONNECT a:443 HTTP/1.0\r\nContent-Length: 3\r\n\r\n",
        "CONNECT a:443 HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n",
        "CONNECT a:443 HTTP/1.1\r\nHost: a\r\nExpect: 100-continue\r\n\r\n",
    ])
    func `an odd target is a tunnel like others, and garbage ends it`(
        request: String
    ) async throws {
        let tunnelled = try Tunnelled()
        let answer = try await tunnelled.exchange(request, then: "garbage\r\n\r\n")
        #expect(answer.hasPrefix("HTTP/1.1 200 Connection established\r\n\r\n"))
        #expect(!answer.dropFirst(39).contains("HTTP/1"))
        #expect(try await tunnelled.curl(["https://example.org/"]).output.contains("example.org"))
    }

    @Test func `what is no request for a tunnel is answered by the entrance itself`() async throws {
        let tunnelled = try Tunnelled()
        let answer = try await tunnelled.exchange(
            "GET http://example.org/ HTTP/1.1\r\nHost: example.org\r\nConnection: close\r\n\r\n")
        #expect(answer.hasPrefix("HTTP/1.1 403 "))
        // On the same connection, the next request may be one for a tunnel.
        let both = try await tunnelled.exchange(
            "GET / HTTP/1.1\r\nHost: a\r\n\r\nCONNECT a:443 HTTP/1.1\r\nHost: a\r\n\r\n",
            then: "garbage\r\n\r\n")
        #expect(both.hasPrefix("HTTP/1.1 403 "))
        #expect(both.contains("\r\n\r\nHTTP/1.1 200 Connection established\r\n\r\n"))
    }

    @Test func `no more tunnels are granted than there is room for`() async throws {
        let tunnelled = try Tunnelled(limit: 2)
        let held = try (0..<2).map { _ in try tunnelled.idler() }
        #expect(held.allSatisfy { $0.answer.hasPrefix("HTTP/1.1 200 ") })
        let refused = try await tunnelled.exchange(
            "CONNECT example.org:443 HTTP/1.1\r\nHost: example.org\r\n\r\n")
        #expect(refused.hasPrefix("HTTP/1.1 503 "))
        #expect(refused.contains("Retry-After: 2\r\n"))
        withExtendedLifetime(held) {}
    }

    @Test func `who leaves makes room`() async throws {
        let tunnelled = try Tunnelled(limit: 2)
        for _ in 0..<20 {
            try await Self.wait { try tunnelled.idler().answer.hasPrefix("HTTP/1.1 200 ") }
        }
    }

    @Test func `a tunnel in which nothing happens is closed`() async throws {
        let tunnelled = try Tunnelled(idleSeconds: 1)
        #expect(try tunnelled.idler().waitForEnd())
        // Half of a request for one, too.
        let half = try await tunnelled.exchange("CONNECT example.org:443 HTTP/1.1\r\nHo")
        #expect(!half.contains("200"))
        // And who does not wait for the answer before going on.
        let hasty = try await tunnelled.exchange(
            "CONNECT example.org:443 HTTP/1.1\r\nHost: example.org\r\n\r\nhasty")
        #expect(hasty.hasPrefix("HTTP/1.1 200 "))
    }

    @Test func `stopping ends the tunnels, and gives no more`() async throws {
        let tunnelled = try Tunnelled()
        let held = try tunnelled.idler()
        tunnelled.target.stop()
        #expect(held.waitForEnd())
        let refused = try await tunnelled.exchange(
            "CONNECT example.org:443 HTTP/1.1\r\nHost: example.org\r\n\r\n")
        #expect(refused.hasPrefix("HTTP/1.1 503 "))
    }

    @Test func `descriptors of tunnels are closed`() async throws {
        let tunnelled = try Tunnelled()
        let before = try Self.sockets()
        for number in 0..<30 {
            _ = try await tunnelled.exchange(
                "CONNECT a:\(number) HTTP/1.1\r\nHost: a\r\n\r\n", then: "garbage\r\n\r\n")
        }
        // Other tests of this process have some, too, but not thirty more.
        try await Self.wait { try Self.sockets() < before + 25 }
    }

    private static func sockets() throws -> Int {
        try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").count
    }

    /// For what libmicrohttpd's threads do soon.
    private static func wait(until isSo: () throws -> Bool) async throws {
        for _ in 0..<500 {
            if try isSo() { return }
            try await Task.sleep(for: .milliseconds(10))
        }
        Issue.record("waited in vain")
    }
}
