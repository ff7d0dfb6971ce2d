import Foundation

extension Date {
    /// Reads a time as `2026-01-31T12:00:00Z`, with a fraction and another zone at will; nil for other
    /// text, and for a year that four digits don't write: clients read it as another one, or not at all.
    package init?(iso8601 text: String) {
        guard text.utf8.count <= 40 else { return nil }
        let fine = Date.ISO8601FormatStyle(includingFractionalSeconds: true)
        guard let date = (try? Date(text, strategy: .iso8601)) ?? (try? Date(text, strategy: fine)),
            CalendarDay(of: date) != nil
        else { return nil }
        self = date
    }
}
