import Foundation
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

    package init(owner: Owner, text: String, date: Date) {
        self.owner = owner
        self.text = text
        self.date = date
    }
}

/// Keeps shared secrets: one for each app and each team.
package protocol SharedSecretRepository {
    func secret(of owner: SharedSecret.Owner) throws -> SharedSecret?
    /// The secrets that open an app's receipts: its own, and its team's.
    func secrets(opening app: AppID) throws -> [String]
    /// Adds a secret, or puts it in the place of the one that there is.
    func save(_ secret: SharedSecret) throws
}
