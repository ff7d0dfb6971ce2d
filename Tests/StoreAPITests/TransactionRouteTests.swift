import Foundation
import StoreCore
import StoreHTTP
import StoreModel
import StoreTestSupport
import StoreWire
import Testing

@Suite struct TransactionRouteTests {
    @Test(arguments: Altitude.allCases)
    func `a device hears of its own transactions until they are finished`(
        altitude: Altitude
    ) async throws {
        let shop = try await TestStore(hasContent: false)
        let client = try await APIClient.signedIn(shop, altitude: altitude)
        var other = client
        other.device = "device-2"
        let bought = [
            try await client.buy(APIClient.credits(1)), try await client.buy(APIClient.badge(2)),
        ]
        let elsewhere = try await other.buy(APIClient.credits(3))
        #expect(try await client.unfinished().map(\.transactionId) == bought.map(\.transactionId))
        for _ in 1...2 { try await client.finish(bought[0]) }
        #expect(try await client.unfinished().map(\.transactionId) == [bought[1].transactionId])
        #expect(try await other.unfinished().map(\.transactionId) == [elsewhere.transactionId])
    }

    @Test(arguments: Altitude.allCases)
    func `another account's transaction can't be finished or downloaded`(
        altitude: Altitude
    ) async throws {
        let shop = try await TestStore(isApproved: true, noiseBytes: 1000)
        let client = try await APIClient.signedIn(shop, altitude: altitude)
        let bought = try await client.buy(APIClient.chapter(1))
        let strangers = [
            try await APIClient.signedIn(shop, altitude: altitude, as: TestStore.japanese),
            try await APIClient.signedIn(shop, altitude: altitude, environment: .production),
        ]
        let before = try await LedgerSnapshot(of: shop)
        let download = DownloadRequest(
            contentIdentifier: SampleShop.chapter, version: ContentVersion("1.0")!)
        for stranger in strangers {
            let refusals = [
                try await stranger.refusal(
                    "POST", DeviceRoute.finish("\(bought.transactionId)")),
                try await stranger.refusal(
                    DeviceRoute.downloads("\(bought.transactionId)"), download),
            ]
            #expect(refusals.allSatisfy { $0.name == "404 transactionNotFound" })
            // As if there were none: nothing tells that it exists.
            let unknown = try await stranger.refusal(
                "POST", DeviceRoute.finish("\(bought.transactionId.number + 1)"))
            #expect(unknown.name == "404 transactionNotFound")
        }
        #expect(try await LedgerSnapshot(of: shop) == before)
        #expect(try await client.unfinished().count == 1)
    }

    @Test(arguments: ["0", "-1", "abc", "99999999999999999999", "1 OR 1=1", "%27", "１"])
    func `what is no transaction is not found`(id: String) async throws {
        let client = try await APIClient.signedIn(try await TestStore(hasContent: false))
        let refusal = try await client.refusal("POST", DeviceRoute.finish(id))
        #expect(refusal.name == "404 transactionNotFound")
    }

    @Test(arguments: Altitude.allCases)
    func `restoring gives what one owns, and a device the same each time`(
        altitude: Altitude
    ) async throws {
        let clock = SettableClock()
        let shop = try await TestStore(hasContent: false, clock: clock)
        let client = try await APIClient.signedIn(shop, altitude: altitude)
        let badge = try await client.buy(APIClient.badge(1))
        try await client.finish(badge)
        try await client.finish(try await client.buy(APIClient.credits(2)))
        // The device that bought it is to hear of it as unfinished, and not once more.
        let chapter = try await client.buy(APIClient.chapter(3))
        #expect(try await client.restore(4).map(\.productId) == [SampleShop.badge])
        try await client.finish(chapter)
        clock.advance(by: 60)
        var fresh = client
        fresh.device = "device-2"
        let restored = try await fresh.restore(1)
        try #require(restored.map(\.productId) == [SampleShop.badge, SampleShop.chapter])
        #expect(restored[0].originalTransactionId == badge.transactionId)
        #expect(restored[0].originalPurchaseDate == badge.purchaseDate)
        #expect(restored[0].purchaseDate == clock.now().milliseconds)
        #expect(restored[0].price == 0)
        #expect(try await shop.ledger().count == 6)

        clock.advance(by: 60)
        var again = try await fresh.restore(1)
        try #require(again.count == restored.count)
        for index in again.indices { again[index].signedDate = restored[index].signedDate }
        #expect(again == restored)
        #expect(try await shop.ledger().count == 6)
        #expect(
            try await fresh.unfinished().map(\.transactionId) == restored.map(\.transactionId))
        // A restored transaction is no purchase that could be restored in its turn.
        try await fresh.finish(restored[0])
        for key in 2...3 {
            #expect(
                try await fresh.restore(key).map(\.transactionId) == restored.map(\.transactionId))
        }
        #expect(try await shop.ledger().count == 6)
    }

    @Test func `an account that owns nothing restores nothing`() async throws {
        let shop = try await TestStore(hasContent: false)
        let owner = try await APIClient.signedIn(shop)
        try await owner.finish(try await owner.buy(APIClient.badge(1)))
        let stranger = try await APIClient.signedIn(shop, as: TestStore.japanese)
        #expect(try await stranger.restore(1).isEmpty)
        #expect(try await LedgerSnapshot(of: shop).count == 1)
    }

    @Test func `what is restored again bears the name of who restores`() async throws {
        let shop = try await TestStore(hasContent: false)
        let client = try await APIClient.signedIn(shop)
        try await client.finish(try await client.buy(APIClient.badge(1)))
        for name in ["9f0b1a52-6a3d-4d1c-8f4e-0c5a7b2d3e41", nil] {
            let answer: TransactionsAnswer = try await client.post(
                DeviceRoute.restores,
                RestoreRequest(
                    restoreKey: PurchaseKey("restore-key-10001")!, applicationUsername: name))
            #expect(
                try answer.transactions.map { try client.payload($0).appAccountToken } == [name])
        }
    }

    @Test func `a purchase key of the device is free for restoring`() async throws {
        let shop = try await TestStore(hasContent: false)
        let client = try await APIClient.signedIn(shop)
        try await client.finish(try await client.buy(APIClient.badge(1)))
        let answer: TransactionsAnswer = try await client.post(
            DeviceRoute.restores,
            RestoreRequest(
                restoreKey: APIClient.badge(1).purchaseKey, applicationUsername: nil))
        #expect(answer.transactions.count == 1)
        #expect(try await shop.ledger().map(\.details.kind) == [.purchase, .restore])
    }
}
