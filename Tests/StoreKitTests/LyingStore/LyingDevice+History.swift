import Foundation
@testable import StoreKit
import StoreTestSupport
import Testing

/// What an app asks by StoreKit 2. Nothing but the test has the device ask, so that each lie is told
/// to whom it is meant for.
extension LyingDevice {
    private static let owned = [SampleShop.badge, SampleShop.monthly]

    /// Buys a subscription, and reads everything once.
    func useHistory() async throws {
        _ = try #require(await test.engine.useFeed())
        // The queue's observer may be starting the engine at this moment: there is a listener behind that.
        await untilQuiet()
        await test.stopListening()
        let bought = try #require(try await test.purchase(SampleShop.monthly))
        await test.use { await bought.finish() }
        await untilQuiet()
        try await fetchHistory()
        _ = try await test.engine.appTransaction(isFresh: true)
        try await checkHistory()
    }

    /// Fetches the account's history, or what has changed of it.
    func fetchHistory(all: Bool = true) async throws {
        let opened = try test.engine.open()
        test.engine.feed.state.withLock { $0.wantsAll = all }
        test.engine.feed.markChanged()
        await test.engine.refreshHistory(opened).value
        if let error = test.engine.feed.state.withLock({ $0.fetchError }) { throw error }
    }

    /// Returns when the device has done what it does by itself: what is enqueued, and what that fetches.
    func untilQuiet() async {
        await withCheckedContinuation { continuation in
            test.engine.enqueue { _ in continuation.resume() }
        }
        await test.engine.feed.refresher.end()
    }

    /// Everything is verified, and as the store has it.
    func checkHistory() async throws {
        #expect(try await test.entitlements() == Self.owned)
        let statuses = try await test.engine.statusGroups().flatMap(\.statuses)
        #expect(statuses.map(\.state) == [.subscribed])
        for status in statuses {
            _ = (try status.transaction.payloadValue, try status.renewalInfo.payloadValue)
        }
    }

    /// Looks at all that an app can see of subscriptions.
    func lookAtStatuses() async {
        await test.use {
            for await group in StoreKit.Product.SubscriptionInfo.Status.all {
                for status in group.statuses {
                    _ = "\(status.state) \(status.state.localizedDescription)"
                    _ = status.transaction.debugDescription + status.renewalInfo.debugDescription
                    _ = status.renewalInfo.unsafePayloadValue.willAutoRenew
                }
            }
        }
    }
}
