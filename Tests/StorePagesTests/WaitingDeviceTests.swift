import Foundation
@testable import StoreCore
import StoreModel
import StoreServer
import StoreTestSupport
import Testing

@testable import StoreAPI

/// Devices that wait for news of their account while somebody works in the portal.
struct WaitingDeviceTests {
    enum Step: CaseIterable {
        case refundByPublisher
        case refundByStaff
        case deletion
    }

    private let shop: TestStore
    private let tester: Account
    private let bought: LedgerEntry
    /// Never looks for events by itself: who waits there has to be told.
    private let hub: EventHub
    private let morning: AsyncStream<Void>.Continuation

    init() async throws {
        shop = try await TestStore(hasContent: false)
        let services = shop.store.services
        let account = try await services.accounts.account(
            email: TestStore.american, environment: .sandbox)
        let app = try await shop.store.database.read { try $0.sampleApp() }
        _ = try await services.testers.adopt(account.id, for: app.teamID, by: .machine)
        bought = try await shop.store.database.write { repositories in
            let price = Money(thousandths: 990, currency: "USD")
            return try repositories.ledger.insert(
                LedgerDraft(
                    kind: .purchase, environment: .sandbox, account: account.id, app: app.id,
                    bundleID: app.bundleID, productID: ProductID(SampleShop.badge)!,
                    productType: .nonConsumable, key: "purchase-key-1001", device: "device",
                    quantity: 1, unitPrice: price, charged: price,
                    storefront: account.storefront, original: nil, applicationUsername: nil,
                    date: Date()))
        }
        tester = account
        let (night, morning) = AsyncStream.makeStream(of: Void.self)
        hub = EventHub(database: shop.store.database, clock: shop.store.clock) { _ in
            for await _ in night {}
        }
        self.morning = morning
    }

    /// Where a step is taken, and what its form says.
    private func form(of step: Step) async throws -> (path: String, fields: [String: String]) {
        let path = "/connect/sandbox/\(tester.id.number)"
        switch step {
        case .refundByPublisher:
            return ("\(path)/refund", ["transaction": bought.id.description])
        case .deletion:
            return ("\(path)/delete", [:])
        case .refundByStaff:
            let request = try await shop.store.services.refunds.ask(
                bought.id, of: nil, reason: .fulfillment, comment: ""
            ).get()
            return (
                "/connect/refunds/\(request.id)/decide",
                ["decision": "refund", "grounds": "It did break."]
            )
        }
    }

    @Test(arguments: Step.allCases)
    func `a device that waits is told at once of what the portal does`(step: Step) async throws {
        let portal = PortalClient(shop.store, roles: [.operator], team: nil)
        let (path, fields) = try await form(of: step)
        let page = try await portal.open("/connect/sandbox/\(tester.id.number)")
        let device = EventHub.Subscriber(
            account: tester.id, app: bought.details.app, environment: .sandbox, device: "device")
        async let end = hub.wait(
            device, after: DeviceEventID(number: 0), nudges: hub.nudges, until: .distantFuture)
        defer {
            hub.stop()
            morning.finish()
        }
        try await until { hub.waiting == 1 }
        let answer = try await portal.send(page, to: path, fields)
        #expect(answer.status == 303)
        #expect(hub.waiting == 0)
        hub.stop()
        _ = await end
    }
}
