import Foundation
import StoreCore
import StoreHTTP
import StoreServer
import StoreTestSupport
import Testing

struct WebhookClientTests {
    private let client = NotificationFixture.connection()
    private let body = Data(#"{"signedPayload":"a.b.c"}"#.utf8)

    private func post(_ answer: String) async throws -> SendOutcome? {
        let server = try RawServer(Data(answer.utf8))
        return await client.post(body, to: "http://127.0.0.1:\(server.port)/")
    }

    @Test(arguments: [
        ("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n", SendResult.success, Optional(200)),
        ("HTTP/1.1 206 Partial\r\nContent-Length: 0\r\n\r\n", .success, 206),
        ("HTTP/1.1 207 Multi\r\nContent-Length: 0\r\n\r\n", .unsuccessfulStatus, 207),
        ("HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\n\r\n", .unsuccessfulStatus, 404),
        (
            "HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n", .success,
            200
        ),
        ("HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nhalf", .prematureClose, 200),
        ("", .noResponse, nil),
        ("garbage\r\n\r\n", .invalidResponse, nil),
        ("HTTP/9.9 200 OK\r\n\r\n", .invalidResponse, nil),
        ("HTTP/1.1 200 OK\r\nContent-Encoding: zip\r\nContent-Length: 2\r\n\r\nab", .success, 200),
    ])
    func `an answer tells how it ended`(
        answer: String, result: SendResult, status: Int?
    ) async throws {
        let outcome = try #require(try await post(answer))
        #expect(outcome.result == result)
        #expect(outcome.status == status)
        #expect(outcome.detail.isEmpty == (result == .success || result == .unsuccessfulStatus))
    }

    @Test func `nobody there is a socket's issue`() async throws {
        let port = try SilentPort()
        let outcome = await client.post(body, to: "http://127.0.0.1:\(port.number)/")
        #expect(outcome?.result == .socketIssue)
        withExtendedLifetime(port) {}
    }

    @Test func `no name is told as such`() async throws {
        let outcome = await client.post(body, to: "http://no-such-host.invalid/")
        #expect(outcome?.result == .other)
        #expect(outcome?.detail == "Couldn't resolve host name.")
    }

    @Test func `a server that does not speak TLS has an issue with it`() async throws {
        let publisher = try PublisherServer()
        let url = publisher.url.replacingOccurrences(of: "http:", with: "https:")
        let outcome = await client.post(body, to: url)
        #expect(outcome?.result == .tlsIssue)
        #expect(publisher.requests.isEmpty)
    }

    @Test(.enabled(if: CommandLineTool.openssl != nil, "needs openssl"))
    func `over TLS a server is who it says it is, or gets nothing`() async throws {
        let trusted = try await TestCertificate(["127.0.0.1"])
        let server = try PublisherServer(certificate: trusted.certificate)
        let client = NotificationFixture.connection(authorities: trusted.root)
        #expect(await client.post(body, to: server.url) == SendOutcome(.success, status: 200))
        #expect(server.requests.count == 1)
        // Of an authority that nobody knows, and for another name.
        #expect(await self.client.post(body, to: server.url)?.result == .tlsIssue)
        let other = try await TestCertificate(["shop.example.com"])
        let stranger = try PublisherServer(certificate: other.certificate)
        let knowing = NotificationFixture.connection(authorities: other.root)
        #expect(await knowing.post(body, to: stranger.url)?.result == .tlsIssue)
        #expect(server.requests.count == 1 && stranger.requests.isEmpty)
    }

    @Test func `an answer that does not come in time is none`() async throws {
        let gate = Gate()
        let publisher = try PublisherServer { _, _ in
            await gate.wait()
            return HTTPResponse(status: 200)
        }
        let impatient = WebhookClient(targets: .anywhere, timeout: .milliseconds(300))
        let outcome = await impatient.post(body, to: publisher.url)
        gate.open()
        #expect(outcome?.result == .timedOut)
        #expect(outcome?.status == nil)
    }

    @Test func `of an endless answer only the status counts`() async throws {
        let endless = Data(
            ("HTTP/1.1 200 OK\r\n\r\n" + String(repeating: "x", count: 4 << 20)).utf8)
        let server = try RawServer(endless)
        let outcome = await client.post(body, to: "http://127.0.0.1:\(server.port)/")
        #expect(outcome == SendOutcome(.success, status: 200))
    }

    @Test func `an endless header is no answer`() async throws {
        let line = "X-Filler: \(String(repeating: "x", count: 1000))\r\n"
        let outcome = try await post(
            "HTTP/1.1 200 OK\r\n" + String(repeating: line, count: 200) + "\r\n")
        #expect(outcome?.result == .invalidResponse)
        #expect(outcome?.detail == "The response's header is too long.")
    }

    @Test func `nothing follows where an answer points`() async throws {
        let elsewhere = try PublisherServer()
        for status in [301, 302, 303, 307, 308] {
            let target = elsewhere.url
            let publisher = try PublisherServer { _, _ in
                HTTPResponse(status: status, headers: ["Location": target])
            }
            let outcome = await client.post(body, to: publisher.url)
            #expect(outcome?.result == .unsuccessfulStatus)
            #expect(outcome?.status == status)
        }
        #expect(elsewhere.requests.isEmpty)
        let circle = try PublisherServer { _, _ in
            HTTPResponse(status: 301, headers: ["Location": "/notifications"])
        }
        #expect(await client.post(body, to: circle.url)?.result == .circularRedirect)
        #expect(circle.requests.count == 1)
    }

    @Test func `a proxy of the environment is passed by`() async {
        // An environment belongs to a process, so this has one of its own.
        await #expect(processExitsWith: .success) {
            let proxy = try PublisherServer()
            let publisher = try PublisherServer()
            for name in ["http_proxy", "https_proxy", "all_proxy", "ALL_PROXY", "HTTPS_PROXY"] {
                setenv(name, proxy.address, 1)
            }
            let outcome = await NotificationFixture.connection().post(
                Data("{}".utf8), to: publisher.url)
            let isPassedBy =
                outcome?.result == .success && proxy.requests.isEmpty
                && publisher.requests.count == 1
            // At once, as long as threads of servers use what the libraries would tear down.
            _exit(isPassedBy ? EXIT_SUCCESS : EXIT_FAILURE)
        }
    }

