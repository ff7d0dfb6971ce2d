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
}
