import Foundation
import StoreModel
import StoreServer
import StoreTestSupport
import Synchronization
import Testing

@Suite struct StoreServerTests {
    @Test(arguments: [
        ("127.0.0.1", "127.0.0.1"), ("0.0.0.0", "127.0.0.1"), ("localhost", "localhost"),
    ])
    func `the address is one that this machine can reach`(
        host: String, shown: String
    ) async throws {
        let opened = try await OpenedStore()
        let server = try StoreServer(store: opened.store, host: host)
        #expect(server.address == "http://\(shown):\(server.port)")
        try await onThread {
            server.stop()
            _ = opened
        }
    }

    @Test func `each request is one line of the log`() async throws {
        let lines = Lines()
        let folder = try TemporaryFolder()
        let directory = folder.file("store")
        try PreparedDatabase.install(into: directory)
        try await PreparedKeys.install(into: directory, clock: SystemClock())
        let store = try Store(
            directory: directory, vault: OpenSSLVault.forTests,
            log: EventLog { line in lines.list.withLock { $0.append(line) } })
        let server = try StoreServer(store: store, settings: .forTests)
        let client = LoopbackClient(port: server.port)
        for path in ["/healthz", "/a%0Atime=0"] {
            _ = try await client.exchange(
                Data("GET \(path) HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n".utf8))
        }
        // Waits for both requests to come to their end, of which each is noted by its own thread.
        try await onThread {
            server.stop()
            _ = folder
        }
        let written = lines.list.withLock { $0 }.filter { $0.contains("event=request") }
        #expect(written.count == 2)
        for part in [
            "method=GET path=/healthz status=200 milliseconds=",
            #"path="/a\ntime=0" status=404"#,
        ] {
            #expect(written.contains { $0.contains(part) }, "\(written)")
        }
    }

    private final class Lines: Sendable {
        let list = Mutex<[String]>([])
    }

    @Test func `a stopped store takes no more writes`() async throws {
        let shop = try await TestStore(hasContent: false)
        let server = shop.server
        try await onThread { server.stop() }
        await #expect(throws: (any Error).self) {
            try await shop.store.services.accounts.create(
                email: "new@example.com", password: TestStore.password,
                storefront: .unitedStates, environment: .sandbox)
        }
    }
}
