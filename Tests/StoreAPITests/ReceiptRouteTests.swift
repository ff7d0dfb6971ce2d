import Foundation
import StoreHTTP
import StoreModel
import StoreSecurity
import StoreTestSupport
import StoreWire
import Testing

@Suite struct ReceiptRouteTests {
    private static let device = Data("0123456789abcdef".utf8)

    /// The receipt that a device gets, once its signature leads to the store's root.
    private static func receipt(
        _ client: APIClient, version: String = "7", properties: ReceiptProperties? = nil
    ) async throws -> AppReceipt {
        let answer: ReceiptAnswer = try await client.post(
            DeviceRoute.receipt,
            ReceiptRequest(
                deviceIdentifier: device, applicationVersion: version, properties: properties))
        return try ReceiptVerifier(root: client.shop.store.keys.root).verify(answer.receipt)
    }

    @Test(arguments: Altitude.allCases)
    func `a receipt says whose it is, and holds nothing before a purchase`(
        altitude: Altitude
    ) async throws {
        let clock = SettableClock()
        let shop = try await TestStore(hasContent: false, clock: clock)
        let client = try await APIClient.signedIn(shop, altitude: altitude)
        let before = try await LedgerSnapshot(of: shop)
        let receipt = try await Self.receipt(client)
        #expect(receipt.type == "ProductionSandbox")
        #expect(receipt.appStoreID == 0)
        #expect(receipt.bundleID == SampleShop.bundleID.text)
        #expect(receipt.applicationVersion == "7")
        #expect(receipt.originalApplicationVersion == "1.0")
        #expect(receipt.originalPurchaseDate == Date(timeIntervalSince1970: 1_375_340_400))
        #expect(receipt.creationDate == clock.now())
        #expect(receipt.expirationDate == nil)
        #expect(receipt.purchases.isEmpty)
        #expect(receipt.opaqueValue.count == 24)
        #expect(try receipt.isMade(forDevice: Self.device))
        #expect(try !receipt.isMade(forDevice: Data("other".utf8)))
        #expect(try await Self.receipt(client).opaqueValue != receipt.opaqueValue)
        #expect(try await LedgerSnapshot(of: shop) == before)
    }

    @Test func `in production it names the app's number, and since when the customer has the app`()
        async throws
    {
        let shop = try await TestStore(hasContent: false, isApproved: true)
        let client = try await APIClient.signedIn(shop, environment: .production)
        _ = try await client.buy(APIClient.badge(1))
        // Properties are for tests only.
        let receipt = try await Self.receipt(
            client, properties: ReceiptProperties(expired: true, revoked: true))
        let app = try await shop.store.services.catalog.catalog(of: SampleShop.bundleID)?.app
        #expect(receipt.type == "Production")
        #expect(receipt.appStoreID == app?.id.number)
        #expect(receipt.originalApplicationVersion == "1.0")
        #expect(receipt.originalPurchaseDate == receipt.purchases.first?.purchaseDate)
        #expect(receipt.downloadID.map { $0 > 700_000_000_000_000_000 } == true)
        #expect(receipt.versionNumber == 0)
        #expect(receipt.expirationDate == nil)
        #expect(receipt.purchases.map(\.cancellationDate) == [nil])
    }

