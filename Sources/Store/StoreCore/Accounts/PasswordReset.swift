import Foundation
import StoreDatabase
import StoreModel

/// Whose password it is.
package enum PasswordOwner: Sendable, Hashable {
    /// Somebody who uses Connect.
    case person(PersonID)
    /// A customer or a tester.
    case account(AccountID)
}

extension PasswordOwner: RecordPart {
    var personID: PersonID? { if case .person(let id) = self { id } else { nil } }
    var accountID: AccountID? { if case .account(let id) = self { id } else { nil } }

    package init(_ column: borrowing RecordColumns<Self>) throws {
        self = try column.either(
            "person", \.personID, Self.person, "account", \.accountID, Self.account, .immutable)
    }
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

    /// Of the link's token, which is kept nowhere.
    package let tokenDigest: Data
    package let owner: PasswordOwner
    package let created: Date
    package let end: Date
    package var used: Date?

    package func state(at now: Date) -> State {
        if used != nil { return .used }
        return now < end ? .open : .expired
    }
}

extension PasswordReset: Record {
    package static let table: StaticString = "password_reset"

    package init(_ column: borrowing RecordColumns<Self>) throws {
        tokenDigest = try column("token_digest", \.tokenDigest, .key)
        owner = try column.part(\.owner)
        created = try column("created", \.created, .immutable)
        end = try column("ends", \.end, .immutable)
        used = try column("used", \.used)
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
