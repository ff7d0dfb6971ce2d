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
        _ email: String, to team: Int64?, roles: Set<ConnectRole>, by actor: ConnectActor,
        _ repositories: StoreRepositories, at now: Date
    ) throws -> IssuedInvitation {
        let people = repositories.people
        if let earlier = try people.openInvitation(of: email, to: team) {
            try people.revoke(earlier.id, at: now)
        }
        let invitation = Invitation(
            id: id, team: team, email: email, roles: roles, inviter: actor.auditName,
            created: now, end: now.addingTimeInterval(Invitation.duration))
        try people.insert(invitation, tokenDigest: digest)
        try repositories.audit.append(
            AuditEntry(
                team: team, actor: actor, action: "invitation.create", subject: email,
                after: roles.titles), at: now)
        return IssuedInvitation(invitation: invitation, token: token)
    }
}
