import Foundation

/// When a purchase takes money, as customers read it before its button: the same on every sheet and
/// page.
package enum ChargeNotice: Sendable, Hashable {
    /// The price is charged at once.
    case now
    /// The account owns the product.
    case owned
    /// The account has this subscription, which goes on.
    case running
    /// The subscription changes to this product when the period that is paid for ends.
    case later(Date)
    /// The subscription begins with an offer, whose price is in the storefront's currency.
    case offer(SubscriptionOffer)
    /// The subscription begins at once in place of one that the account has paid for, and what is left of
    /// that is paid back.
    case upgrade(SubscriptionOffer?)
    /// An offer is charged for the next period, which begins at a date.
    case accepted(SubscriptionOffer, start: Date)

    /// Whether nothing is charged before the period ends that was paid for.
    package var isFree: Bool {
        switch self {
        case .now, .offer, .upgrade: false
        case .owned, .running, .later, .accepted: true
        }
    }

    /// What the customer agrees to beside the price.
    package var offer: SubscriptionOffer? {
        switch self {
        case .offer(let offer), .accepted(let offer, _): offer
        case .upgrade(let offer): offer
        case .now, .owned, .running, .later: nil
        }
    }

    /// Whether somebody else approves it, where somebody does for the account.
    package var asksGuardian: Bool { !isFree || offer != nil }
}
