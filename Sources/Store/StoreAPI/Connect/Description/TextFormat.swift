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
        case .dateTime: Date(iso8601: text) != nil
        case .email: text.split(scalar: "@", omittingEmptySubsequences: false).count == 2
        case .uri: URLComponents(string: text).map { $0.scheme != nil && $0.host != nil } ?? false
        }
    }
}
