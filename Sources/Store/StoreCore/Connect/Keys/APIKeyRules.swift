import Foundation

/// Which keys may be made.
package enum APIKeyRules {
    /// A use is written down when the last one written is older, seconds.
    package static let useGrain: TimeInterval = 3600

    /// - Parameter team: nil for the store's own keys.
    /// - Throws: `ConnectRefusal`.
    package static func check(role: ConnectRole, team: Int64?) throws {
        guard role != .accountHolder else {
            throw ConnectRefusal(
                .invalid, rule: "keyOfAccountHolder", field: "role",
                "No key acts as Account Holder: agreements are accepted by a person.",
                help: "Choose Admin.")
        }
        if team != nil, role.isStaff {
            throw ConnectRefusal(
                .invalid, rule: "roleOfStaff", field: "role",
                "\(role.title) is a role of the store's own staff.",
                help: "Choose a role of the team.")
        }
        if team == nil, !role.isStaff {
            throw ConnectRefusal(
                .invalid, rule: "roleOfTeam", field: "role",
                "The store's own keys have one of the roles Reviewer and Operator.",
                help: "Choose one of them, or make the key in a team.")
        }
    }

    package static func name(_ text: String) throws -> String { try PersonRules.name(text) }

    /// Whether a use is to be written down.
    package static func isNews(_ use: Date, after last: Date?) -> Bool {
        last.map { $0.addingTimeInterval(useGrain) <= use } ?? true
    }
}
