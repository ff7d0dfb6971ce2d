import Foundation

/// Teams, which operators make.
package struct TeamService: Sendable {
    let database: any ShopDatabase
    let vault: any CredentialVault
    let clock: any StoreClock

    /// All teams by name, for the staff; for others the one acted for.
    ///
    /// - Parameters:
    ///   - search: what the name contains.
    ///   - after: gives those behind this name.
    package func teams(
        matching search: String? = nil, after: String? = nil, limit: Int, by actor: ConnectActor
    ) async throws -> (teams: [Team], total: Int) {
        try actor.require(.useConnect)
        let own = actor.team
        return try await database.read { repositories in
            if let own {
                let team = try repositories.catalog.team(own)
                return (team.map { [$0] } ?? [], team == nil ? 0 : 1)
            }
            return (
                try repositories.people.teams(matching: search, after: after, limit: limit),
                try repositories.people.teamCount(matching: search)
            )
        }
    }

    package func team(_ id: Int64, by actor: ConnectActor) async throws -> Team {
        try actor.require(.useConnect)
        try TeamRules.check(id, seenBy: actor)
        return try await database.read { try Self.team(id, $0) }
    }

    /// Who holds a team's account; nil before the invitation was accepted.
    package func accountHolder(of team: Int64, by actor: ConnectActor) async throws -> Member? {
        try actor.require(.viewUsers)
        try TeamRules.check(team, seenBy: actor)
        return try await database.read { try $0.people.accountHolder(of: team) }
    }

    /// Makes a team.
    ///
    /// - Parameter email: who is to hold its account: whoever makes it, who becomes a member
    ///   at once, or somebody else, who is invited; nil for nobody yet.
    /// - Returns: the invitation, where somebody was invited.
    /// - Throws: `ConnectRefusal`.
    package func create(
        name: String, accountHolder email: String?, by actor: ConnectActor
    ) async throws -> (team: Team, invitation: IssuedInvitation?) {
        try actor.require(.operate)
        let name = try TeamRules.name(name)
        let email = try email.map { try PersonRules.email($0) }
        let ticket = try InvitationTicket(vault: vault)
        let now = clock.now()
        return try await database.write { repositories in
            guard try repositories.catalog.team(named: name) == nil else {
                throw TeamRules.taken(name)
            }
            let team = try repositories.catalog.save(
                TeamDraft(name: name, hasPaidAgreement: false))
            try repositories.audit.append(
                AuditEntry(team: team.id, actor: actor, action: "team.create", subject: name),
                at: now)
            guard let email else { return (team, nil) }
            if case .person(let id, let own) = actor.kind, own == email {
                try repositories.people.set([.accountHolder], of: id, in: team.id, at: now)
                return (team, nil)
            }
            let invitation = try ticket.invite(
                email, to: team.id, roles: [.accountHolder], by: actor, repositories, at: now)
            return (team, invitation)
        }
    }

    /// Gives a team another name.
    ///
    /// - Throws: `ConnectRefusal`.
    package func rename(_ id: Int64, to text: String, by actor: ConnectActor) async throws -> Team {
        try actor.require(.operate)
        let name = try TeamRules.name(text)
        let now = clock.now()
        return try await database.write { repositories in
            let team = try Self.team(id, repositories)
            guard team.name != name else { return team }
            guard try repositories.catalog.team(named: name) == nil else {
                throw TeamRules.taken(name)
            }
            try repositories.people.rename(team: id, to: name)
            try repositories.audit.append(
                AuditEntry(
                    team: id, actor: actor, action: "team.rename", subject: name,
                    before: team.name, after: name), at: now)
            return try Self.team(id, repositories)
        }
    }

    static func team(_ id: Int64, _ repositories: StoreRepositories) throws -> Team {
        guard let team = try repositories.catalog.team(id) else {
            throw ConnectRefusal.notFound("team", "\(id)")
        }
        return team
    }
}