    @Test func `a connection is used again`() async throws {
        let publisher = try PublisherServer()
        for _ in 0..<20 { _ = await client.post(body, to: publisher.url) }
        #expect(publisher.requests.count == 20)
        #expect(publisher.requests.allSatisfy { $0.body == body })
    }
}

/// What publishers can make the store reach.
struct NotificationReachTests {
    private let body = Data("{}".utf8)
    private let client = WebhookClient(targets: .internet, timeout: .seconds(3600))

    @Test(arguments: [
        "127.0.0.1", "localhost", "LOCALHOST", "localhost.", "127.1",
        "2130706433", "0x7f000001", "0177.0.0.1", "0.0.0.0", "0", "[::1]", "[::]",
        "[::ffff:127.0.0.1]", "[::ffff:7f00:1]", "[64:ff9b::7f00:1]", "127.0.0.2",
    ])
    func `this machine is not reached under any of its names`(host: String) async throws {
        let server = try RawServer(Data())
        let long = try? RawServer(host: "::1", Data())
        for port in [server.port, long?.port].compactMap({ $0 }) {
            let outcome = await client.post(body, to: "https://\(host):\(port)/")
            #expect(outcome?.result == .other)
            #expect(outcome?.detail.hasPrefix("The address") == true)
        }
        #expect(try await server.strangers() == 0)
        if let long { #expect(try await long.strangers() == 0) }
    }

    @Test(arguments: [
        "10.0.0.1", "172.16.5.4", "172.31.255.255", "192.168.1.1", "100.64.0.1", "169.254.169.254",
        "224.0.0.1", "255.255.255.255", "198.18.0.1", "192.0.2.1", "203.0.113.9", "192.0.0.8",
        "240.0.0.1", "[fe80::1]", "[fe80::1%25lo]", "[fc00::1]", "[fd12:3456::1]", "[ff02::1]",
        "[2001:db8::1]", "[fec0::1]", "[2002:7f00:1::]", "[2001::1]", "[100::1]",
        "[::ffff:10.0.0.1]", "[64:ff9b::a00:1]", "[64:ff9b:1::a00:1]",
    ])
    func `networks that are not the internet are not reached`(host: String) async throws {
        let outcome = await client.post(body, to: "https://\(host)/")
        #expect(outcome?.result == .other)
        #expect(outcome?.detail.hasPrefix("The address") == true)
    }

    @Test(arguments: ["http://192.0.43.8/", "https://192.0.43.8:22/", "https://192.0.43.8:80/"])
    func `neither plain HTTP nor a system's port is reached`(url: String) async throws {
        let outcome = await client.post(body, to: url)
        #expect(outcome?.result == .other)
        #expect(outcome?.detail.hasPrefix("The address") == true)
    }

    @Test(arguments: [
        "", "x", "ftp://example.com/", "file:///etc/passwd", "gopher://localhost:70/",
    ])
    func `nothing but HTTP is spoken, even where everything may be reached`(
        url: String
    ) async throws {
        let open = NotificationFixture.connection()
        #expect(await open.post(body, to: url)?.result == .other)
    }
}
