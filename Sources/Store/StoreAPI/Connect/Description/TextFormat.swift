import Foundation
import StoreModel

/// The `format` of a text in a description.
enum TextFormat: String {
    case date
    case dateTime = "date-time"
    case email
    case uri

    var title: String {
        switch self {
        case .date: "a day, as 2026-01-31"
        case .dateTime: "a time, as 2026-01-31T12:00:00Z"
        case .email: "an email address"
        case .uri: "a URL with a scheme and a host"
        }
    }

    func accepts(_ text: String) -> Bool {
        switch self {
        case .date: CalendarDay(text) != nil
        case .dateTime: Self.time(text) != nil
        case .email: text.split(scalar: "@", omittingEmptySubsequences: false).count == 2
        case .uri: URLComponents(string: text).map { $0.scheme != nil && $0.host != nil } ?? false
        }
    }

    /// A time as `2026-01-31T12:00:00Z`, with a fraction and another zone at will.
    static func time(_ text: String) -> Date? {
        guard text.utf8.count <= 40 else { return nil }
        let time =
            (try? Date(text, strategy: .iso8601))
            ?? (try? Date(text, strategy: Date.ISO8601FormatStyle(includingFractionalSeconds: true)))
        // A year that four digits don't write, clients read as another one, or not at all.
        return time.flatMap { CalendarDay(of: $0) == nil ? nil : $0 }
    }
}
