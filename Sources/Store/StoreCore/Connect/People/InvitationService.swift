import Foundation

/// Brings people into teams, and among the store's staff.
package struct InvitationService: Sendable {
    /// Invitations of one team that are open at a time.
    package static let limit = 200
    private static let tokenLimit = 128

    let shop: Shop
    let vault: any CredentialVault
    let sessions: ConnectSessionService

    // MARK: Inviting

    /// Invites somebody; the link is to be passed on by whoever invites. Who was invited
    /// before gets another link, and the earlier one ends.
    ///
    /// - Parameter team: nil for the store's staff.
    /// - Throws: `ConnectRefusal`.
    package func invite(
        email: String, roles: Set<ConnectRole>, to team: Int64?, by actor: ConnectActor
    ) async throws -> IssuedInvitation {
        try Self.require(.manageUsers, for: team, actor)
        let email = try ConnectText.email(email)
        if team == nil {
            try Self.check(staff: roles)
        } else if roles != [.accountHolder] {
            try MemberRules.check(assigned: roles)
        }
        let ticket = try InvitationTicket(vault: vault)
        return try await shop.write(as: actor) { work in
            let people = work.people
            if let team {
                _ = try work.team(team)
                let holder = try people.accountHolder(of: team)
                // Only a team that never had one can be given one from outside.
                if roles == [.accountHolder], holder != nil || !actor.roles.contains(.operator) {
                    try MemberRules.check(assigned: roles)
                }
            }
            if let person = try people.person(email: email) {
                let isThere =
                    try team.map { try people.member(person.id, of: $0) != nil }
                    ?? (person.staffRole != nil)
                guard !isThere else { throw Self.alreadyThere(email) }
            }
            let isKnown = try people.openInvitation(of: email, to: team) != nil
            guard try isKnown || people.openInvitations(to: team, at: work.now) < Self.limit else {
                throw ConnectRefusal(
                    .tooMany, rule: "invitationsOpen",
                    "There are \(Self.limit) open invitations, which is the most.",
                    help: "Revoke old ones first.")
            }
            return try ticket.invite(email, to: team, roles: roles, work)
        }
    }

    /// Invitations that were neither accepted nor revoked, the newest first.
    ///
    /// - Parameter team: nil for the store's staff.
    package func invitations(to team: Int64?, by actor: ConnectActor) async throws -> [Invitation] {
        try Self.require(.viewUsers, for: team, actor)
        return try await shop.read(as: actor) {
            try $0.people.invitations(to: team, limit: Self.limit)
        }
    }

    package func invitation(_ id: String, by actor: ConnectActor) async throws -> Invitation {
        try await shop.read(as: actor, requiring: .viewUsers) { try Self.invitation(id, $0) }
    }

    /// Ends an invitation before anybody has accepted it.
    ///
    /// - Throws: `ConnectRefusal`.
    package func revoke(_ id: String, by actor: ConnectActor) async throws {
        try await shop.write(as: actor, requiring: .manageUsers) { work in
            let invitation = try Self.invitation(id, work)
            guard invitation.accepted == nil else {
                throw ConnectRefusal(
                    .state, rule: "invitationAccepted", "The invitation was accepted.",
                    help: "Remove the member instead.")
            }
            guard invitation.revoked == nil else { return }
            try work.revoke(invitation)
        }
    }

    // MARK: Accepting

    /// What somebody with the link is shown; nil where the link does not work (any more).
    package func offer(token: String) async throws -> InvitationOffer? {
        guard token.utf8.count <= Self.tokenLimit else { return nil }
        let digest = vault.digest(of: token)
        return try await shop.read { work in
            guard let invitation = try work.people.invitation(tokenDigest: digest),
                invitation.state(at: work.now) == .open
            else { return nil }
            return InvitationOffer(
                invitation: invitation,
                teamName: try invitation.team.flatMap { try work.catalog.team($0)?.name },
                isKnown: try work.people.person(email: invitation.email) != nil)
        }
    }

    /// Accepts an invitation: makes a person, or lets one who exists join.
    ///
    /// - Parameters:
    ///   - name: of a new person; not looked at for one who exists.
    ///   - password: the one that a new person chooses, or that of one who exists.
    ///   - address: where the request comes from.
    /// - Returns: the person.
    /// - Throws: `ConnectRefusal`; nothing has changed then.
    package func accept(
        token: String, name: String, password: String, address: String?
    ) async throws -> Person {
        guard let offer = try await offer(token: token) else { throw Self.unknown }
        let email = offer.invitation.email
        let guest: Guest
        if offer.isKnown {
            guest = .known(
                try await sessions.authenticate(email: email, password: password, address: address))
        } else {
            let name = try PersonRules.name(name)
            try PersonRules.check(password: password, email: email)
            guest = .new(
                PersonDraft(
                    email: email, name: name,
                    passwordHash: try await vault.hash(password: password), staffRole: nil))
        }
        let digest = vault.digest(of: token)
        return try await shop.write { work in
            guard let invitation = try work.people.invitation(tokenDigest: digest),
                invitation.state(at: work.now) == .open
            else { throw Self.unknown }
            let person = try Self.give(invitation, to: try Self.person(guest, work), work)
            let actor = ConnectActor(
                kind: .person(person.id, email: email), team: invitation.team,
                roles: invitation.roles)
            try work.audit.append(
                AuditEntry(
                    team: invitation.team, actor: actor, action: "invitation.accept",
                    subject: email, after: invitation.roles.titles), at: work.now)
            return person
        }
    }

    /// Who accepts an invitation.
    private enum Guest {
        /// A person who has shown the password.
        case known(Person)
        case new(PersonDraft)
    }

    private static func person(_ guest: Guest, _ work: UnitOfWork) throws -> Person {
        let people = work.people
        switch guest {
        case .known(let known):
            guard let person = try people.person(stillAuthenticated: known) else { throw unknown }
            return person
        case .new(let draft):
            // Somebody may have become one in between, by another invitation.
            guard try people.person(email: draft.email) == nil else { throw unknown }
            return try people.insert(draft, at: work.now)
        }
    }

    /// Gives a person the roles of an invitation.
    ///
    /// - Returns: the person with them.
    private static func give(
        _ invitation: Invitation, to person: Person, _ work: UnitOfWork
    ) throws -> Person {
        let people = work.people
        var person = person
        if let team = invitation.team {
            var roles = invitation.roles
            if roles.contains(.accountHolder), try people.accountHolder(of: team) != nil {
                roles = [.admin]
            }
            let earlier = try people.member(person.id, of: team)?.roles ?? []
            try people.set(earlier.union(roles), of: person.id, in: team, at: work.now)
        } else {
            // Made so in between, by somebody who knew better than this invitation.
            guard person.staffRole == nil else { throw alreadyThere(person.email) }
            person.staffRole = invitation.roles.first
            try people.update(person)
        }
        try people.accept(invitation.id, by: person.id, at: work.now)
        return person
    }

    // MARK: Pieces

    private static let unknown = ConnectRefusal(
        .notFound, rule: "invitationUnknown", "This invitation does not work.",
        help: "It was accepted, revoked, or is too old; ask for another one.")

    private static func alreadyThere(_ email: String) -> ConnectRefusal {
        ConnectRefusal(
            .taken, rule: "memberAlready", field: "email", "\(email) belongs to it already.",
            help: "Change the roles instead.")
    }

    private static func require(
        _ permission: ConnectPermission, for team: Int64?, _ actor: ConnectActor
    ) throws {
        guard let team else { return try actor.require(.operate) }
        try actor.require(permission)
        try TeamRules.check(team, seenBy: actor)
    }

    private static func check(staff roles: Set<ConnectRole>) throws {
        guard roles.count == 1, roles.allSatisfy(\.isStaff) else {
            throw ConnectRefusal(
                .invalid, rule: "roleOfTeam", field: "roles",
                "The store's staff has one of the roles Reviewer and Operator.",
                help: "Choose one of them.")
        }
    }

    private static func invitation(_ id: String, _ work: UnitOfWork) throws -> Invitation {
        guard let invitation = try work.people.invitation(id),
            invitation.team.map(work.actor.sees(team:)) ?? work.actor.allows(.operate)
        else { throw ConnectRefusal.notFound("invitation", id) }
        return invitation
    }
}

extension UnitOfWork {
    fileprivate func revoke(_ invitation: Invitation) throws {
        try people.revoke(invitation.id, at: now)
        try note(
            "invitation.revoke", on: invitation.email, of: invitation.team,
            before: invitation.roles.titles)
    }

    /// Revokes the open invitations that a person or a key has made, who may no longer invite. Otherwise a
    /// removed person, or the thief of a key, could come back by accepting one.
    ///
    /// - Parameters:
    ///   - inviter: as `ConnectActor.auditName`.
    ///   - team: revokes invitations to this team only; nil revokes all, to the staff too.
    func revokeInvitations(by inviter: String, to team: Int64? = nil) throws {
        for invitation in try people.invitations(by: inviter)
        where team == nil || invitation.team == team {
            try revoke(invitation)
        }
    }
}
