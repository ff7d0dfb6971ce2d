import Foundation
import StoreAPI
import StoreHTTP
import StoreServer
import StoreTestSupport
import StoreWire
import Synchronization
import Testing

/// What broke can be found in the log by what the client was told.
@Suite(.timeLimit(.minutes(2))) struct RequestIdentifierTests {
    private final class Lines: Sendable {
        let list = Mutex<[String]>([])
    }

    @Test func `the body of a failure names the request, and so does the log`() async throws {
        let shop = try await TestStore(hasContent: false)
        let lines = Lines()
        let database = BreakingDatabase(shop.store.database)
        let store = try Store(
            directory: shop.folder.file("store"), database: database,
            log: EventLog { line in lines.list.withLock { $0.append(line) } })
        let server = try StoreServer(store: store)
        database.breakAfter(0)
        let client = LoopbackClient(port: server.port)
        let connect = try await client.send(
            HTTPRequest(
                method: "POST", path: "/connect/openstore/v1/sessions",
                headers: ["Content-Type": "application/json", "X-Request-ID": "asked-1"],
                body: Data(
                    (#"{"data":{"type":"sessions","attributes":{"email":"a@example.com","#
                        + #""password":"long enough"}}}"#).utf8)))
        #expect(connect.status == 500, "\(connect.text)")
        #expect(connect.text.contains(#""id":"asked-1""#), "\(connect.text)")
        let device = try await client.send(
            HTTPRequest(
                method: "POST", path: "/sandbox" + DeviceRoute.session,
                headers: [
                    "X-Request-ID": "asked-2",
                    DeviceRoute.profileHeader: try await shop.profile(),
                ], body: WireCoding.encode(SignInRequest(email: "a@example.com", password: "x"))))
        server.stop()
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
