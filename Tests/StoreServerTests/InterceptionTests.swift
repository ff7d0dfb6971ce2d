import Foundation
import StoreAPI
import StoreSecurity
import StoreServer
import StoreTestSupport
import Testing

/// Programs that know nothing of this store, sent here by their environment.
@Suite(.enabled(if: CommandLineTool.python3 != nil))
struct InterceptionTests {
    private let shop: TestStore
    private let interception: Interception

    init() async throws {
        shop = try await TestStore(hasContent: false, isApproved: true)
        interception = try shop.server.intercept(host: "127.0.0.1", port: 0)
    }

    /// Fetches addresses with Python's standard library, whose checks are strict, and gives for
    /// each the status and the body, or the error.
    ///
    /// - Parameter root: the file with what is trusted; nil for the root of the interception.
    private func fetch(_ addresses: [String], root: URL? = nil) async throws -> [String] {
        let program = """
            import ssl, sys, urllib.error, urllib.request
            context = ssl.create_default_context()
            context.verify_flags |= ssl.VERIFY_X509_STRICT
            handler = urllib.request.HTTPSHandler(context=context)
            for address in sys.argv[1:]:
                try:
                    with urllib.request.build_opener(handler).open(address) as answer:
                        print(answer.status, " ".join(answer.read().decode().split()))
                except urllib.error.HTTPError as error:
                    print(error.code, " ".join(error.read().decode().split()))
                except urllib.error.URLError as error:
                    print(error.reason)
            """
        let environment = [
            "https_proxy": "http://\(interception.address)",
            "http_proxy": "http://\(interception.address)", "no_proxy": "",
            "SSL_CERT_FILE": (root ?? interception.rootFile).path, "PYTHONIOENCODING": "utf-8",
        ]
        let python = try #require(CommandLineTool.python3)
        let result = try await ChildProgram.run(
            python.url.path, ["-c", program] + addresses, environment: environment)
        let output = String(decoding: result.output, as: UTF8.self)
        let lines = output.split(separator: "\n").map(String.init)
        try #require(lines.count == addresses.count, "\(output)")
        return lines
    }

    /// The port of an address.
    private static func port(of address: String) throws -> UInt16 {
        try #require(address.split(separator: ":").last.flatMap { UInt16($0) })
    }

    @Test func `every name is reached over TLS, and says who is there`() async throws {
        let answers = try await fetch(AppleHost.all.map { "https://\($0.name)/" })
        for (host, answer) in zip(AppleHost.all, answers) {
            #expect(answer.hasPrefix("200 "), "\(host.name): \(answer)")
            #expect(answer.contains(#""host":"\#(host.name)""#), "\(answer)")
        }
    }

    @Test func `paths lead to the part of the store that the name stands for`() async throws {
        let answers = try await fetch([
            "https://itunes.apple.com/lookup?id=1", "http://itunes.apple.com/lookup?id=1",
            "https://api.appstoreconnect.apple.com/v1/apps",
            "https://feeds.itunes.apple.com/epf/v5/",
            "https://api.storekit-sandbox.itunes.apple.com/healthz",
            "https://api.storekit.itunes.apple.com/healthz",
            "\(shop.server.address)/healthz", "https://localhost/healthz",
        ])
        #expect(answers[0] == #"200 { "resultCount":0, "results": [ ] }"#)
        #expect(answers[1] == answers[0])
        #expect(answers[2].contains("NOT_AUTHORIZED"), "\(answers[2])")
        #expect(answers[3].hasPrefix("401 User name"), "\(answers[3])")
        #expect(answers[4].contains("nothing at /sandbox/healthz"), "\(answers[4])")
        #expect(answers[5...].allSatisfy { $0 == #"200 {"status":"ok"}"# }, "\(answers[5...])")
    }

    @Test func `an address as Apple wrote it shows the app, whatever name stands in it`()
        async throws
    {
        let app = try await shop.addItem("Tidewatch", .software)
        let answers = try await fetch(
            ["http", "https"].map { "\($0)://itunes.apple.com/us/app/any-name/id\(app)?mt=8" })
        for answer in answers {
            #expect(answer.hasPrefix("200 ") && answer.contains("<title>Tidewatch"), "\(answer)")
        }
    }

