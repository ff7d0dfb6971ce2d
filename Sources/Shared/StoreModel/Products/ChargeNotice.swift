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

    /// What is said about it; nil where the price says it all.
    package var sentence: String? {
        switch self {
        case .now: return nil
        case .owned: return "You own this: it is free."
        case .running: return "You have this subscription; it goes on, and nothing is charged now."
        case .later(let date):
            let start = CalendarDay(of: date).map { "on \($0.words), " } ?? ""
            return "Starts \(start)when the period that you have paid for ends; "
                + "nothing is charged before."
        }
    }
}

extension CalendarDay {
    /// The day in English: `24 November 2026`.
    package var words: String { "\(day) \(Self.months[month - 1]) \(year)" }

    private static let months = [
        "January", "February", "March", "April", "May", "June", "July", "August", "September",
        "October", "November", "December",
    ]
}
