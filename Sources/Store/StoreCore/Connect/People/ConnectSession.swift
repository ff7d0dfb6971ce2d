import Foundation
import StoreDatabase

/// A person's session with Connect: that of a browser, or of the commands.
package struct ConnectSession: Sendable, Hashable {
    package enum Kind: String, Sendable, Hashable, CaseIterable, TextColumnValue {
        case browser
        case command
    }

    /// How long a session lasts that nobody uses, seconds.
    package static let idleDuration: TimeInterval = 12 * 3600
    /// How long a session lasts at most, seconds.
    package static let duration: TimeInterval = 14 * 86_400
    /// A use is written down when the last one written is older, seconds.
    package static let useGrain: TimeInterval = 5 * 60

    /// A UUID in small letters. It is no secret: the token is.
    package let id: String
    package let person: PersonID
    package let kind: Kind
    /// The team acted for; nil for the staff, or where there is none to act for.
    package var team: Int64?
    /// What the program called itself.
    package let client: String
    package let start: Date
    package var lastUse: Date
    /// When it ends at the latest.
    package let end: Date

    package func isOpen(at now: Date) -> Bool {
        now < end && now < lastUse.addingTimeInterval(Self.idleDuration)
    }
}

extension ConnectSession: Record {
    package static let table: StaticString = "connect_session"

    package init(_ column: borrowing RecordColumns<Self>) throws {
        id = try column("id", \.id, .key)
        person = try column("person", \.person, .immutable)
        kind = try column("kind", \.kind, .immutable)
        team = try column("team", \.team)
        client = try column("client", \.client, .immutable)
        start = try column("started", \.start, .immutable)
        lastUse = try column("used", \.lastUse)
        end = try column("ends", \.end, .immutable)
    }
}

/// A session that was started, with its token. The store keeps a digest of the token only.
package struct StartedConnectSession: Sendable, Hashable {
    package let session: ConnectSession
    package let token: String
    package let visitor: ConnectVisitor
}
