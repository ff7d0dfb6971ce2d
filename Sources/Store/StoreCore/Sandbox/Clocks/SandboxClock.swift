import Foundation
import StoreDatabase
import StoreModel

/// A clock for some testers of the sandbox. It stands still until somebody advances it.
///
/// Purchases and renewals of its followers have the clock's date, and so has what the store signs for
/// their devices and for publishers' servers.
package struct SandboxClock: Sendable, Hashable {
    package let id: Int64
    package let team: Int64
    package var name: String
    /// What it shows. It never goes back.
    package var date: Date
    package let created: Date
}

extension SandboxClock: Record {
    package static let table: StaticString = "sandbox_clock"

    package init(_ column: borrowing RecordColumns<Self>) throws {
        id = try column("id", \.id, .key)
        team = try column("team", \.team, .immutable)
        name = try column("name", \.name)
        date = try column("date", \.date)
        created = try column("created", \.created, .immutable)
    }
}

/// Who follows a clock.
package enum SandboxClockFollower: Sendable, Hashable {
    case tester(AccountID)
    /// All testers, in this app. A tester's own clock comes first.
    case app(AppID)
}

/// A clock that is to be made.
package struct SandboxClockDraft: Sendable, Hashable {
    /// For staff, who see all teams; otherwise the actor's team.
    package var team: Int64?
    package var name: String
    /// What it shows first; nil for the store's time.
    package var date: Date?
    package var followers: Set<SandboxClockFollower>

    package init(
        team: Int64? = nil, name: String, date: Date? = nil, followers: Set<SandboxClockFollower>
    ) {
        self.team = team
        self.name = name
        self.date = date
        self.followers = followers
    }
}

/// What can be asked of clocks.
enum SandboxClockRules {
    static let nameLimit = 100
    /// A team has so many.
    static let limit = 100

    static func name(_ text: String) throws -> String {
        let name = text.trimmingCharacters(in: .whitespacesAndNewlines)
        let isSeen = !name.unicodeScalars.contains {
            [.control, .format, .lineSeparator, .paragraphSeparator].contains(
                $0.properties.generalCategory)
        }
        guard (1...nameLimit).contains(name.unicodeScalars.count), isSeen else {
            throw ConnectRefusal(
                .invalid, rule: "clockName", field: "name",
                "The name is empty or too long, or holds characters that can't be seen.",
                help: "Choose one with 1 to \(nameLimit) characters.")
        }
        return name
    }

    /// - Parameters:
    ///   - earliest: what the clock shows now, or the store's time for a new one.
    ///   - latest: what is signed later can't be verified with today's certificate.
    static func check(_ date: Date, from earliest: Date, to latest: Date) throws {
        guard date >= earliest else {
            throw ConnectRefusal(
                .invalid, rule: "clockBack", field: "date",
                "\(text(date)) is earlier than \(text(earliest)), and a clock never goes back.",
                help: "Choose a later date.")
        }
        guard date <= latest else {
            throw ConnectRefusal(
                .invalid, rule: "clockTooLate", field: "date",
                "What the store signs after \(text(latest)) could not be verified, because the "
                    + "store's certificate ends then.",
                help: "Choose an earlier date.")
        }
    }

    private static func text(_ date: Date) -> String { date.formatted(.iso8601) }
}
