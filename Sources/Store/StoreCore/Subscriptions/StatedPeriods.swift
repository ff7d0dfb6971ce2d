import Foundation
import StoreModel

/// How long periods last in a test, in seconds: a table, as Apple's rates are one.
package struct StatedPeriods: Sendable, Hashable {
    package let week: TimeInterval
    package let month: TimeInterval
    package let year: TimeInterval
    /// Whether every period takes the same time, however many weeks or months it has.
    private let isUniform: Bool

    /// Periods in proportion to a week, a month and a year.
    package init(week: TimeInterval, month: TimeInterval, year: TimeInterval) {
        self.week = week
        self.month = month
        self.year = year
        isUniform = false
    }

    /// Periods that take the same time, whatever they are.
    package init(each length: TimeInterval) {
        week = length
        month = length
        year = length
        isUniform = true
    }

    package func length(of period: SubscriptionPeriod) -> TimeInterval {
        guard !isUniform else { return month }
        let count = TimeInterval(period.count)
        return switch period.unit {
        case .day: week / 7 * count
        case .week: week * count
        case .month: month * count
        case .year: year * count
        }
    }

    /// How long customers go on when a payment fails.
    func grace(of period: SubscriptionPeriod?) -> TimeInterval {
        guard !isUniform else { return month }
        return period?.isWeekOrLess == true ? week * 6 / 7 : month / 2
    }
}

extension SubscriptionPeriod {
    /// Whether a week at most is paid at a time.
    var isWeekOrLess: Bool { unit == .day || unit == .week && count == 1 }
}
