import Foundation

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
        case .date: Self.day(text) != nil
        case .dateTime: Self.time(text) != nil
        case .email: text.split(separator: "@", omittingEmptySubsequences: false).count == 2
        case .uri: URLComponents(string: text).map { $0.scheme != nil && $0.host != nil } ?? false
        }
    }

    /// Midnight (UTC) of a day as `2026-01-31`; nil for a day that there is not.
    static func day(_ text: String) -> Date? {
        let parts = text.split(separator: "-", omittingEmptySubsequences: false)
        guard text.utf8.count == 10, parts.map(\.count) == [4, 2, 2],
            text.utf8.allSatisfy({ (0x30...0x39).contains($0) || $0 == UInt8(ascii: "-") })
        else { return nil }
        var calendar = Calendar(identifier: .gregorian)
        calendar.timeZone = .gmt
        let components = DateComponents(
            year: Int(parts[0]), month: Int(parts[1]), day: Int(parts[2]))
        guard let date = calendar.date(from: components) else { return nil }
        let found = calendar.dateComponents([.year, .month, .day], from: date)
        // The 31st of April becomes the 1st of May.
        return found.month == components.month && found.day == components.day ? date : nil
    }

    /// A time as `2026-01-31T12:00:00Z`, with a fraction and another zone at will.
    static func time(_ text: String) -> Date? {
        guard text.utf8.count <= 40 else { return nil }
        return (try? Date(text, strategy: .iso8601))
            ?? (try? Date(text, strategy: Date.ISO8601FormatStyle(includingFractionalSeconds: true)))
    }
}
