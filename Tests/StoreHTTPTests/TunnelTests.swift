import Foundation
import StoreHTTP
import StoreTestSupport
import Synchronization
import Testing

@Suite(
    .enabled(if: CommandLineTool.openssl != nil && CommandLineTool.curl != nil))
struct TunnelTests {
    static let names = ["api.storekit.itunes.apple.com", "example.org", "127.0.0.1"]

    /// A server that speaks TLS, and one whose clients are sent there.
    private final class Tunnelled: Sendable {
        let target: HTTPServer
        let proxy: HTTPServer
        let test: TestCertificate
        let folder: TemporaryFolder
        let records: Records

        final class Records: Sendable {
            let list = Mutex<[HTTPServer.Record]>([])
        }

        /// - Parameters:
        ///   - limit: of tunnels.
        ///   - idleSeconds: for who asks for a tunnel.
        ///   - tunnelSeconds: for who has one.
        init(
            limit: Int = 100, idleSeconds: Int = 3600, tunnelSeconds: Int = 3600
        ) async throws {
            test = try await .shared(TunnelTests.names)
            folder = try TemporaryFolder()
            let records = Records()
            self.records = records
            var configuration = HTTPServer.Configuration(
                connectionLimit: limit, idleSeconds: tunnelSeconds, certificate: test.certificate)
            configuration.timeouts = .endless
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
            var own = HTTPServer.Configuration(threads: 1, idleSeconds: idleSeconds)
            own.timeouts = .endless
            proxy = try HTTPServer(
                own,
                handler: { _ in .now(HTTPResponse(status: 403)) },
                tunnel: Tunnel { [target] in target },
                bodyTooLarge: { _, _ in HTTPResponse(status: 413) },
                observe: { record in records.list.withLock { $0.append(record) } })
        }

        deinit {
            proxy.stopAside()
            target.stopAside()
        }

        func curl(_ arguments: [String]) async throws -> (status: Int32, output: String) {
            try await Curl.run(
                ["--cacert", test.root.path, "--proxy", "http://127.0.0.1:\(proxy.port)"]
                    + arguments, in: folder.url)
        }

        /// Sends bytes to the proxy, and gives what comes back until it closes.
        func exchange(_ text: String, then rest: String = "") async throws -> String {
            String(
                decoding: try await LoopbackClient(port: proxy.port)
                    .exchange(Data(text.utf8), then: Data(rest.utf8)), as: UTF8.self)
        }

        /// A client that has its tunnel, and does nothing with it.
        func idler(_ host: String = "example.org:443") async throws -> Idler {
            try await Idler(
                port: proxy.port, "CONNECT \(host) HTTP/1.1\r\nHost: \(host)\r\n\r\n")
        }
    }

    /// A connection that is held until its last user goes.
    private final class Idler: Sendable {
        private let descriptor: Int32
        let answer: String

        init(port: UInt16, _ request: String) async throws {
            let descriptor = try LoopbackClient.connection(to: port)
            self.descriptor = descriptor
            answer = try await onThread {
                // It waits for the server's limits, and has none of its own.
                var limit = timeval()
                setsockopt(
                    descriptor, SOL_SOCKET, SO_RCVTIMEO, &limit,
                    socklen_t(MemoryLayout<timeval>.size))
                _ = request.withCString { send(descriptor, $0, strlen($0), Int32(MSG_NOSIGNAL)) }
                var (answer, buffer) = (Data(), [UInt8](repeating: 0, count: 1000))
                while !answer.suffix(4).elementsEqual("\r\n\r\n".utf8) {
                    let count = recv(descriptor, &buffer, buffer.count, 0)
                    guard count > 0 else { break }
                    answer.append(contentsOf: buffer[..<count])
                }
                return String(decoding: answer, as: UTF8.self)
            }
        }

        deinit {
            close(descriptor)
        }

        /// Waits until the other side closes, which may say something about it first.
        ///
        /// - Returns: `false` where the connection has failed instead.
        func waitForEnd() async throws -> Bool {
            try await onThread { [self] in
                var (count, bytes) = (0, [UInt8](repeating: 0, count: 1000))
                repeat { count = recv(descriptor, &bytes, bytes.count, 0) } while count > 0
                return count == 0
            }
        }
    }

    @Test(arguments: ["api.storekit.itunes.apple.com", "example.org", "example.org:8443"])
    func `whatever host is named, the store answers`(host: String) async throws {
        let tunnelled = try await Tunnelled()
        let answer = try await tunnelled.curl(["https://\(host)/a/path"])
        #expect(answer.output == "\(host) /a/path 127.0.0.1")
        // What happened is noted by then.
        try await onThread { tunnelled.proxy.stop() }
        let records = tunnelled.records.list.withLock { $0 }
        #expect(records.map(\.method) == ["CONNECT"])
        #expect(records.map(\.path) == [host.contains(":") ? host : "\(host):443"])
        #expect(records.map(\.status) == [200])
    }

