/// What customers read about a subscription before its button, the same on every sheet and page.
///
/// Consumer law wants all of it said there: the price and its period, that it renews by itself,
/// and how it is cancelled.
package struct RenewalNotice: Sendable, Hashable {
    /// What the button says instead of `Buy`.
    package static let action: String = "Subscribe"

    package let period: SubscriptionPeriod

    package init(_ period: SubscriptionPeriod) {
        self.period = period
    }

    /// The price with its period, `$9.99 every month`.
    package func price(_ price: String) -> String { "\(price) \(period.frequency)" }

    /// How it is cancelled.
    package static let cancellation: (label: String, value: String) = (
        "Cancel", "at any time on your account’s page in the store, under Subscriptions"
    )

    /// - Parameter price: as the storefront writes it.
    package func terms(price: String) -> [(label: String, value: String)] {
        [
            ("Price", self.price(price)),
            ("Renews", "\(period.frequency) at this price until you cancel"),
        ]
    }

    /// The terms, and how it is cancelled.
    ///
    /// - Parameter price: as the storefront writes it.
    package func facts(price: String) -> [(label: String, value: String)] {
        terms(price: price) + [Self.cancellation]
    }
}

extension SubscriptionPeriod {
    /// How long it is, in English: `month`, `3 months`.
    package var words: String {
        let name =
            switch unit {
            case .day: "day"
            case .week: "week"
            case .month: "month"
            case .year: "year"
            }
        return count == 1 ? name : "\(count) \(name)s"
    }

    /// How often it comes round, in English: `every month`, `every 3 months`.
    package var frequency: String { "every \(words)" }
}
