import Foundation
import StoreModel

/// Whose password it is.
package enum PasswordOwner: Sendable, Hashable {
    /// Somebody who uses Connect.
    case person(PersonID)
    /// A customer or a tester.
    case account(AccountID)
}

/// A link by which somebody who has lost a password sets a new one: once, for an hour.
///
/// The store sends no mail. An operator makes the link, and passes it on.
package struct PasswordReset: Sendable, Hashable {
    package enum State: Sendable, Hashable {
        case open, used, expired
    }

    /// How long a link works, seconds.
    package static let duration: TimeInterval = 3600
    /// How long it is known what a link was, seconds.
    static let retention: TimeInterval = 7 * 86_400

    package let owner: PasswordOwner
    package let created: Date
    package let end: Date
    package let used: Date?

    package init(owner: PasswordOwner, created: Date, end: Date, used: Date? = nil) {
        self.owner = owner
        self.created = created
        self.end = end
        self.used = used
    }

    package func state(at now: Date) -> State {
        if used != nil { return .used }
        return now < end ? .open : .expired
    }
}

/// A link with what it carries. The store keeps a digest of the token only, so this is the one time
/// that it can be shown.
package struct IssuedPasswordReset: Sendable, Hashable {
    package let email: String
    package let end: Date
    package let token: String

    /// The path of the page on which the password is set.
    package var path: String { "/connect/passwords/\(token)" }
}
