import Foundation
import StoreModel

/// Dates and amounts as the portal writes them.
package enum PortalFormatting {
    /// A day and time in UTC, for machines and people: `3 May 2026, 14:05 UTC`.
    package static func time(_ date: Date) -> HTML {
        .element(
            "time", [.init("datetime", date.formatted(.iso8601))],
            date.formatted(
                Date.VerbatimFormatStyle(
                    format:
                        "\(day: .defaultDigits) \(month: .wide) \(year: .defaultDigits), \(hour: .twoDigits(clock: .twentyFourHour, hourCycle: .zeroBased)):\(minute: .twoDigits) UTC",
                    locale: Locale(identifier: "en_US"), timeZone: .gmt,
                    calendar: Calendar(identifier: .gregorian))))
    }

    /// A day in UTC.
    package static func day(_ date: Date) -> HTML {
        let day = date.formatted(.iso8601.year().month().day())
        return .element(
            "time", [.init("datetime", day)],
            date.formatted(
                Date.VerbatimFormatStyle(
                    format: "\(day: .defaultDigits) \(month: .wide) \(year: .defaultDigits)",
                    locale: Locale(identifier: "en_US"), timeZone: .gmt,
                    calendar: Calendar(identifier: .gregorian))))
    }

    /// An amount with its currency, as English speakers read it.
    package static func money(_ money: Money) -> String {
        money.formatted(locale: "en_US")
    }

    /// A number of bytes, in the units that the store's limits are told in.
    package static func bytes(_ count: Int64) -> String {
        count.formatted(.byteCount(style: .file).locale(Locale(identifier: "en_US")))
    }

    /// `1 product`, `2 products`.
    package static func count(_ count: Int, _ one: String, _ many: String) -> String {
        "\(count.formatted(.number.locale(Locale(identifier: "en_US")))) \(count == 1 ? one : many)"
    }
}
