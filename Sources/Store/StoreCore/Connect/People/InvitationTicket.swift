import Foundation

/// What an invitation needs that must not be guessed, made before its transaction.
struct InvitationTicket: Sendable {
    private let id: String
    private let token: String
    private let digest: Data

    init(vault: any CredentialVault) throws {
        id = vault.makeIdentifier()
        token = try vault.makeToken()
        digest = vault.digest(of: token)
    }

    /// Writes an invitation; an earlier one of the same address, whose link is lost, ends.
    func invite(
        _ email: String, to team: Int64?, roles: Set<ConnectRole>, _ work: UnitOfWork
    ) throws -> IssuedInvitation {
        let people = work.people
        if let earlier = try people.openInvitation(of: email, to: team) {
            try people.revoke(earlier.id, at: work.now)
        }
        let invitation = Invitation(
            id: id, team: team, email: email, roles: roles, inviter: work.actor.auditName,
            created: work.now, end: work.now.addingTimeInterval(Invitation.duration))
        try people.insert(invitation, tokenDigest: digest)
        try work.note("invitation.create", on: email, of: team, after: roles.titles)
        return IssuedInvitation(invitation: invitation, token: token)
    }
}
