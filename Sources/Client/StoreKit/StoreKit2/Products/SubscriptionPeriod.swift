import StoreModel

/// A span of calendar time, such as one month.
@available(iOS 18.4, macOS 15.4, tvOS 18.4, watchOS 11.4, visionOS 2.4, *)
public typealias SubscriptionPeriod = Product.SubscriptionPeriod

@available(iOS 15.0, macOS 12.0, tvOS 15.0, watchOS 8.0, visionOS 1.0, *)
extension Product {
    /// How long a subscription or an offer runs.
    public struct SubscriptionPeriod: Hashable, Sendable {
        /// What a period is counted in.
        public enum Unit: Hashable, Sendable {
            /// Days.
            case day
            /// Weeks.
            case week
            /// Months of the Gregorian calendar.
            case month
            /// Years of the Gregorian calendar.
            case year
        }

        /// What it is counted in.
        public let unit: Unit
        /// How many units.
        public let value: Int

        init(unit: Unit, value: Int) {
            self.unit = unit
            self.value = value
        }

        /// Reads ISO 8601 with one unit, such as `P1M`; `nil` for anything else.
        ///
        /// The unit stays: `P7D` is seven days, not a week.
        init?(iso8601 text: String) {
            guard let period = StoreModel.SubscriptionPeriod(iso8601: text) else { return nil }
            let unit: Unit =
                switch period.unit {
                case .day: .day
                case .week: .week
                case .month: .month
                case .year: .year
                }
            self.init(unit: unit, value: period.count)
        }
    }
}

@available(iOS 16.4, macOS 13.3, tvOS 16.4, watchOS 9.4, visionOS 1.0, *)
extension Product.SubscriptionPeriod {
    /// One week.
    public static var weekly: Product.SubscriptionPeriod { Self(unit: .week, value: 1) }
    /// One month.
    public static var monthly: Product.SubscriptionPeriod { Self(unit: .month, value: 1) }
    /// One year.
    public static var yearly: Product.SubscriptionPeriod { Self(unit: .year, value: 1) }
    /// Three days.
    public static var everyThreeDays: Product.SubscriptionPeriod { Self(unit: .day, value: 3) }
    /// Two weeks.
    public static var everyTwoWeeks: Product.SubscriptionPeriod { Self(unit: .week, value: 2) }
    /// Two months.
    public static var everyTwoMonths: Product.SubscriptionPeriod { Self(unit: .month, value: 2) }
    /// Three months.
    public static var everyThreeMonths: Product.SubscriptionPeriod { Self(unit: .month, value: 3) }
    /// Six months.
    public static var everySixMonths: Product.SubscriptionPeriod { Self(unit: .month, value: 6) }
}

@available(iOS 15.0, macOS 12.0, tvOS 15.0, watchOS 8.0, visionOS 1.0, *)
extension Product.SubscriptionPeriod {
    /// The period as a range of dates, by the Gregorian calendar in the device's time zone.
    ///
    /// - Parameter referenceDate: where it begins. The range is empty if the calendar has no date
    ///   for its end.
    public func dateRange(referenceDate: Date = .now) -> Range<Date> {
        let end: Date? = Calendar(identifier: .gregorian)
            .date(byAdding: unit.component, value: value, to: referenceDate)
        guard let end, end > referenceDate else {
            return Range(uncheckedBounds: (referenceDate, referenceDate))
        }
        return referenceDate..<end
    }

    /// The period, formatted as a range of dates.
    ///
    /// - Parameters:
    ///   - format: for example ``Product/subscriptionPeriodFormatStyle``.
    ///   - referenceDate: where the range begins.
    public func formatted<S>(
        _ format: S, referenceDate: Date = .now
    ) -> S.FormatOutput where S: FormatStyle, S.FormatInput == Range<Date> {
        format.format(dateRange(referenceDate: referenceDate))
    }
}

@available(iOS 16.0, macOS 13.0, tvOS 16.0, watchOS 9.0, visionOS 1.0, *)
extension Product.SubscriptionPeriod {
    /// The period, formatted as a duration.
    ///
    /// - Parameters:
    ///   - format: for example `.units(allowed: [.days])`.
    ///   - referenceDate: where it begins: months and years are of different lengths.
    public func formatted<S>(
        _ format: S, referenceDate: Date = .now
    ) -> S.FormatOutput where S: FormatStyle, S.FormatInput == Duration {
        let range = dateRange(referenceDate: referenceDate)
        return format.format(
            .seconds(range.upperBound.timeIntervalSince(range.lowerBound)))
    }
}

@available(iOS 15.0, macOS 12.0, tvOS 15.0, watchOS 8.0, visionOS 1.0, *)
extension Product.SubscriptionPeriod: CustomDebugStringConvertible {
    /// The number and the unit, such as `3 months`.
    public var debugDescription: String {
        "\(value) \(unit.debugDescription)\(value == 1 ? "" : "s")"
    }
}

@available(iOS 15.0, macOS 12.0, tvOS 15.0, watchOS 8.0, visionOS 1.0, *)
extension Product.SubscriptionPeriod.Unit: CustomDebugStringConvertible {
    var component: Calendar.Component {
        switch self {
        case .day: .day
        case .week: .weekOfYear
        case .month: .month
        case .year: .year
        }
    }

    /// The unit's name, in English.
    public var debugDescription: String {
        switch self {
        case .day: "day"
        case .week: "week"
        case .month: "month"
        case .year: "year"
        }
    }
}

@available(iOS 17.0, macOS 14.0, tvOS 17.0, watchOS 10.0, visionOS 1.0, *)
extension Product.SubscriptionPeriod.Unit: Comparable {
    /// Whether one unit is shorter than another.
    public static func < (
        lhs: Product.SubscriptionPeriod.Unit, rhs: Product.SubscriptionPeriod.Unit
    ) -> Bool {
        lhs.rank < rhs.rank
    }

    private var rank: Int {
        switch self {
        case .day: 0
        case .week: 1
        case .month: 2
        case .year: 3
        }
    }
}

@available(iOS 15.0, macOS 12.0, tvOS 15.0, watchOS 8.0, visionOS 1.0, *)
extension DateComponents {
    /// A period as components that a calendar can add to a date.
    public init(subscriptionPeriod period: Product.SubscriptionPeriod) {
        self.init()
        setValue(period.value, for: period.unit.component)
    }
}
