import Foundation
import StoreHTTP
import StoreTestSupport
import Synchronization
import Testing

/// A publisher who watches over notifications with commands only.
struct NotificationCommandTests {
    /// A server of the publisher that takes what it is sent, or does not.
    private final class Publisher: Sendable {
        let bodies = Mutex<[Data]>([])
        let status = Mutex(200)

        func listen() throws -> HTTPServer {
            var configuration = HTTPServer.Configuration()
            // A store on a busy machine is a slow client at times.
            configuration.timeouts = RequestTimeouts(header: .seconds(3600), grace: .seconds(3600))
            return try HTTPServer(
                configuration,
                handler: { [self] request in
                    bodies.withLock { $0.append(request.body) }
                    return .now(HTTPResponse(status: status.withLock { $0 }))
                }, bodyTooLarge: { _, _ in HTTPResponse(status: 413) })
        }
    }

    private func apiKey(_ shop: Shop) async throws -> String {
        let made: String = try await shop.command([
            "api-key", "create", "--name", "Tests", "--team", "Publisher", "--role", "admin",
            "--output", shop.folder.url.path, "--data", shop.data, "--json",
        ])
        let row = try #require(
            try JSONSerialization.jsonObject(with: Data(made.utf8)) as? [String: Any])
        return try #require(row["file"] as? String)
    }

    @Test func `notifications are tested, listed, shown and sent again`() async throws {
        let shop = try await Shop(noiseBytes: 1000)
        let publisher = Publisher()
        let listener = try publisher.listen()
        // That waits for who is connected.
        defer { Thread.detachNewThread { listener.stop(grace: .zero) } }
        let server = try await Program(
            "openstore",
            [
                "serve", "--data", shop.data, "--listen", "127.0.0.1:0",
                "--allow-local-notifications",
            ])
        defer { server.send(SIGTERM) }
        let line: String = try #require(await server.line(with: "production"))
        let address = String(try #require(line.split(separator: " ").last))
        let key: String = try await apiKey(shop)
        let access: [String] = ["--store", address, "--key", key, "--data", shop.data]
        func run(_ words: [String]) async throws -> Program.Result {
            try await Program.run("openstore", ["notification"] + words + access)
        }
        let app = SampleShop.bundleID.text

        #expect(try await run(["test", app]).code == 65)
        let url = "http://127.0.0.1:\(listener.port)/n"
        _ = try await shop.command(
            ["app", "update", app, "--sandbox-notifications", url] + access)
        let tested = try await run(["test", app, "--environment", "sandbox"])
        #expect(tested.code == 0, "\(tested.errors)")
        #expect(tested.output.contains("is sent. \(url): SUCCESS, 200"))
        #expect(publisher.bodies.withLock { $0.count } == 1)

        let listed = try await run(["list", app, "--environment", "sandbox", "--json"])
        let list = try #require(
            try JSONSerialization.jsonObject(with: Data(listed.output.utf8)) as? [[String: Any]])
        #expect(list.count == 1)
        #expect(list.first?["state"] as? String == "DELIVERED")
        let id: String = try #require(list.first?["id"] as? String)
        #expect(try await run(["list", app]).output == "There are no notifications.\n")
        let failed = try await run(["list", app, "--environment", "sandbox", "--failed"])
        #expect(failed.output == "There are no notifications.\n")

        // A server that refuses it makes the command fail.
        publisher.status.withLock { $0 = 500 }
        let refused = try await run(["resend", id])
        #expect(refused.code == 1)
        #expect(refused.output.contains("UNSUCCESSFUL_HTTP_RESPONSE_CODE, 500"))
        publisher.status.withLock { $0 = 200 }
        #expect(try await run(["resend", id]).code == 0)
        #expect(publisher.bodies.withLock { $0.count } == 3)

        let shown = try await run(["show", id]).output
        for text in ["TEST", "Attempts", "SUCCESS", "\"notificationType\" : \"TEST\"", url] {
            #expect(shown.contains(text), "\(text)")
        }
        let json = try await run(["show", id, "--json"]).output
        let whole = try #require(
            try JSONSerialization.jsonObject(with: Data(json.utf8)) as? [String: Any])
        let attempts = try #require(whole["attempts"] as? [[String: Any]])
        let replays: [Bool?] = attempts.map { $0["replay"] as? Bool }
        #expect(replays == [false, true, true])

        #expect(try await run(["show", "999"]).code == 66)
        #expect(try await run(["resend", "x"]).code == 66)
        #expect(try await run(["list", app, "--environment", "moon"]).code == 64)
        #expect(try await run(["list", app, "--type", "moon"]).code == 64)
        #expect(try await run(["list", "com.example.none"]).code != 0)
    }

    @Test func `without the switch nothing on this machine is an address`() async throws {
        let shop = try await Shop(noiseBytes: 1000)
        let (server, address) = try await shop.serve()
        defer { server.send(SIGTERM) }
        let key: String = try await apiKey(shop)
        for url in ["http://example.com/", "https://localhost/", "https://[::1]:8443/"] {
            let result = try await Program.run(
                "openstore",
                [
                    "app", "update", SampleShop.bundleID.text, "--sandbox-notifications", url,
                    "--store", address, "--key", key, "--data", shop.data,
                ])
            #expect(result.code == 65, "\(url)")
        }
    }
}
