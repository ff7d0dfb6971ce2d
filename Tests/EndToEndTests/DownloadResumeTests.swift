import Foundation
@testable import StoreKit
import StoreTestSupport
import Testing

/// What a login begins with where downloads are unfinished: `openstore-downloads --resume`.
struct DownloadResumption {
    private let shop: Shop
    private let server: Program
    private let environment: [String: String]
    private let installed: URL
    private var runtime: URL { shop.folder.file("run") }

    init() async throws {
        shop = try await Shop(noiseBytes: 1_500_000)
        let (server, address) = try await shop.serve()
        self.server = server
        installed = shop.folder.file("installed")
        let runtime = shop.folder.file("run")
        try FileManager.default.createDirectory(at: runtime, withIntermediateDirectories: true)
        // The first agent dies in the middle; the second one is there, and does nothing till the end
        // of the test.
        #expect(mkfifo(runtime.appendingPathComponent("gate").path, 0o600) == 0)
        let agent = try shop.folder.write(
            "agent",
            Data(
                """
                #!/bin/sh
                cd "$XDG_RUNTIME_DIR" || exit 1
                if mkdir first 2>/dev/null; then
                    TEST_FAULT=content:500000 exec '\(Program.path("StoreTestApp"))' --agent
                fi
                exec 9<gate; mkdir second; read -r _ <&9
                """.utf8))
        chmod(agent.path, 0o755)
        environment = try await shop.device("buyer", address: address).merging([
            "XDG_RUNTIME_DIR": runtime.path, "OPENSTORE_DOWNLOADS": "agent",
            "OPENSTORE_DOWNLOAD_AGENT": agent.path,
        ]) { $1 }
    }

    private func resume() async throws -> Program.Result {
        try await Program.run(
            "openstore-downloads", ["--resume", "--idle", "0.2", "--patience", "60"],
            environment: environment)
    }

    @Test func `after a login a download goes on that app and agent left unfinished`() async throws
    {
        defer { server.send(SIGTERM) }
        let list = AgentList(environment: environment)
        // There is nothing to do: nobody listens, and nothing is made.
        #expect(try await resume().code == 0)
        #expect(access(runtime.appendingPathComponent("openstore").path, F_OK) != 0)

        let gate = open(runtime.appendingPathComponent("gate").path, O_RDWR | O_CLOEXEC)
        let second = runtime.appendingPathComponent("second").path
        let app = try await Program(
            "StoreTestApp",
            [
                "--expect", "1", "--buy", "\(SampleShop.chapter):1", "--install", installed.path,
            ], environment: environment)
        let killed = try await app.end { access(second, F_OK) == 0 }
        #expect(killed.code == 128 + SIGKILL, "\(killed)")
        // As after the machine was switched off.
        close(gate)
        #expect(list.downloads().count == 1)

        // Where systemd listens it is told, and does the rest.
        let socket = try #require(AgentSocket(environment: environment))
        try socket.prepare()
        let listener = try socket.listen()
        #expect(try await resume().code == 0)
        let caller = accept(listener, nil, nil)
        #expect(caller >= 0 && list.downloads().count == 1)
        close(caller)
        close(listener)

        let resumed = try await resume()
        #expect(resumed.code == 0, "\(resumed)")
        #expect(list.downloads().isEmpty)
        let next = try await Program.run(
            "StoreTestApp", ["--expect", "1", "--install", installed.path],
            environment: environment)
        #expect(next.code == 0 && next.output.contains("received 0"), "\(next)")
        try shop.expectSameContent(installed)
    }
}
