import StoreModel

/// A place below the feed's beginning. Only the names that exports have are taken: whatever
/// else stands in an address never comes to the file system.
enum FeedPath: Sendable, Hashable {
    /// Full exports, by their Wednesday.
    case root
    case week(Week)
    case incrementals(Week)
    case day(Week, Day)
    case file(Week, Day?, FeedFile)

    /// A full export; nil stands for the newest.
    typealias Week = CalendarDay?
    /// An incremental export of a week.
    enum Day: Sendable, Hashable {
        case newest
        case on(CalendarDay)
    }

    struct FeedFile: Sendable, Hashable {
        let feed: FeedName
        let day: CalendarDay
        let isChecksum: Bool

        /// `itunes20160120.tbz`, or with `.md5` behind it.
        init?(_ name: String) {
            let isChecksum = name.hasSuffix(scalars: ".md5")
            guard let stem = name.dropping(suffix: isChecksum ? ".tbz.md5" : ".tbz"),
                let feed = FeedName(rawValue: String(stem.dropLast(8))),
                let day = CalendarDay(digits: String(stem.suffix(8)))
            else { return nil }
            self.feed = feed
            self.day = day
            self.isChecksum = isChecksum
        }

        var name: String { feed.archive(on: day) + (isChecksum ? ".md5" : "") }
    }

    /// Nil for a path that no export has.
    init?(_ segments: [String]) {
        guard let first = segments.first else {
            self = .root
            return
        }
        guard let week = Self.named(first) else { return nil }
        switch segments.count {
        case 1: self = .week(week)
        case 2 where segments[1] == "incremental": self = .incrementals(week)
        case 2:
            guard let file = FeedFile(segments[1]) else { return nil }
            self = .file(week, nil, file)
        case 3, 4:
            guard segments[1] == "incremental", let named = Self.named(segments[2]) else {
                return nil
            }
            let day = named.map { Day.on($0) } ?? .newest
            if segments.count == 3 {
                self = .day(week, day)
            } else {
                guard let file = FeedFile(segments[3]) else { return nil }
                self = .file(week, day, file)
            }
        default: return nil
        }
    }

    /// `current` or eight digits; nil for anything else.
    private static func named(_ text: String) -> CalendarDay?? {
        if text == "current" { return .some(nil) }
        return CalendarDay(digits: text).map { .some($0) }
    }
}
