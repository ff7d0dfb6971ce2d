import Foundation
import StoreModel

/// What the store knows when a subscription is due.
package struct RenewalSituation: Sendable {
    /// What it would go on with: nil where that is not sold any longer.
    package var terms: SubscriptionTerms?
    /// What it costs where the customer is; nil where it is not sold there.
    package var price: Money?
    /// The offer that the price is of.
    package var offer: AppliedOffer?
    package var isPaymentDeclined: Bool
    /// Whether the customer was asked about a higher price, and how they answered.
    package var priceIncrease: PriceIncrease
    /// How many days the grace period has; nil if the app has no grace period.
    package var graceDays: Int?
    /// It ends after so many renewals; nil if it goes on.
    package var renewalLimit: Int?
    package var schedule: RenewalSchedule

    package enum PriceIncrease: Sendable, Hashable {
        case none
        case unanswered
        case agreed
        case refused
    }
}

/// What becomes of a subscription that is due.
package enum RenewalStep: Sendable, Hashable {
    /// Another period is charged and begins.
    case renew(price: Money, offer: AppliedOffer?, start: Date, end: Date, isRecovery: Bool)
    /// The payment failed: billing retry (dunning) begins. The store tries again, for a while with the customer subscribed.
    case fail(graceEnd: Date?, retryEnd: Date, next: Date)
    /// It failed again.
    case retry(next: Date)
    /// The customer's grace is over; the store tries on.
    case endGrace(next: Date)
    case expire(Subscription.ExpirationIntent)
}

/// The rules by which subscriptions are renewed.
package enum RenewalRules {
    /// What becomes of a subscription that is due.
    package static func step(
        of subscription: Subscription, _ situation: RenewalSituation, at now: Date
    ) -> RenewalStep {
        let isRecovery = subscription.state != .active
        guard subscription.renews else {
            return .expire(subscription.cancellation)
        }
        if let limit = situation.renewalLimit, subscription.renewals >= limit {
            return .expire(.cancelled)
        }
        guard let terms = situation.terms, let price = situation.price else {
            return .expire(.productUnavailable)
        }
        switch situation.priceIncrease {
        case .none, .agreed: break
        // A failed payment is tried again at the price from before the question, which does not stop it.
        case .unanswered where isRecovery: break
        case .unanswered, .refused:
            // An offer costs what the customer has agreed to.
            guard situation.offer != nil else { return .expire(.priceIncreaseRefused) }
        }
        guard situation.isPaymentDeclined, price.thousandths > 0 else {
            // Nobody pays for what lies behind: where the store came late, or the payment did, the
            // period begins now. Grace is part of the period that follows.
            let period = situation.offer?.chargedPeriod ?? terms.period
            let atOnce = situation.schedule.end(
                of: period, from: subscription.expiration, anchorDay: subscription.anchorDay)
            let isLate = subscription.state == .retry || atOnce <= now
            return .renew(
                price: price, offer: situation.offer,
                start: isLate ? now : subscription.expiration,
                end: isLate ? situation.schedule.end(of: period, from: now) : atOnce,
                isRecovery: isRecovery)
        }
        return isRecovery
            ? again(subscription, situation, at: now) : failure(subscription, situation, at: now)
    }

    private static func failure(
        _ subscription: Subscription, _ situation: RenewalSituation, at now: Date
    ) -> RenewalStep {
        let grace = situation.graceDays.map {
            subscription.expiration.addingTimeInterval(
                situation.schedule.grace(days: $0, of: situation.terms?.period))
        }
        let retryEnd = subscription.expiration.addingTimeInterval(situation.schedule.retryLength)
        let graceEnd = grace.flatMap { $0 > now ? $0 : nil }
        return .fail(
            graceEnd: graceEnd, retryEnd: max(retryEnd, now),
            next: next(situation.schedule, before: [graceEnd, retryEnd], at: now))
    }

    private static func again(
        _ subscription: Subscription, _ situation: RenewalSituation, at now: Date
    ) -> RenewalStep {
        if let end = subscription.retryEnd, end <= now { return .expire(.billingError) }
        if subscription.state == .grace, let end = subscription.graceEnd, end <= now {
            return .endGrace(
                next: next(situation.schedule, before: [subscription.retryEnd], at: now))
        }
        return .retry(
            next: next(
                situation.schedule, before: [subscription.graceEnd, subscription.retryEnd], at: now)
        )
    }

    /// The next attempt, or an end that comes before it.
    private static func next(_ schedule: RenewalSchedule, before ends: [Date?], at now: Date)
        -> Date
    {
        let ahead = ends.compactMap { $0 }.filter { $0 > now }
        return (ahead + [now.addingTimeInterval(schedule.retryInterval)]).min()
            ?? now.addingTimeInterval(schedule.retryInterval)
    }
}
