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

    /// Whether the purchase charges nothing, now or later.
    package var isFree: Bool {
        switch self {
        case .now, .offer: false
        case .owned, .running, .later: true
        }
    }

    /// What a purchase charges at once.
    ///
    /// - Parameter price: of all of it.
    package func amount(of price: Money) -> Money {
        switch self {
        case .now: price
        case .offer(let offer): Money(thousandths: offer.thousandths, currency: price.currency)
        case .owned, .running, .later: Money(thousandths: 0, currency: price.currency)
        }
    }
}
