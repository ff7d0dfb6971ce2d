import Foundation
import StoreModel

/// What a test does to a tester's subscription, and no store does by itself.
package struct SubscriptionTesting: Sendable {
    private let shop: Shop

    package init(database: any ShopDatabase, clock: any StoreClock) {
        shop = Shop(database: database, clock: clock)
    }

    /// Ends the running period now, so that the next step of the renewals is due.
    ///
    /// - Parameter renews: whether another period may follow; the subscription ends otherwise.
    /// - Returns: false if the account has no running subscription to the product.
    package func endPeriod(
        of product: ProductID, account: AccountID, app: AppID, renews: Bool
    ) async throws -> Bool {
        try await shop.write { work in
            let found = try work.renewals.subscriptions(of: account, app: app)
                .first { $0.product == product && $0.state.isRunning }
            guard var subscription = found, subscription.environment == .sandbox else {
                return false
            }
            guard subscription.state == .active else {
                // Its period is over: the payment is tried again, or never again.
                subscription.due = work.now
                guard renews else {
                    try RenewalWriter(subscription, work).take(.expire(.billingError))
                    return true
                }
                try work.save(subscription, isShared: true)
                return true
            }
            // Deleting a period deletes its ends, and nothing has its number again.
            let period = subscription.latest
            let count = try work.renewals.extensions(ofPeriod: period)
            // Later rows of the table count, whichever way they move the end.
            try work.renewals.insert(
                RenewalExtension(
                    original: subscription.original.id, period: subscription.latest, app: app,
                    expiration: work.now, days: 1, reason: .undeclared,
                    request: "test.end.\(period).\(count)", date: work.now))
            subscription.expiration = work.now
            subscription.due = work.now
            subscription.renews = renews && subscription.renews
            try work.save(subscription, isShared: true)
            return true
        }
    }

    /// Lets the payment go through that a subscription waits for: the next step of the renewals
    /// charges it.
    ///
    /// - Returns: false if the subscription does not wait for a payment, or ends with its grace period.
    package func settlePayment(of original: TransactionID, by account: AccountID) async throws
        -> Bool
    {
        try await shop.write { work in
            guard var subscription = try work.renewals.subscription(original),
                subscription.account == account, subscription.environment == .sandbox,
                subscription.state == .retry || subscription.state == .grace, subscription.renews
            else { return false }
            subscription.due = work.now
            var situation = try work.renewalSituation(of: subscription)
            situation.isPaymentDeclined = false
            let step = RenewalRules.step(of: subscription, situation, at: work.now)
            try RenewalWriter(subscription, work).take(step)
            return true
        }
    }

    /// Brings a subscription back to its latest period, where a test has deleted the one behind: it runs or has
    /// ended as that period has, and goes on with its product.
    package func goBack(_ original: TransactionID) async throws {
        try await shop.write { work in
            guard var subscription = try work.renewals.subscription(original),
                let period = try work.transactions.record(subscription.latest),
                let end = period.facts.expiration
            else { return }
            let details = period.entry.details
            subscription.product = details.productID
            subscription.renewalProduct = details.productID
            subscription.expiration = end
            subscription.graceEnd = nil
            subscription.retryEnd = nil
            subscription.accountToken = nil
            subscription.renewals = max(0, subscription.renewals - 1)
            subscription.anchorDay = RenewalSchedule.anchorDay(
                behind: end, before: RenewalSchedule.dayOfMonth(details.date))
            if period.facts.revocation == nil {
                subscription.goOn(at: work.now)
            } else {
                subscription.end(.revoked, .other)
            }
            try work.save(subscription, isShared: true)
        }
    }
}
