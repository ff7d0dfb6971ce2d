import Foundation

/// A day of the store's calendar, which goes by UTC.
package struct SalesDay: Sendable, Hashable, Comparable {
    /// Days since 1 January 1970.
    package let number: Int

    package init(number: Int) {
        self.number = number
    }

    /// The day that a moment lies in.
    package init(_ date: Date) {
        number = Int((date.timeIntervalSince1970 / 86_400).rounded(.down))
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
        self.init(year: figures[0], month: figures[1], day: figures[2])
        // The 31st of a month of 30 days is a day of the next one.
        guard self.text == text else { return nil }
    }

    /// Days from the civil calendar, by eras of 400 years that begin on 1 March.
    private init(year: Int, month: Int, day: Int) {
        let year = month <= 2 ? year - 1 : year
        let era = year / 400
        let yearOfEra = year - era * 400
        let dayOfYear = (153 * (month + (month > 2 ? -3 : 9)) + 2) / 5 + day - 1
        let dayOfEra = yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear
        number = era * 146_097 + dayOfEra - 719_468
    }

    /// Year, month and day, for example `2026-11-21`.
    package var text: String {
        let shifted = number + 719_468
        let era = (shifted >= 0 ? shifted : shifted - 146_096) / 146_097
        let dayOfEra = shifted - era * 146_097
        let yearOfEra =
            (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let shiftedMonth = (5 * dayOfYear + 2) / 153
        let day = dayOfYear - (153 * shiftedMonth + 2) / 5 + 1
        let month = shiftedMonth < 10 ? shiftedMonth + 3 : shiftedMonth - 9
        let year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
        func padded(_ figure: Int, _ width: Int) -> String {
            let digits = String(figure)
            return String(repeating: "0", count: max(0, width - digits.count)) + digits
        }
        return "\(padded(year, 4))-\(padded(month, 2))-\(padded(day, 2))"
    }

    /// The moment that it begins.
    package var start: Date { Date(timeIntervalSince1970: TimeInterval(number) * 86_400) }

    package func advanced(by days: Int) -> SalesDay { SalesDay(number: number + days) }

    package static func < (left: Self, right: Self) -> Bool { left.number < right.number }
}
