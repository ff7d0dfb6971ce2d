import Foundation
import StoreAPI
import StoreCore
import StoreHTTP
import StoreModel
import StoreServer
import StoreTestSupport
import StoreWire
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
