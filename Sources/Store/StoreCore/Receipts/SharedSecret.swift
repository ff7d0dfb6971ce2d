import Foundation
import StoreDatabase
import StoreModel

/// What a publisher's server shows with a receipt, so that it hears of subscriptions: 32
/// hexadecimal digits, for one app or for all of a team's.
package struct SharedSecret: Sendable, Hashable {
    /// What it opens.
    package enum Owner: Sendable, Hashable {
        case app(AppID)
        /// All apps of a team.
        case team(Int64)
    }

    package let owner: Owner
    package let text: String
    /// When it was made.
    package let date: Date
}

extension SharedSecret.Owner: RecordPart {
    private var appID: AppID? { if case .app(let id) = self { id } else { nil } }
    private var teamID: Int64? { if case .team(let id) = self { id } else { nil } }

    package init(_ column: borrowing RecordColumns<Self>) throws {
        self = try column.either("app", \.appID, Self.app, "team", \.teamID, Self.team)
    }
}

extension SharedSecret: RecordPart {
    package init(_ column: borrowing RecordColumns<Self>) throws {
        owner = try column.part(\.owner)
        text = try column("secret", \.text)
        date = try column("date", \.date)
    }
}
