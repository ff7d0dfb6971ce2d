import Foundation
import StoreSheets

extension SheetDay {
    private static let calendar: Calendar = {
        var calendar = Calendar(identifier: .gregorian)
        calendar.timeZone = .gmt
        return calendar
    }()

    /// The moment at which the day begins, in UTC.
    var beginning: Date {
        let parts = DateComponents(year: year, month: month, day: day)
        guard let date = Self.calendar.date(from: parts) else {
            preconditionFailure("a day that no calendar has: \(self)")
        }
        return date
    }

    /// The day of a moment in UTC; nil outside of the years that files can say.
    init?(of date: Date) {
        let parts = Self.calendar.dateComponents([.year, .month, .day], from: date)
        guard let year = parts.year, let month = parts.month, let day = parts.day else {
            return nil
        }
        self.init(year: year, month: month, day: day)
    }
}
