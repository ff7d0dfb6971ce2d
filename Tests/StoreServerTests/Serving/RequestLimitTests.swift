import Foundation
import StoreHTTP
import StoreServer
import StoreTestSupport
import Testing

/// Requests of one address, in the form of the interface that they are sent to.
struct RequestLimitTests {
    private static let other: HTTPHeaders = ["X-Forwarded-For": "192.0.2.1"]

    private func exhausted() async throws -> ListeningStore {
        let store = try await ListeningStore { $0.requestsPerMinuteOfAddress = 3 }
        for _ in 1...3 { #expect(try await store.get("/healthz", Self.other).status == 200) }
        return store
    }

    @Test func `one too many is told when to come again, and is answered then`() async throws {
        let store = try await exhausted()
        let refused = try await store.get("/healthz", Self.other)
        #expect(refused.status == 429)
        #expect(refused.headers["Retry-After"] == "20")
        #expect(refused.text.contains(#""code":"storeUnavailable""#))
        #expect(refused.text.contains("There are too many requests; try again in 20 seconds."))
        store.clock.advance(by: 20)
        #expect(try await store.get("/healthz", Self.other).status == 200)
        #expect(try await store.get("/healthz", Self.other).status == 429)
    }

    @Test func `each interface refuses in its own form`() async throws {
        let store = try await exhausted()
        let connect = try await store.get("/connect/v1/apps", Self.other)
        #expect(connect.status == 429)
        #expect(connect.text.contains(#""code":"RATE_LIMIT_EXCEEDED""#))
        #expect(connect.headers["Retry-After"] == "20")
        let page = try await store.get(
            "/us", ["X-Forwarded-For": "192.0.2.1", "Accept": "text/html,*/*"])
        #expect(page.status == 429)
        #expect(page.headers["Content-Type"]?.hasPrefix("text/html") == true)
        #expect(page.headers["Retry-After"] == "20")
        #expect(page.text.contains("Too Many Requests"))
        let receipt = try await LoopbackClient(port: store.server.port).send(
            HTTPRequest(
                method: "POST", path: "/verifyReceipt", headers: Self.other, body: Data("{}".utf8)))
        #expect(receipt.status == 429)
        #expect(receipt.text.contains("\"status\":21"))
        // Publishers' servers are counted by their keys.
        #expect(
            try await store.get("/inApps/v1/transactions/1", Self.other).status == 401)
    }

    @Test func `other addresses, and this machine, are not meant`() async throws {
        let store = try await exhausted()
        for _ in 1...10 { #expect(try await store.get("/healthz").status == 200) }
        let another: HTTPHeaders = ["X-Forwarded-For": "192.0.2.2"]
        #expect(try await store.get("/healthz", another).status == 200)
        #expect(try await store.get("/healthz", Self.other).status == 429)
    }

    @Test func `an IPv6 network is one client`() async throws {
        let store = try await ListeningStore { $0.requestsPerMinuteOfAddress = 1 }
        func status(_ client: String) async throws -> Int {
            try await store.get("/healthz", ["X-Forwarded-For": client]).status
        }
        #expect(try await status("2001:db8::1") == 200)
        #expect(try await status("2001:db8::2") == 429)
        #expect(try await status("2001:db8:0:1::1") == 200)
    }

    @Test func `without a limit none is counted`() async throws {
        let store = try await ListeningStore { $0.requestsPerMinuteOfAddress = nil }
        for _ in 1...30 { #expect(try await store.get("/healthz", Self.other).status == 200) }
    }
}
