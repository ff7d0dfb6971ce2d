import Foundation
import StoreAPI
import StoreCore
import StoreModel
import Synchronization

/// The app, the tester and the time of a test's store, and what a test does to them.
///
/// Everything goes through the store's own services: it is done as the store itself does it. The
/// framework's test sessions and `openstore test` are fronts of it.
package final class TestShop: Sendable {
    let ephemeral: EphemeralStore
    /// What the test began with.
    package let beginning: EphemeralStore.Shop
    package let clock: TestClock
    /// Numbers the purchases that a test makes.
    private let orders = Mutex<UInt64>(0)

    package init(_ ephemeral: EphemeralStore, _ beginning: EphemeralStore.Shop, clock: TestClock) {
        (self.ephemeral, self.beginning, self.clock) = (ephemeral, beginning, clock)
    }

    package var store: Store { ephemeral.store }
    package var services: APIServices { ephemeral.store.services }
    package var app: App { beginning.report.app }
    package var tester: AccountID { beginning.tester.id }

    /// The tester as the store has it now.
    func account() async throws -> Account? {
        let tester = tester
        return try await store.database.read { try $0.accounts.account(tester) }
    }

    /// A purchase's number, the same with each run.
    func nextOrder() -> UInt64 {
        orders.withLock { orders in
            orders += 1
            return orders
        }
    }

    /// Tells the app's devices that transactions are there which they have not asked for.
    func tellTransactions() async throws {
        let (tester, app, now) = (tester, app.id, clock.now())
        try await store.database.write { repositories in
            try repositories.events.append(
                DeviceEventDraft(account: tester, app: app, kind: .transactions), at: now)
        }
    }

    // MARK: Time

    /// What is due is looked at so often at least, in seconds of the test's clock: certificates end,
    /// and sessions.
    private static let hop: TimeInterval = 30 * 86_400

    /// Moves the clock forward, from one due date to the next: the store does what is due, and then
    /// the clock moves again.
    ///
    /// - Parameters:
    ///   - seconds: not negative.
    ///   - moved: called after each move.
    ///   - done: called when something was done that was due, and at the end.
    /// - Throws: `TestRefusal`, or what breaks in the store.
    package func advance(
        by seconds: TimeInterval, moved: () async throws -> Void = {},
        done: () async throws -> Void
    ) async throws {
        guard seconds >= 0, seconds.isFinite else {
            throw TestRefusal(
                .invalidAction,
                "The clock can't be moved by \(seconds) seconds: it goes forward only, by 0 or more."
            )
        }
        let end = clock.now().addingTimeInterval(seconds)
        if let latest = store.keys.root.validity?.upperBound, end >= latest {
            throw TestRefusal(
                .invalidAction,
                "The clock can't be moved beyond \(latest.formatted(.iso8601)), when the store's root "
                    + "certificate ends: nothing that is signed then could be verified.")
        }
        while true {
            try Task.checkCancellation()
            let now = clock.now()
            let (due, lapse) = (try await nextDue(), try await nextLapse(after: now))
            let next = [due, lapse].compactMap { $0 }.min() ?? end
            let stop = min(end, now.addingTimeInterval(Self.hop), max(next, now))
            clock.advance(to: stop)
            if store.keys.isRenewalDue(at: clock.now()) {
                try store.keys.renewDue(at: clock.now())
            }
            try await moved()
            if next <= stop, due != nil || lapse != nil {
                try await services.renewals.advance()
                try await services.refunds.advance()
                if let lapse, lapse <= stop { try await tellTransactions() }
                try await done()
            } else if stop >= end {
                break
            }
        }
        try await done()
    }

    /// Does what has become due until a date, each at its time.
    package func catchUp(to date: Date) async throws {
        while let due = try await nextDue(), due <= date {
            try Task.checkCancellation()
            try await clock.at(due) {
                try await services.renewals.advance()
                try await services.refunds.advance()
            }
        }
    }

    /// When the store has something to do next; nil for never.
    package func nextDue() async throws -> Date? {
        let dates = [
            try await services.renewals.nextDue(), try await services.refunds.nextDue(),
        ]
        return dates.compactMap { $0 }.min()
    }

    /// When the next request for an approval lapses behind a date; nil for none.
    private func nextLapse(after date: Date) async throws -> Date? {
        try await store.database.read { try $0.pending.approvalDates(at: date) }.min()?
            .addingTimeInterval(PendingPurchase.approvalPeriod)
    }
}
