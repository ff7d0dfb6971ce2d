import Foundation
import StoreCore
import StoreModel
import StoreServer
import StoreTestSupport
import Testing

@testable import StoreKit

/// The table of the article *Entitlements offline*: what each sequence gives, and in which order.
struct SequenceTableTests {
    private typealias Sequence = @Sendable () -> StoreKit.Transaction.Transactions

    /// What the account buys, the oldest first, and whether the app finishes it.
    private static let purchases: [(name: String, product: String, isFinished: Bool)] = [
        ("used pack", SampleShop.credits, true), ("badge", SampleShop.badge, true),
        ("pack", SampleShop.credits, false), ("month", SampleShop.monthly, true),
        ("chapter", SampleShop.chapter, false),
    ]

    private static let rows: [(row: String, sequence: Sequence, names: [String])] = [
        ("all", { Transaction.all }, ["chapter", "month", "pack", "badge"]),
        ("all(for:)", { Transaction.all(for: SampleShop.credits) }, ["pack"]),
        (
            "currentEntitlements", { Transaction.currentEntitlements },
            ["chapter", "month", "badge"]
        ),
        (
            "currentEntitlements(for:)", { Transaction.currentEntitlements(for: SampleShop.badge) },
            ["badge"]
        ),
        (
            "currentEntitlements(for:) of a consumable",
            { Transaction.currentEntitlements(for: SampleShop.credits) }, []
        ),
        ("unfinished", { Transaction.unfinished }, ["chapter", "pack"]),
    ]

    @Test func `each sequence gives what its row says, before and after a revocation`()
        async throws
    {
        let store = try await TestStore()
        let folder = try TemporaryFolder()
        let device = try await TestDevice(store, folder: folder)
        var names: [UInt64: String] = [:]
        for purchase in Self.purchases {
            let bought = try #require(try await device.purchase(purchase.product))
            names[bought.id] = purchase.name
            if purchase.isFinished { await device.use { await bought.finish() } }
        }
        for row in Self.rows {
            let found = try await device.all(row.sequence).map { names[$0.id] }
            #expect(found == row.names, "\(row.row)")
        }
        let latest = await device.use { await Transaction.latest(for: SampleShop.monthly) }
        #expect(latest.map { names[$0.unsafePayloadValue.id] } == "month")
        let states = await device.use {
            var states: [[StoreKit.Product.SubscriptionInfo.RenewalState]] = []
            for await group in StoreKit.Product.SubscriptionInfo.Status.all {
                states.append(group.statuses.map(\.state))
            }
            return states
        }
        #expect(states == [[.subscribed]])
        await device.engine.close()

        // What is not finished comes again at the next launch, the oldest first.
        let second = try await TestDevice(store, folder: folder)
        #expect(try await second.updates(2).map { names[$0.id] } == ["pack", "chapter"])
        await second.engine.close()

        // A consumable is there again once it is revoked; what was revoked is no entitlement.
        for (id, name) in names where ["used pack", "badge"].contains(name) {
            let id = try #require(TransactionID(id.description))
            _ = try await store.store.services.purchases.revoke(id, reason: .other)
        }
        let third = try await TestDevice(store, folder: folder)
        let told = try await third.updates(4).map { names[$0.id] ?? "" }
        #expect(Set(told) == ["used pack", "badge", "pack", "chapter"])
        let all = try await third.all { Transaction.all }.map { names[$0.id] }
        #expect(all == ["chapter", "month", "pack", "badge", "used pack"])
        let entitled = try await third.all { Transaction.currentEntitlements }
        #expect(entitled.map { names[$0.id] } == ["chapter", "month"])
        let revoked = await third.use { await Transaction.latest(for: SampleShop.badge) }
        #expect(revoked?.unsafePayloadValue.revocationDate != nil)
        await third.engine.close()
    }
}
