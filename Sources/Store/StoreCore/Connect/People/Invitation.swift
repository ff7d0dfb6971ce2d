import Foundation
import StoreDatabase

/// Somebody's way into a team, or among the store's staff: a link that works once.
///
/// The store sends no mail. Whoever invites is shown the link, and passes it on.
package struct Invitation: Sendable, Hashable {
    package enum State: String, Sendable, Hashable, CaseIterable {
        case open = "OPEN"
        case accepted = "ACCEPTED"
        case revoked = "REVOKED"
        case expired = "EXPIRED"
    }

    /// How long a link works, seconds.
    package static let duration: TimeInterval = 7 * 86_400

    /// A UUID in small letters.
    package let id: String
    /// Nil among the staff.
    package let team: Int64?
    package let email: String
    package var roles: Set<ConnectRole>
    /// Who invited, as the audit log names actors.
    package let inviter: String
    package let created: Date
    package let end: Date
    package var accepted: Date?
    package var revoked: Date?

    package func state(at now: Date) -> State {
        if accepted != nil { return .accepted }
        if revoked != nil { return .revoked }
        return now < end ? .open : .expired
    }
}

/// Without its roles, which are rows of their own.
extension Invitation: Record {
    package static let table: StaticString = "invitation"

    package init(_ column: borrowing RecordColumns<Self>) throws {
        id = try column("id", \.id, .key)
        team = try column("team", \.team, .immutable)
        email = try column("email", \.email, .immutable)
        roles = []
        inviter = try column("inviter", \.inviter, .immutable)
        created = try column("created", \.created, .immutable)
        end = try column("ends", \.end, .immutable)
        accepted = try column("accepted", \.accepted)
        revoked = try column("revoked", \.revoked)
    }
}

/// An invitation, with what its link carries. The store keeps a digest of the token only, so
/// this is the one time that it can be shown.
package struct IssuedInvitation: Sendable, Hashable {
    package let invitation: Invitation
    package let token: String

    /// The path of the page on which it is accepted.
    package var path: String { "/connect/invitations/\(token)" }
}

/// What somebody with the link is shown.
package struct InvitationOffer: Sendable, Hashable {
    package let invitation: Invitation
    /// Nil among the store's staff.
    package let teamName: String?
    /// Whether the address belongs to somebody who has a password already.
    package let isKnown: Bool
}
