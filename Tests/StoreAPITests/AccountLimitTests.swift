import Foundation
@testable import StoreAPI
import StoreCore
import StoreHTTP
import StoreModel
import StoreServer
import StoreTestSupport
import StoreWire
import Synchronization
import Testing

/// Requests of one account, wherever they come from.
struct AccountLimitTests {
    private let clock = SettableClock()

    /// Sends a request to routes of its own, as somebody elsewhere would.
    private func send(
        _ request: HTTPRequest, to router: Router, from address: String = "192.0.2.1"
    ) async throws -> HTTPResponse {
        var request = request
        request.peer = IPAddress(address)
        return try await router.response(to: request)
    }

    private func router(_ shop: TestStore, perMinute: Int) throws -> Router {
        var services = shop.store.services
        services.accountAllowance = RequestAllowance(perMinute: perMinute, clock: clock)
        return try StoreRoutes(services: services).router()
    }

    @Test func `a customer's device is told to come again, and it is no end of a payment`()
        async throws
    {
        let shop = try await TestStore(hasContent: false, clock: clock)
        let router = try router(shop, perMinute: 2)
        let ada = try await APIClient.signedIn(shop)
        let haruki = try await APIClient.signedIn(shop, as: TestStore.japanese)
        func ask(_ client: APIClient, from address: String) async throws -> HTTPResponse {
            var request = HTTPRequest(
                method: "GET", path: "/sandbox" + DeviceRoute.unfinished)
            request.headers[DeviceRoute.profileHeader] = client.profile
            request.headers[DeviceRoute.deviceHeader] = client.device
            request.headers["Authorization"] = client.token.map { "Bearer \($0)" }
            return try await send(request, to: router, from: address)
        }
        #expect(try await ask(ada, from: "192.0.2.1").status == 200)
        #expect(try await ask(ada, from: "192.0.2.2").status == 200)
        let refused = try await ask(ada, from: "192.0.2.3")
        #expect(refused.status == 429)
        #expect(refused.headers["Retry-After"] == "30")
        #expect(try refused.failure().code == .storeUnavailable)
        #expect(try await ask(haruki, from: "192.0.2.1").status == 200)
        #expect(try await ask(ada, from: "127.0.0.1").status == 200)
        clock.advance(by: 30)
        #expect(try await ask(ada, from: "192.0.2.1").status == 200)
    }

    @Test func `about a receipt with subscriptions nobody asks again and again`() async throws {
        let fixture = try await ReceiptFixture()
        let client = try await fixture.server.customer()
        _ = try await client.buy(ServerShop.monthly(1))
        let body = ReceiptFixture.body(
            try await fixture.receipt(client), password: try await fixture.secret())
        let router = try StoreRoutes(services: fixture.shop.store.services).router()
        func ask(from address: String) async throws -> HTTPResponse {
            let request = HTTPRequest(method: "POST", path: "/sandbox/verifyReceipt", body: body)
            return try await send(request, to: router, from: address)
        }
        for number in 1...120 {
            #expect(try await ask(from: "192.0.2.\(number)").status == 200)
        }
        let refused = try await ask(from: "192.0.2.121")
        #expect(refused.status == 429 && refused.headers["Retry-After"] != nil)
        #expect(try JSONValue(reading: refused.data)["status"] == 21005)
        fixture.clock.advance(by: 1)
        #expect(try await ask(from: "192.0.2.1").status == 200)
    }

