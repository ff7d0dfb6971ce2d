import Foundation
import StoreModel

/// How long the periods of subscriptions last: as long as they say for customers, and a few
/// minutes for testers.
package enum RenewalSchedule: Sendable, Hashable {
    case calendar
    /// A month takes so many seconds, and everything else in proportion.
    case accelerated(month: TimeInterval)
    /// Each period takes as long as a table says.
    case stated(StatedPeriods)

    private static let day: TimeInterval = 86_400
    /// Days of a month, where only proportions matter.
    private static let daysOfMonth = 30.0

    package init(_ rate: SubscriptionRenewalRate) {
        let minutes: Double =
            switch rate {
            case .threeMinutes: 3
            case .fiveMinutes: 5
            case .fifteenMinutes: 15
            case .thirtyMinutes: 30
            case .oneHour: 60
            }
        self = .accelerated(month: minutes * 60)
    }

    /// When a period ends that begins at a date.
    ///
    /// - Parameter anchorDay: the day of the month on which the periods begin where it is long enough:
    ///   what begins at the end of a shorter month ends on it again.
    package func end(
        of period: SubscriptionPeriod, from start: Date, anchorDay: Int? = nil
    ) -> Date {
        switch self {
        case .calendar:
            var components = DateComponents()
            switch period.unit {
            case .day: components.day = period.count
            case .week: components.day = period.count * 7
            case .month: components.month = period.count
            case .year: components.year = period.count
            }
            guard let end = Self.gregorian.date(byAdding: components, to: start) else {
                preconditionFailure("\(period.iso8601) can be added to any date")
            }
            guard let anchorDay, period.unit == .month || period.unit == .year,
                Self.isEndOfMonth(start, before: anchorDay)
            else { return end }
            let missing = min(anchorDay, Self.daysOfMonth(of: end)) - Self.dayOfMonth(end)
            return end.addingTimeInterval(TimeInterval(max(missing, 0)) * Self.day)
        case .accelerated(let month):
            let months: Double =
                switch period.unit {
                case .day: Double(period.count) / Self.daysOfMonth
                case .week: Double(period.count) * 7 / Self.daysOfMonth
                case .month: Double(period.count)
                case .year: Double(period.count) * 12
                }
            // Apple's sandbox has no period below three minutes; nor would any app notice one.
            return start.addingTimeInterval(max(months * month, min(180, month)))
        case .stated(let lengths):
            return start.addingTimeInterval(lengths.length(of: period))
        }
    }

    /// The day of the month on which periods begin behind one that ends at a date.
    ///
    /// - Parameter before: the one until then.
    package static func anchorDay(behind end: Date, before: Int) -> Int {
        isEndOfMonth(end, before: before) ? before : dayOfMonth(end)
    }

    /// Whether a month ends before it comes to a day.
    private static func isEndOfMonth(_ date: Date, before day: Int) -> Bool {
        let today = dayOfMonth(date)
        return today < day && today == daysOfMonth(of: date)
    }

    package static func dayOfMonth(_ date: Date) -> Int { gregorian.component(.day, from: date) }

    private static func daysOfMonth(of date: Date) -> Int {
        gregorian.range(of: .day, in: .month, for: date)?.count ?? 31
    }

    /// Billing retry: how long the store tries to charge again, sixty days.
    package var retryLength: TimeInterval {
        if case .stated(let lengths) = self { return 2 * lengths.month }
        return scaled(60 * Self.day)
    }

    /// How long it waits between two attempts: a day.
    package var retryInterval: TimeInterval {
        if case .stated = self { return max(retryLength / 60, 1) }
        return max(scaled(Self.day), 30)
    }

    /// How long so many days of grace last.
    ///
    /// - Parameter period: of the subscription; `nil` if its product is not sold any longer.
    package func grace(days: Int, of period: SubscriptionPeriod?) -> TimeInterval {
        if case .stated(let lengths) = self { return lengths.grace(of: period) }
        return scaled(TimeInterval(days) * Self.day)
    }

    private func scaled(_ length: TimeInterval) -> TimeInterval {
        switch self {
        case .calendar: length
        case .accelerated(let month): length / (Self.daysOfMonth * Self.day) * month
        case .stated(let lengths): length / (Self.daysOfMonth * Self.day) * lengths.month
        }
    }

    private static let gregorian: Calendar = {
        var calendar = Calendar(identifier: .gregorian)
        calendar.timeZone = TimeZone(secondsFromGMT: 0) ?? calendar.timeZone
        return calendar
    }()
}
