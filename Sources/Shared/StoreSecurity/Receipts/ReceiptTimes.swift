import Foundation
import StoreKernel

/// A moment in the three forms that receipts of transactions, and the answers about receipts,
/// have it in.
package struct ReceiptTimes: Sendable, Hashable {
    /// `2017-07-24 08:13:24 Etc/GMT`
    package let gmt: String
    /// Milliseconds since 1970.
    package let milliseconds: String
    /// `2017-07-24 01:13:24 America/Los_Angeles`
    package let pacific: String

    package init(_ date: Date) {
        // Seconds in a `Double` may be a little below the millisecond that they stand for.
        let number =
            Int64(exactly: (date.timeIntervalSince1970 * 1000 + 0.001).rounded(.down)) ?? 0
        let seconds = (number - (number % 1000 + 1000) % 1000) / 1000
        milliseconds = String(number)
        gmt = Self.text(seconds, " Etc/GMT")
        pacific = Self.text(seconds + Self.pacificOffset(at: seconds), " \(Self.pacificName)")
    }

    private static let pacificName = "America/Los_Angeles"
    private static let day: Int64 = 86_400

    /// - Parameter seconds: since 1970, in local time.
    private static func text(_ seconds: Int64, _ zone: String) -> String {
        let time = (seconds % day + day) % day
        var text = dayText((seconds - time) / day)
        for (sign, value) in [(" ", time / 3600), (":", time / 60 % 60), (":", time % 60)] {
            text += sign
            if value < 10 { text += "0" }
            text += String(value)
        }
        return text + zone
    }

    // MARK: Cached

    // An answer about a receipt has hundreds of dates, on few days; asking the calendar for each
    // takes longer than all the rest of the answer.

    private static let capacity = 4096
    private static let days = Cache<Int64, String>(limit: capacity)
    private static let offsets = Cache<Int64, Int64>(limit: capacity)
    private static let calendar = {
        var calendar = Calendar(identifier: .gregorian)
        calendar.timeZone = .gmt
        return calendar
    }()
    private static let pacificZone = {
        guard let zone = TimeZone(identifier: pacificName) else {
            preconditionFailure("the system knows no time zone \(pacificName)")
        }
        return zone
    }()

    /// - Parameter number: days since 1970.
    private static func dayText(_ number: Int64) -> String {
        days.value(for: number) {
            let parts = calendar.dateComponents(
                [.year, .month, .day],
                from: Date(timeIntervalSince1970: TimeInterval(number * day)))
            return [(parts.year, 4), (parts.month, 2), (parts.day, 2)].map { value, count in
                let text = String(value ?? 0)
                return String(repeating: "0", count: max(0, count - text.count)) + text
            }.joined(separator: "-")
        }
    }

    /// Seconds from GMT; the clocks there change on the hour.
    private static func pacificOffset(at seconds: Int64) -> Int64 {
        let hour = (seconds - (seconds % 3600 + 3600) % 3600) / 3600
        return offsets.value(for: hour) {
            Int64(
                pacificZone.secondsFromGMT(
                    for: Date(timeIntervalSince1970: TimeInterval(hour * 3600))))
        }
    }
}