    @Test func `nobody leaves more prompts than a person can answer`() async throws {
        let shop = try await TestStore(hasContent: false, clock: clock)
        let router = try StoreRoutes(services: shop.store.services).router()
        let ada = try await APIClient.signedIn(shop)
        func ask(_ token: String?, from address: String) async throws -> Int {
            var request = HTTPRequest(
                method: "POST", path: "/sandbox" + DeviceRoute.prompts,
                body: try WireCoding.encode(PromptRequest.signIn(email: nil)))
            request.headers[DeviceRoute.profileHeader] = ada.profile
            request.headers[DeviceRoute.deviceHeader] = ada.device
            request.headers["Content-Type"] = "application/json"
            request.headers["Authorization"] = token.map { "Bearer \($0)" }
            return try await send(request, to: router, from: address).status
        }
        for _ in 1...30 { #expect(try await ask(ada.token, from: "192.0.2.1") == 200) }
        #expect(try await ask(ada.token, from: "192.0.2.2") == 429)
        for _ in 1...30 { #expect(try await ask(nil, from: "192.0.2.1") == 200) }
        #expect(try await ask(nil, from: "192.0.2.1") == 429)
        #expect(try await ask(nil, from: "198.51.100.1") == 200)
        clock.advance(by: 2)
        #expect(try await ask(ada.token, from: "192.0.2.1") == 200)
    }

    @Test func `restores and receipts of one account have a limit of their own`() async throws {
        let shop = try await TestStore(hasContent: false, clock: clock)
        let router = try StoreRoutes(services: shop.store.services).router()
        let ada = try await APIClient.signedIn(shop)
        func ask(_ path: String, _ body: Data) async throws -> HTTPResponse {
            var request = HTTPRequest(method: "POST", path: "/sandbox" + path, body: body)
            request.headers[DeviceRoute.profileHeader] = ada.profile
            request.headers[DeviceRoute.deviceHeader] = ada.device
            request.headers["Authorization"] = ada.token.map { "Bearer \($0)" }
            return try await send(request, to: router)
        }
        let restore = try WireCoding.encode(
            RestoreRequest(
                restoreKey: PurchaseKey("restore-key-10001")!, applicationUsername: nil))
        let receipt = try WireCoding.encode(
            ReceiptRequest(
                deviceIdentifier: Data((0..<16).map { UInt8($0) }), applicationVersion: "1"))
        var statuses: [Int] = []
        for _ in 1...120 { statuses.append(try await ask(DeviceRoute.restores, restore).status) }
        #expect(Set(statuses) == [200])
        #expect(try await ask(DeviceRoute.receipt, receipt).status == 429)
        clock.advance(by: 1)
        #expect(try await ask(DeviceRoute.receipt, receipt).status == 200)
    }

    @Test func `answers with much to sign take turns, also behind one that fails`() async throws {
        struct Failed: Error {}
        let answers = SigningPool(threads: 1)
        let running = Running()
        try await withThrowingTaskGroup(of: Void.self) { group in
            for number in 0..<20 {
                group.addTask {
                    try? await answers.run {
                        running.begin()
                        defer { running.end() }
                        if number % 2 == 0 { throw Failed() }
                    }
                }
            }
            try await group.waitForAll()
        }
        #expect(running.counts.withLock { $0.most } == 1)
        #expect(running.counts.withLock { $0.all } == 20)
    }

    /// How many run at a time.
    private final class Running: Sendable {
        let counts = Mutex((now: 0, most: 0, all: 0))

        func begin() {
            counts.withLock { counts in
                counts.now += 1
                counts.all += 1
                counts.most = max(counts.most, counts.now)
            }
        }

        func end() {
            counts.withLock { $0.now -= 1 }
        }
    }

    @Test func `a publisher's key is refused in the words of Connect`() async throws {
        let shop = try await TestStore(hasContent: false, clock: clock)
        let router = try router(shop, perMinute: 1)
        let client = try await ConnectClient(shop, clock: clock, role: .operator)
        let token = try client.makeToken() ?? ""
        let request = HTTPRequest(
            method: "GET", path: "/connect/v1/apps", headers: ["Authorization": "Bearer \(token)"])
        #expect(try await send(request, to: router).status == 200)
        let refused = try await send(request, to: router)
        #expect(refused.status == 429)
        #expect(refused.headers["X-Rate-Limit"] == "user-hour-lim:60;user-hour-rem:0;")
        #expect(refused.headers["Retry-After"] == "60")
        #expect(refused.text.contains(#""code":"RATE_LIMIT_EXCEEDED""#))
    }

    @Test func `more than anybody remembers are not refused, and cost no more memory`() {
        let allowance = RequestAllowance(perMinute: 1, clock: clock)
        var refused = 0
        for number in 0..<200_000 {
            var request = HTTPRequest(method: "GET", path: "/healthz")
            request.peer = IPAddress("10.\(number >> 16).\(number >> 8 & 255).\(number & 255)")
            let refusal = allowance.refusal(of: request) { _, _ in HTTPResponse(status: 500) }
            if refusal != nil { refused += 1 }
        }
        #expect(refused == 0)
        #expect(allowance.remembered <= 16 * 4096)
    }

    @Test func `who guesses at codes waits longer and longer`() async throws {
        let shop = try await TestStore(hasContent: false, clock: clock)
        let app = try await shop.store.database.read {
            try $0.sampleApp().id
        }
        try await shop.store.services.offers.add([
            OfferCode(
                code: "WELCOME1", app: app, productID: ProductID(SampleShop.badge)!, uses: 10,
                end: clock.now().addingTimeInterval(36_000))
        ])
        let client = try await APIClient.signedIn(shop)
        func redeem(_ number: Int, _ code: String) async throws -> HTTPResponse {
            try await client.send(
                "POST", DeviceRoute.redemptions,
                WireCoding.encode(
                    RedemptionRequest(
                        purchaseKey: PurchaseKey("redemption-key-\(number)")!, code: code)))
        }
        for number in 1...5 { #expect(try await redeem(number, "GUESS\(number)XX").status == 404) }
        // Also the right one is not looked at now.
        let refused = try await redeem(6, "WELCOME1")
        #expect(refused.status == 429)
        #expect(refused.headers["Retry-After"] == "60")
        #expect(try refused.failure().code == .storeUnavailable)
        #expect(try refused.failure().message.contains("too many wrong codes"))
        clock.advance(by: 60)
        #expect(try await redeem(6, "WELCOME1").status == 200)
        // What was right counts for nothing, and pays for no more guesses.
        #expect(try await redeem(7, "GUESS7XX").status == 404)
        #expect(try await redeem(6, "WELCOME1").status == 429)
        clock.advance(by: 60)
        #expect(try await redeem(6, "WELCOME1").status == 429)
        clock.advance(by: 60)
        #expect(try await redeem(6, "WELCOME1").status == 200)
    }
}
