import StoreModel

/// A feed: an archive of tables.
package enum FeedName: String, Sendable, Hashable, CaseIterable, Codable {
    /// What there is.
    case itunes
    /// By what others know it.
    case match
    /// What is bought most.
    case popularity
    /// What it costs where.
    case pricing

    /// `itunes20160120`
    package func folder(on day: CalendarDay) -> String { rawValue + day.digits }

    /// `itunes20160120.tbz`
    package func archive(on day: CalendarDay) -> String { folder(on: day) + ".tbz" }
}

/// Whether an export has everything, or what changed since the one before.
package enum FeedMode: String, Sendable, Hashable, Codable {
    case full = "FULL"
    case incremental = "INCREMENTAL"
}

extension CalendarDay {
    /// `20160120`
    package var digits: String { description.replacing(scalar: "-", with: "") }

    /// Nil for what is not written `20160120`, or is a day that there is not.
    package init?(digits: String) {
        guard digits.utf8.count == 8 else { return nil }
        let month = digits.dropFirst(4)
        self.init("\(digits.prefix(4))-\(month.prefix(2))-\(month.dropFirst(2))")
    }

    /// The Wednesday that is the day, or the last one before it.
    package var wednesday: CalendarDay {
        let number = Int(clamping: beginning.timeIntervalSince1970 / 86_400)
        // The first day of 1970 was a Thursday.
        let since = ((number + 1) % 7 + 7) % 7
        return CalendarDay(of: beginning.addingTimeInterval(-86_400 * Double(since))) ?? self
    }
}
