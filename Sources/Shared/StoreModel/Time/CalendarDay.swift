import Foundation

/// A day of the Gregorian calendar in UTC, written as `2016-01-17`.
package struct CalendarDay: Sendable, Hashable, Comparable, CustomStringConvertible {
    package let year: Int
    package let month: Int
    package let day: Int

    /// Nil for what is no day of the years 1 to 9999.
    package init?(year: Int, month: Int, day: Int) {
        guard (1...9999).contains(year), (1...12).contains(month) else { return nil }
        let isLeap = (year % 4 == 0 && year % 100 != 0) || year % 400 == 0
        let lengths = [31, isLeap ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]
        guard (1...lengths[month - 1]).contains(day) else { return nil }
        self.year = year
        self.month = month
        self.day = day
    }

    /// Nil for what is not written so, or is a day that there is not.
    package init?(_ text: String) {
        let digits = Array(text.utf8)
        guard digits.count == 10, digits[4] == UInt8(ascii: "-"), digits[7] == UInt8(ascii: "-")
        else { return nil }
        func number(_ range: Range<Int>) -> Int? {
            digits[range].reduce(0) { sum, digit in
                guard let sum, (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(digit) else {
                    return nil
                }
                return sum * 10 + Int(digit - UInt8(ascii: "0"))
            }
        }
        guard let year = number(0..<4), let month = number(5..<7), let day = number(8..<10) else {
            return nil
        }
        self.init(year: year, month: month, day: day)
    }

    /// The day of a moment; nil outside of the years that can be written.
    package init?(of date: Date) {
        let seconds = date.timeIntervalSince1970
        guard seconds.magnitude < 1e12 else { return nil }
        // Days since the 1st of March of the year 0; years that begin in March end with the
        // leap day.
        let days = Int(clamping: (seconds / 86_400).rounded(.down)) + 719_468
        guard days >= 0 else { return nil }
        let ofEra = days % 146_097
        let yearOfEra = (ofEra - ofEra / 1460 + ofEra / 36_524 - ofEra / 146_096) / 365
        let ofYear = ofEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let march = (5 * ofYear + 2) / 153
        let month = march < 10 ? march + 3 : march - 9
        self.init(
            year: days / 146_097 * 400 + yearOfEra + (month <= 2 ? 1 : 0), month: month,
            day: ofYear - (153 * march + 2) / 5 + 1)
    }

    /// The moment at which the day begins, in UTC.
    package var beginning: Date {
        let year = month <= 2 ? self.year - 1 : self.year
        let march = month > 2 ? month - 3 : month + 9
        let ofYear = (153 * march + 2) / 5 + day - 1
        let days = 365 * year + year / 4 - year / 100 + year / 400 + ofYear - 719_468
        return Date(timeIntervalSince1970: Double(days) * 86_400)
    }

    package var description: String {
        func padded(_ number: Int, _ count: Int) -> String {
            let digits = String(number)
            return String(repeating: "0", count: max(0, count - digits.count)) + digits
        }
        return "\(padded(year, 4))-\(padded(month, 2))-\(padded(day, 2))"
    }

    package static func < (left: Self, right: Self) -> Bool {
        (left.year, left.month, left.day) < (right.year, right.month, right.day)
    }
}
