import Foundation
import StoreModel

/// Renews subscriptions, or ends them: what a running store does by itself.
package struct RenewalService: Sendable {
    /// So many are looked up at once.
    private static let batch = 200

    private let shop: Shop

    package init(database: any ShopDatabase, clock: any StoreClock) {
        shop = Shop(database: database, clock: clock)
    }

    /// Does what is due, each subscription in a transaction of its own. One for which that can't be
    /// done is set aside.
    ///
    /// - Parameter time: what the clock shows; `nil` while it can't be believed, and nothing is done.
    /// - Returns: how many steps were taken.
    /// - Throws: `RowsSetAside` at the end, where there was such a one.
    @discardableResult
    package func advance(_ time: BelievedTime? = nil) async throws -> Int {
        var steps = 0
        var problems: [String] = []
        while let now = try await shop.clock.now(time) {
            let due = try await shop.read { try $0.renewals.due(at: now, limit: Self.batch) }
            if due.isEmpty { break }
            let (done, failed) = try await SettingAside.each(due) { original in
                try await advance(original, at: now)
            } setAside: { original, reason in
                try await shop.write { try $0.renewals.setAside(original, because: reason) }
            }
            steps += done
            problems += failed
            if done == 0 { break }
        }
        guard problems.isEmpty else {
            throw RowsSetAside(what: "subscriptions", problems: problems)
        }
        return steps
    }

    /// When there is something to do next by the store's time; nil for never.
    package func nextDue() async throws -> Date? {
        try await shop.read { try $0.renewals.nextDue() }
    }

    private func advance(_ original: TransactionID, at now: Date) async throws -> Bool {
        try await shop.write { try $0.at(now).takeDueStep(of: original) }
    }
}

extension UnitOfWork {
    /// Does the next step of a subscription that is due.
    ///
    /// - Returns: whether it was due.
    @discardableResult
    func takeDueStep(of original: TransactionID) throws -> Bool {
        guard let subscription = try renewals.subscription(original), let due = subscription.due,
            due <= now
        else { return false }
        let situation = try renewalSituation(of: subscription)
        let step = RenewalRules.step(of: subscription, situation, at: now)
        try RenewalWriter(subscription, self).take(step)
        return true
    }
}

/// Writes what becomes of a subscription that is due, inside a transaction.
struct RenewalWriter {
    private let subscription: Subscription
    private let work: UnitOfWork

    init(_ subscription: Subscription, _ work: UnitOfWork) {
        self.subscription = subscription
        self.work = work
    }

    func take(_ step: RenewalStep) throws {
        var next = subscription
        switch step {
        case .renew(let price, let offer, let start, let end, let isRecovery):
            try renew(price: price, offer: offer, start: start, end: end, isRecovery: isRecovery)
        case .fail(let graceEnd, let retryEnd, let due):
            next.state = graceEnd == nil ? .retry : .grace
            next.graceEnd = graceEnd
            next.retryEnd = retryEnd
            next.intent = .billingError
            next.due = due
            try work.save(next, isShared: true)
            try spendFailure()
            try work.notifyWithFamily(
                .didFailToRenew, graceEnd == nil ? nil : .gracePeriod, of: next)
        case .retry(let due):
            next.due = due
            // Nobody sees a difference.
            try work.renewals.save(next)
            try spendFailure()
        case .endGrace(let due):
            next.state = .retry
            next.graceEnd = nil
            next.due = due
            try work.save(next, isShared: true)
            try work.notifyWithFamily(.gracePeriodExpired, nil, of: next)
        case .expire(let intent):
            next.end(.expired, intent)
            // Also where the sandbox has renewed it often enough.
            if intent == .cancelled { next.renews = false }
            try work.save(next, isShared: true)
            try work.notifyWithFamily(.expired, Self.subtype(of: intent), of: next)
        }
    }

    private func renew(
        price: Money, offer: AppliedOffer?, start: Date, end: Date, isRecovery: Bool
    ) throws {
        guard let last = try work.ledger.entry(subscription.latest) else {
            throw RenewalError(transaction: subscription.latest)
        }
        var draft = last.details
        draft.kind = .purchase
        // The price is that of where the customer is by now.
        if let account = try work.accounts.account(subscription.account) {
            draft.storefront = account.storefront
        }
        draft.productID = subscription.renewalProduct
        // One key for each period, which no device can use: a renewal happens once.
        draft.key = "renewal.\(subscription.original.id).\(subscription.latest)"
        draft.unitPrice = price
        draft.charged = price
        draft.original = subscription.original
        draft.applicationUsername = try work.nextAccountToken(of: subscription, after: last)
        draft.date = start
        let entry = try work.ledger.insert(draft)
        // Figures of a day that is over stay, also where the store was not running then.
        if SalesDay(start) != SalesDay(work.now) {
            try work.ledger.recordPosting(of: entry.id, at: work.now)
        }
        var next = subscription
        next.product = subscription.renewalProduct
        next.state = .active
        next.latest = entry.id
        next.expiration = end
        next.graceEnd = nil
        next.retryEnd = nil
        next.intent = nil
        next.renewals += 1
        next.due = end
        next.accountToken = nil
        let goesOn = start == subscription.expiration ? subscription.anchorDay : nil
        next.anchorDay = RenewalSchedule.anchorDay(
            behind: end, before: goesOn ?? RenewalSchedule.dayOfMonth(start))
        try work.save(next, isShared: false)
        try work.renewals.insertPeriod(entry.id, of: next, end: end, reason: .renewal)
        try work.keepAccountToken(of: subscription, for: entry)
        if let offer {
            try work.offers.insert(ChargedOffer(entry.id, of: next, offer))
        }
        try work.offers.settleAccepted(
            by: next.original.id, of: next.product, charged: offer)
        try work.events.append(
            DeviceEventDraft(account: next.account, app: next.app, kind: .transactions),
            at: work.now)
        let types: UnitOfWork.NotificationTypes = (.didRenew, isRecovery ? .billingRecovery : nil)
        try work.notify(types.type, types.subtype, of: next.latest, subscription: next)
        if try work.catalog.isFamilyShareable(next.product, in: next.app) {
            try work.shareWithFamily(entry, as: types)
        } else {
            try work.endShares(of: subscription)
        }
    }

    /// The next payment of a tester fails once only.
    private func spendFailure() throws {
        var settings = try work.accounts.settings(of: subscription.account)
        guard settings.paymentFailure == .next else { return }
        settings.paymentFailure = .none
        try work.accounts.set(settings, of: subscription.account)
    }

    private static func subtype(of intent: Subscription.ExpirationIntent) -> NotificationSubtype? {
        switch intent {
        case .cancelled: .voluntary
        case .billingError: .billingRetry
        case .priceIncreaseRefused: .priceIncrease
        case .productUnavailable: .productNotForSale
        case .other: nil
        }
    }
}

/// A subscription refers to a transaction that the ledger does not have.
private struct RenewalError: Error, CustomStringConvertible {
    let transaction: TransactionID

    var description: String { "the ledger has no transaction \(transaction)" }
}
