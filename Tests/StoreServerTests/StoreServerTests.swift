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
    func `the address is one that this machine can reach`(host: String, shown: String) throws {
        let folder = try TemporaryFolder()
        let store = try Store(directory: folder.file("store"), log: .silent)
        let server = try StoreServer(store: store, host: host)
        defer { server.stop() }
        #expect(server.address == "http://\(shown):\(server.port)")
    }

    @Test func `each request is one line of the log`() async throws {
        let lines = Lines()
        let folder = try TemporaryFolder()
        let store = try Store(
            directory: folder.file("store"),
            log: EventLog { line in lines.list.withLock { $0.append(line) } })
        let server = try StoreServer(store: store)
        let client = LoopbackClient(port: server.port)
        for path in ["/healthz", "/a%0Atime=0"] {
            _ = try await client.exchange(
                Data("GET \(path) HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n".utf8))
        }
        // Waits for both requests to come to their end.
        server.stop()
        let written = lines.list.withLock { $0 }.filter { $0.contains("event=request") }
        #expect(written.count == 2)
        #expect(written[0].contains("method=GET path=/healthz status=200 milliseconds="))
        #expect(written[1].contains(#"path="/a\ntime=0" status=404"#))
    }

    private final class Lines: Sendable {
        let list = Mutex<[String]>([])
    }

    @Test func `a stopped store takes no more writes`() async throws {
        let shop = try await TestStore(hasContent: false)
        shop.server.stop()
        await #expect(throws: (any Error).self) {
            try await shop.store.services.accounts.create(
                email: "new@example.com", password: TestStore.password,
                storefront: .unitedStates, environment: .sandbox)
        }
    }
}
