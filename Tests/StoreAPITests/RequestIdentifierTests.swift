import Foundation
import StoreAPI
import StoreHTTP
import StoreServer
import StoreTestSupport
import StoreWire
import Synchronization
import Testing

/// What broke can be found in the log by what the client was told.
struct RequestIdentifierTests {
    private final class Lines: Sendable {
        let list = Mutex<[String]>([])
    }

    /// Does something with a server, which has then come to its end: its log is written.
    private func use<Value>(
        _ server: StoreServer, _ body: () async throws -> Value
    ) async throws -> Value {
        let result: Result<Value, any Error>
        do { result = .success(try await body()) } catch { result = .failure(error) }
        // It waits for requests, whose tasks may need this very thread.
        try await onThread { server.stop() }
        return try result.get()
    }

    @Test func `the body of a failure names the request, and so does the log`() async throws {
        let shop = try await TestStore(hasContent: false)
        let lines = Lines()
        let database = BreakingDatabase(shop.store.database)
        let store = try Store(
            directory: shop.folder.file("store"), database: database,
            vault: OpenSSLVault.forTests,
            log: EventLog { line in lines.list.withLock { $0.append(line) } })
        let profile = try await shop.profile()
        var settings = ServingSettings()
        // Tests that share a machine are slow clients at times.
        settings.timeouts = RequestTimeouts(header: .seconds(3600), grace: .seconds(3600))
        let server = try StoreServer(store: store, settings: settings)
        database.breakAfter(0)
        let client = LoopbackClient(port: server.port)
        let session =
            #"{"data":{"type":"sessions","attributes":{"email":"a@example.com","#
            + #""password":"long enough"}}}"#
        let (connect, device) = try await use(server) {
            let connect = try await client.send(
                HTTPRequest(
                    method: "POST", path: "/connect/openstore/v1/sessions",
                    headers: ["Content-Type": "application/json", "X-Request-ID": "asked-1"],
                    body: Data(session.utf8)))
            let device = try await client.send(
                HTTPRequest(
                    method: "POST", path: "/sandbox" + DeviceRoute.session,
                    headers: ["X-Request-ID": "asked-2", DeviceRoute.profileHeader: profile],
                    body: try WireCoding.encode(
                        SignInRequest(email: "a@example.com", password: "x"))))
            return (connect, device)
        }
        #expect(connect.status == 500, "\(connect.text)")
        #expect(connect.text.contains(#""id":"asked-1""#), "\(connect.text)")
        #expect(device.status == 500, "\(device.text)")
        #expect(try device.failure().request == "asked-2")
        let written = lines.list.withLock { $0 }
        for identifier in ["asked-1", "asked-2"] {
            for event in ["event=\"request failed\"", "status=500"] {
                #expect(
                    written.contains {
                        $0.contains(event) && $0.contains(" request=\(identifier)")
                    }, "\(written)")
            }
        }
    }

    @Test func `a refusal is no failure, and its body is what it was`() async throws {
        let shop = try await TestStore(hasContent: false)
        let answer = try await LoopbackClient(port: shop.server.port).send(
            HTTPRequest(method: "POST", path: "/sandbox" + DeviceRoute.session))
        #expect(answer.status == 401)
        #expect(answer.headers["X-Request-ID"] != nil)
        #expect(try answer.failure().request == nil)
    }
}
