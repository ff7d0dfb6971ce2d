extension SubscriptionPeriod {
    private static let names: [(String, SubscriptionPeriod)] = Array(
        zip(
            ["ONE_WEEK", "ONE_MONTH", "TWO_MONTHS", "THREE_MONTHS", "SIX_MONTHS", "ONE_YEAR"],
            ofSubscriptions))

    /// App Store Connect's name, for example `ONE_MONTH`; nil for a period that it does not have.
    package var connectName: String? { Self.names.first { $0.1 == self }?.0 }

    /// App Store Connect's name for the duration of an offer, for example `TWO_WEEKS`; `nil` for one
    /// that it does not have.
    package var connectOfferName: String? {
        switch (unit, count) {
        case (.day, 3): "THREE_DAYS"
        case (.week, 2): "TWO_WEEKS"
        default: connectName
        }
    }

    package init?(connectName: String) {
        guard let found = Self.names.first(where: { $0.0 == connectName }) else { return nil }
        self = found.1
    }
}