    @Test func `what was bought for good stays, consumables until they are finished`() async throws
    {
        let clock = SettableClock()
        let shop = try await TestStore(hasContent: false, clock: clock)
        let client = try await APIClient.signedIn(shop)
        let badge = try await client.buy(APIClient.badge(1))
        clock.advance(by: 60)
        let credits = try await client.buy(APIClient.credits(2, quantity: 5))
        let season = try await client.buy(
            APIClient.order(SampleShop.season, 3, price: APIClient.dollars(4990)))
        var purchases = try await Self.receipt(client).purchases
            .sorted { $0.purchaseDate < $1.purchaseDate }
        #expect(purchases.count == 3)
        let first = try #require(purchases.first)
        #expect(first.productID == SampleShop.badge)
        #expect(first.productKind == .nonConsumable)
        #expect(first.transactionID == badge.transactionId.description)
        #expect(first.originalTransactionID == badge.transactionId.description)
        #expect(first.purchaseDate == Date(milliseconds: badge.purchaseDate))
        #expect(first.originalPurchaseDate == first.purchaseDate)
        #expect(first.quantity == 1)
        #expect(first.cancellationDate == nil && first.expirationDate == nil)
        let consumable = try #require(purchases.first { $0.productKind == .consumable })
        #expect(consumable.quantity == 5)
        #expect(consumable.transactionID == credits.transactionId.description)
        #expect(purchases.contains { $0.productKind == .nonRenewing })

        for transaction in [badge, credits, season] { try await client.finish(transaction) }
        purchases = try await Self.receipt(client).purchases
        #expect(
            Set(purchases.map(\.productID)) == [SampleShop.badge, SampleShop.season])
    }

    @Test func `a purchase is there once, as what restores or repeats it until that is finished`()
        async throws
    {
        let clock = SettableClock()
        let shop = try await TestStore(hasContent: false, clock: clock)
        let client = try await APIClient.signedIn(shop)
        let badge = try await client.buy(APIClient.badge(1))
        try await client.finish(badge)
        clock.advance(by: 3600)
        let restored = try #require(try await client.restore(2).first)
        clock.advance(by: 3600)
        let again = try await client.buy(APIClient.badge(3))
        // The oldest that is not finished, and at last the purchase itself.
        for shown in [restored, again, badge] {
            let purchases = try await Self.receipt(client).purchases
            try #require(purchases.map(\.transactionID) == [shown.transactionId.description])
            #expect(purchases[0].purchaseDate == Date(milliseconds: shown.purchaseDate))
            #expect(purchases[0].originalTransactionID == badge.transactionId.description)
            #expect(purchases[0].originalPurchaseDate == Date(milliseconds: badge.purchaseDate))
            if shown.transactionId != badge.transactionId { try await client.finish(shown) }
        }
    }

    @Test func `the period of a subscription is there once while it is restored`() async throws {
        let shop = try await TestStore(hasContent: false, clock: SettableClock())
        let client = try await APIClient.signedIn(shop)
        let bought = try await client.buy(
            APIClient.order(SampleShop.monthly, 1, price: APIClient.dollars(4990)))
        try await client.finish(bought)
        let restored = try #require(try await client.restore(2).first)
        let during = try await Self.receipt(client).purchases
        #expect(during.map(\.transactionID) == [restored.transactionId.description])
        #expect(during.map(\.originalTransactionID) == [bought.transactionId.description])
        #expect(during.allSatisfy { $0.expirationDate != nil })
        try await client.finish(restored)
        let after = try await Self.receipt(client).purchases
        #expect(after.map(\.transactionID) == [bought.transactionId.description])
    }

    @Test func `another device sees what is owned, and nothing that is to be delivered here`()
        async throws
    {
        let shop = try await TestStore(hasContent: false)
        let client = try await APIClient.signedIn(shop)
        let badge = try await client.buy(APIClient.badge(1))
        _ = try await client.buy(APIClient.credits(2))
        var other = client
        other.device = "device-2"
        let seen = try await Self.receipt(other).purchases
        #expect(seen.map(\.transactionID) == [badge.transactionId.description])
        var stranger = client
        try await stranger.signIn(TestStore.japanese)
        #expect(try await Self.receipt(stranger).purchases.isEmpty)
    }

    @Test func `a tester gets the receipt that is wanted`() async throws {
        let clock = SettableClock()
        let shop = try await TestStore(hasContent: false, clock: clock)
        let client = try await APIClient.signedIn(shop)
        _ = try await client.buy(APIClient.badge(1))
        let plain = try await Self.receipt(client, properties: ReceiptProperties())
        #expect(plain.type == "ProductionSandbox" && plain.expirationDate == nil)
        let volume = try await Self.receipt(
            client, properties: ReceiptProperties(volumePurchase: true))
        #expect(volume.type == "ProductionVPPSandbox")
        #expect(try #require(volume.expirationDate) > clock.now())
        let expired = try await Self.receipt(client, properties: ReceiptProperties(expired: true))
        #expect(expired.type == "ProductionVPPSandbox")
        #expect(try #require(expired.expirationDate) < clock.now())
        #expect(expired.purchases.map(\.cancellationDate) == [nil])
        let revoked = try await Self.receipt(client, properties: ReceiptProperties(revoked: true))
        #expect(revoked.purchases.map(\.cancellationDate) == [clock.now()])
        #expect(revoked.expirationDate == nil)
        // It leaves no trace.
        #expect(try await Self.receipt(client).purchases.map(\.cancellationDate) == [nil])
    }

    @Test(arguments: [
        #"{}"#, #"{"deviceIdentifier":"AQ=="}"#, #"{"applicationVersion":"1"}"#,
        #"{"deviceIdentifier":"","applicationVersion":"1"}"#,
        #"{"deviceIdentifier":"no base64","applicationVersion":"1"}"#,
        #"{"deviceIdentifier":"AQ==","applicationVersion":""}"#,
        #"{"deviceIdentifier":"AQ==","applicationVersion":"a\u0000b"}"#,
        #"{"deviceIdentifier":"AQ==","applicationVersion":1}"#,
        #"{"deviceIdentifier":"AQ==","applicationVersion":"1","properties":[]}"#, "", "[]",
    ])
    func `a malformed request is refused`(body: String) async throws {
        let shop = try await TestStore(hasContent: false)
        let client = try await APIClient.signedIn(shop)
        let refusal = try await client.refusal("POST", DeviceRoute.receipt, Data(body.utf8))
        #expect(refusal.name == "400 malformedRequest")
    }

    @Test func `values that are too long are refused`() async throws {
        let shop = try await TestStore(hasContent: false)
        let client = try await APIClient.signedIn(shop)
        for request in [
            ReceiptRequest(deviceIdentifier: Data(count: 65), applicationVersion: "1"),
            ReceiptRequest(
                deviceIdentifier: Data(count: 1),
                applicationVersion: String(repeating: "1", count: 65)),
        ] {
            #expect(
                try await client.refusal(DeviceRoute.receipt, request).name
                    == "400 malformedRequest")
        }
    }
}
