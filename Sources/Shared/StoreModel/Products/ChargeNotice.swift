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

    /// Whether the purchase charges nothing.
    package var isFree: Bool { self != .now }
}