    @Test func `nobody gets out, whatever is named`() async throws {
        let other = try await TestStore(hasContent: false)
        let answers = try await fetch([
            "https://example.org/", "https://127.0.0.1:\(other.server.port)/healthz",
            "http://127.0.0.1:\(other.server.port)/healthz", "http://example.org/",
            "https://gs.apple.com/",
        ])
        // The certificate is not for it.
        #expect(answers[0].contains("CERTIFICATE_VERIFY_FAILED"), "\(answers[0])")
        #expect(answers[1] == #"200 {"status":"ok"}"#)
        #expect(answers[2].hasPrefix("403 ") && answers[2].contains("sends nothing on"))
        #expect(answers[3].hasPrefix("403 "))
        #expect(answers[4].contains("CERTIFICATE_VERIFY_FAILED"), "\(answers[4])")
        // What speaks no TLS at that port would have said so.
        let port = try Self.port(of: interception.address)
        let raw = try await LoopbackClient(port: port).exchange(
            Data("CONNECT 127.0.0.1:\(other.server.port) HTTP/1.1\r\nHost: x\r\n\r\n".utf8),
            then: Data("GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n".utf8))
        #expect(!String(decoding: raw, as: UTF8.self).contains("ok"))
    }

    @Test func `the root of the store's keys is not what is shown`() async throws {
        let root = shop.folder.file("store/keys/root.pem")
        let answers = try await fetch(["https://buy.itunes.apple.com/"], root: root)
        #expect(answers[0].contains("CERTIFICATE_VERIFY_FAILED"), "\(answers[0])")
        #expect(try shop.store.keys.root.der() != interception.root.der())
    }

    @Test func `a store has a root for interception while it intercepts, and none before`()
        async throws
    {
        let other = try await TestStore(hasContent: false)
        let request = Data(
            "GET \(Interception.rootPath) HTTP/1.0\r\nHost: localhost\r\n\r\n".utf8)
        let client = LoopbackClient(port: other.server.port)
        func answer() async throws -> String {
            String(decoding: try await client.exchange(request), as: UTF8.self)
        }
        #expect(try await answer().contains(" 404 "))
        let folder = other.folder.file("store/intercept").path
        #expect(!FileManager.default.fileExists(atPath: folder))
        let new = try other.server.intercept(
            host: "127.0.0.1", port: 0, publicAddress: "https://store.example.com")
        #expect(try await answer().hasSuffix(new.root.pem()))
        #expect(try new.root.pem() == String(contentsOf: new.rootFile, encoding: .utf8))
        #expect(new.root.permittedServerNames?.contains(.dns("store.example.com")) == true)
    }

    @Test func `links of answers lead back over TLS`() async throws {
        let answer = try await fetch([
            "https://api.appstoreconnect.apple.com/connect/openstore/v1/x"
        ])
        #expect(answer[0].hasPrefix("404 "), "\(answer[0])")
        let feed = try await fetch(["https://itunes.apple.com/us/rss/topsongs/limit=1/json"])
        #expect(feed[0].contains("https://itunes.apple.com/us/rss/"), "\(feed[0])")
    }

    @Test func `stopping the store stops the proxy`() async throws {
        // Nobody else can come to listen there.
        let port = try SilentPort()
        let server = shop.server
        _ = try server.intercept(host: "127.0.0.1", port: port.number)
        let client = LoopbackClient(port: port.number)
        let answer = try await client.exchange(
            Data("CONNECT a:1 HTTP/1.0\r\n\r\n".utf8), then: Data("garbage\r\n\r\n".utf8))
        #expect(String(decoding: answer, as: UTF8.self).hasPrefix("HTTP/1.1 200 "))
        try await onThread { server.stop() }
        await #expect(throws: LoopbackError.self) {
            try await client.exchange(Data("CONNECT a:1 HTTP/1.0\r\n\r\n".utf8))
        }
        withExtendedLifetime(port) {}
    }
}
