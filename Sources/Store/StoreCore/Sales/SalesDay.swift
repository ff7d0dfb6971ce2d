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
        let parts = text.utf8.split(separator: UInt8(ascii: "-"), omittingEmptySubsequences: false)
        guard parts.map(\.count) == [4, 2, 2],
            parts.allSatisfy({ part in part.allSatisfy { (0x30...0x39).contains($0) } })
        else { return nil }
        let figures = parts.map { part in part.reduce(0) { $0 * 10 + Int($1 - 0x30) } }
        guard figures[0] >= 1970, (1...12).contains(figures[1]), (1...31).contains(figures[2])
        else { return nil }
        let components = DateComponents(year: figures[0], month: figures[1], day: figures[2])
        guard let date = Self.calendar.date(from: components) else { return nil }
        self.init(date)
        // The 31st of a month of 30 days is a day of the next one.
        guard self.text == text else { return nil }
    }

    /// Year, month and day, for example `2026-11-21`.
    package var text: String { start.formatted(Self.format) }

    private static let calendar: Calendar = {
        var calendar = Calendar(identifier: .gregorian)
        calendar.timeZone = .gmt
        return calendar
    }()

    private static let format: Date.ISO8601FormatStyle = Date.ISO8601FormatStyle(timeZone: .gmt)
        .year().month().day()

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
