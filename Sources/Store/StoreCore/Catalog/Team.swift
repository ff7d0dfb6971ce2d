import StoreDatabase
import StoreModel

/// A publisher.
package struct Team: Sendable, Hashable {
    package let id: Int64
    package var name: String
    /// Whether the agreement for paid applications is in force. Without it nothing sells. It
    /// follows the team's `Agreement`.
    package var hasPaidAgreement: Bool
}

extension Team: Record {
    package static let table: StaticString = "team"

    package init(_ column: borrowing RecordColumns<Self>) throws {
        id = try column("id", \.id, .key)
        name = try column("name", \.name)
        hasPaidAgreement = try column("has_paid_agreement", \.hasPaidAgreement, .immutable)
    }
}

extension StoreRepositories {
    /// Publishers.
    package var teams: Records<Team> { Records(connection) }
}

/// What every step in a team begins with, and what a team is called.
package enum TeamRules {
    /// - Throws: `ConnectRefusal` with 404's meaning where the actor belongs to another team.
    package static func check(_ team: Int64, seenBy actor: ConnectActor) throws {
        guard actor.sees(team: team) else { throw ConnectRefusal.notFound("team", "\(team)") }
    }

    static func name(_ text: String) throws -> String { try PersonRules.name(text) }

    static func taken(_ name: String) -> ConnectRefusal {
        ConnectRefusal(
            .taken, rule: "teamNameTaken", field: "name", "There is a team \"\(name)\" already.",
            help: "Choose another name.")
    }
}

/// A team to be added.
package struct TeamDraft: Sendable, Hashable {
    package var name: String
    package var hasPaidAgreement: Bool
}

/// An app that can sell.
package struct App: Sendable, Hashable {
    package let id: AppID
    package let teamID: Int64
    package let bundleID: BundleID
    package var name: String
    package var binaryState: BinaryState
    /// Grows with each change to the app's configuration that makes older provisioning
    /// profiles out of date.
    package var generation: Int
}

extension App: Record {
    package static let table: StaticString = "app"

    package init(_ column: borrowing RecordColumns<Self>) throws {
        id = try column("id", \.id, .key)
        teamID = try column("team", \.teamID, .immutable)
        bundleID = try column("bundle_id", \.bundleID)
        name = try column("name", \.name)
        binaryState = try column("binary_state", \.binaryState, .immutable)
        generation = try column("generation", \.generation)
    }
}

/// An app to be added or changed.
package struct AppDraft: Sendable, Hashable {
    package var teamID: Int64
    package var bundleID: BundleID
    package var name: String
    package var binaryState: BinaryState
    package var generation: Int
    /// The language of a new app; the known one keeps its own.
    package var primaryLocale: ConnectLocale = .americanEnglish
}