    @Test func `a tunnel carries several requests, and several tunnels at once`() async throws {
        let tunnelled = try await Tunnelled()
        let answers = try await withThrowingTaskGroup(of: String.self) { group in
            for number in 0..<8 {
                group.addTask {
                    try await tunnelled.curl([
                        "https://example.org/\(number)/{1,2,3}", "--write-out",
                        " %{num_connects};",
                    ]).output
                }
            }
            return try await group.reduce(into: [String]()) { $0.append($1) }
        }
        #expect(answers.count == 8)
        for answer in answers {
            // Only the first request of three makes a connection.
            let connections: [Substring] = answer.split(separator: ";").map { $0.suffix(1) }
            #expect(connections == ["1", "0", "0"])
        }
    }

    @Test func `another service of this machine is never reached`() async throws {
        let tunnelled = try await Tunnelled()
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
        let tunnelled = try await Tunnelled()
        let answer = try await tunnelled.exchange(request, then: "garbage\r\n\r\n")
        #expect(answer.hasPrefix("HTTP/1.1 200 Connection established\r\n\r\n"))
        #expect(!answer.dropFirst(39).contains("HTTP/1"))
        #expect(try await tunnelled.curl(["https://example.org/"]).output.contains("example.org"))
    }

    @Test func `what is no request for a tunnel is answered by the proxy itself`() async throws {
        let tunnelled = try await Tunnelled()
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
        let tunnelled = try await Tunnelled(limit: 2)
        let held = [try await tunnelled.idler(), try await tunnelled.idler()]
        #expect(held.allSatisfy { $0.answer.hasPrefix("HTTP/1.1 200 ") })
        let refused = try await tunnelled.exchange(
            "CONNECT example.org:443 HTTP/1.1\r\nHost: example.org\r\n\r\n")
        #expect(refused.hasPrefix("HTTP/1.1 503 "))
        #expect(refused.contains("Retry-After: 2\r\n"))
        withExtendedLifetime(held) {}
    }

    @Test func `who leaves makes room`() async throws {
        let tunnelled = try await Tunnelled(limit: 2)
        for _ in 0..<20 {
            try await until {
                try await tunnelled.idler().answer.hasPrefix("HTTP/1.1 200 ")
            }
        }
    }

    @Test func `a tunnel in which nothing happens is closed`() async throws {
        let tunnelled = try await Tunnelled(tunnelSeconds: 1)
        #expect(try await tunnelled.idler().waitForEnd())
        // And who does not wait for the answer before going on.
        let hasty = try await tunnelled.exchange(
            "CONNECT example.org:443 HTTP/1.1\r\nHost: example.org\r\n\r\nhasty")
        #expect(hasty.hasPrefix("HTTP/1.1 200 "))
    }

    @Test func `half of a request for a tunnel is not waited for`() async throws {
        let tunnelled = try await Tunnelled(idleSeconds: 1)
        // An error where the server was quicker than the client.
        let half = try? await tunnelled.exchange("CONNECT example.org:443 HTTP/1.1\r\nHo")
        #expect(half?.contains("200") != true)
    }

    @Test func `stopping ends the tunnels, and gives no more`() async throws {
        let tunnelled = try await Tunnelled()
        let held = try await tunnelled.idler()
        try await onThread { tunnelled.target.stop() }
        #expect(try await held.waitForEnd())
        let refused = try await tunnelled.exchange(
            "CONNECT example.org:443 HTTP/1.1\r\nHost: example.org\r\n\r\n")
        #expect(refused.hasPrefix("HTTP/1.1 503 "))
    }

    @Test func `descriptors of tunnels are closed`() async throws {
        let tunnelled = try await Tunnelled()
        for number in 0..<30 {
            _ = try await tunnelled.exchange(
                "CONNECT a:\(number) HTTP/1.1\r\nHost: a\r\n\r\n", then: "garbage\r\n\r\n")
        }
        // libmicrohttpd's threads close them soon.
        try await until { try Self.connections(at: tunnelled.proxy.port) == 0 }
    }

    /// How many connections that came to a port of this machine somebody has open (proc(5)).
    private static func connections(at port: UInt16) throws -> Int {
        let place = "0100007F:" + String(format: "%04X", Int(port))
        let table = try String(contentsOfFile: "/proc/net/tcp", encoding: .utf8)
        return table.split(separator: "\n").count { line in
            let fields = line.split(separator: " ").map { String($0) }
            // Own address, state and inode: `0A` listens, and what is closed has no inode.
            return fields.count > 9 && fields[1] == place && fields[3] != "0A" && fields[9] != "0"
        }
    }
}
