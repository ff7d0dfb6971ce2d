import Foundation

/// The dates of HTTP (RFC 9110, section 5.6.7).
package enum HTTPDate {
    /// The form that is written, and two that old servers write.
    private static let patterns = [
        "EEE, dd MMM yyyy HH:mm:ss zzz", "EEEE, dd-MMM-yy HH:mm:ss zzz", "EEE MMM d HH:mm:ss yyyy",
    ]

    /// Nil for what is no such date, such as the `0` that many servers send as `Expires`.
    package static func parse(_ text: String) -> Date? {
        // Foundation's formatter traps where it is given letters that are not ASCII.
        guard text.utf8.count <= 64, text.utf8.allSatisfy({ (0x20...0x7e).contains($0) }) else {
            return nil
        }
        // Formatters are made where they are used: they can't be shared between threads.
        let formatter = DateFormatter()
        formatter.locale = Locale(identifier: "en_US_POSIX")
        formatter.timeZone = TimeZone(identifier: "GMT")
        for pattern in patterns {
            formatter.dateFormat = pattern
            if let date = formatter.date(from: text) { return date }
        }
        return nil
    }
}
