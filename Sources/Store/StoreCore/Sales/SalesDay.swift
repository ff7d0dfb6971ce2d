import Foundation
import StoreModel

/// A day of the store's calendar, which goes by UTC.
package struct SalesDay: Sendable, Hashable, Comparable {
    /// Days since 1 January 1970.
    package let number: Int

    package init(number: Int) {
        self.number = number
    }

    /// The day that a moment lies in.
    package init(_ date: Date) {
        number = Int(clamping: (date.timeIntervalSince1970 / 86_400).rounded(.down))
    }

    /// The day of a text such as `2026-11-21`, from 1970 to 9999; nil for anything else.
    package init?(_ text: String) {
        guard let day = CalendarDay(text), day.year >= 1970 else { return nil }
        self.init(day.beginning)
    }

    /// Year, month and day, for example `2026-11-21`.
    package var text: String {
        // A number outside of the years 1 to 9999, which no clock gives, is no day.
        CalendarDay(of: start).map(\.description) ?? String(number)
    }

    /// The years 1970 to 9999.
    private static let numbers: ClosedRange<Int> = 0...2_932_896

    /// The moment that it begins.
    package var start: Date { Date(timeIntervalSince1970: TimeInterval(number) * 86_400) }

    /// Another day, not before 1970 and not behind 9999.
    package func advanced(by days: Int) -> SalesDay {
        let (sum, overflow) = number.addingReportingOverflow(days)
        let bound = days < 0 ? Self.numbers.lowerBound : Self.numbers.upperBound
        guard !overflow else { return SalesDay(number: bound) }
        return SalesDay(number: min(max(sum, Self.numbers.lowerBound), Self.numbers.upperBound))
    }

    package static func < (left: Self, right: Self) -> Bool { left.number < right.number }
}
