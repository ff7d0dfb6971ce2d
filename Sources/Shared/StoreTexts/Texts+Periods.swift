import StoreModel

// How long a subscription or an offer runs.
extension Texts {
    /// The unit of a period without a number: `month`.
    package func name(of unit: SubscriptionPeriod.Unit) -> String {
        switch unit {
        case .day: dayUnit
        case .week: weekUnit
        case .month: monthUnit
        case .year: yearUnit
        }
    }

    /// So many of a unit: `1 month`, `3 months`.
    package func duration(_ count: Int, _ unit: SubscriptionPeriod.Unit) -> String {
        switch unit {
        case .day: days(count: count)
        case .week: weeks(count: count)
        case .month: months(count: count)
        case .year: years(count: count)
        }
    }
}
