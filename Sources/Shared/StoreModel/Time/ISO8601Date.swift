import Foundation

extension Date {
    /// Reads a time such as `2026-01-31T12:00:00Z`. The text may have a fraction of a second and another
    /// time zone. `nil` for any other text, and for a year that is not in 1 to 9999: clients can't read it.
    package init?(iso8601 text: String) {
        guard text.utf8.count <= 40 else { return nil }
        let fine = Date.ISO8601FormatStyle(includingFractionalSeconds: true)
        guard let date = (try? Date(text, strategy: .iso8601)) ?? (try? Date(text, strategy: fine)),
            CalendarDay(of: date) != nil
        else { return nil }
        self = date
    }
}
