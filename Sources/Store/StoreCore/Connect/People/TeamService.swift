import Foundation

/// Teams, which operators make.
package struct TeamService: Sendable {
    let shop: Shop
    let vault: any CredentialVault

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
        return try await shop.read(as: actor) { work in
            if let own {
                let team = try work.catalog.team(own)
                return (team.map { [$0] } ?? [], team == nil ? 0 : 1)
            }
            return (
                try work.people.teams(matching: search, after: after, limit: limit),
                try work.people.teamCount(matching: search)
            )
        }
    }

    package func team(_ id: Int64, by actor: ConnectActor) async throws -> Team {
        try await shop.read(as: actor, requiring: .useConnect) { try $0.team(id) }
    }

    /// Who holds a team's account; nil before the invitation was accepted.
    package func accountHolder(of team: Int64, by actor: ConnectActor) async throws -> Member? {
        try actor.require(.viewUsers)
        try TeamRules.check(team, seenBy: actor)
        return try await shop.read(as: actor) { try $0.people.accountHolder(of: team) }
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
        let email = try email.map { try ConnectText.email($0) }
        let ticket = try InvitationTicket(vault: vault)
        return try await shop.write(as: actor) { work in
            guard try work.catalog.team(named: name) == nil else {
                throw TeamRules.taken(name)
            }
            let team = try work.catalog.save(TeamDraft(name: name, hasPaidAgreement: false))
            try work.note("team.create", on: name, of: team.id)
            guard let email else { return (team, nil) }
            if case .person(let id, let own) = actor.kind, own == email {
                try work.people.set([.accountHolder], of: id, in: team.id, at: work.now)
                return (team, nil)
            }
            let invitation = try ticket.invite(email, to: team.id, roles: [.accountHolder], work)
            return (team, invitation)
        }
    }

    /// Gives a team another name.
    ///
    /// - Throws: `ConnectRefusal`.
    package func rename(_ id: Int64, to text: String, by actor: ConnectActor) async throws -> Team {
        try actor.require(.operate)
        let name = try TeamRules.name(text)
        return try await shop.write(as: actor) { work in
            var team = try work.team(id)
            guard team.name != name else { return team }
            guard try work.catalog.team(named: name) == nil else {
                throw TeamRules.taken(name)
            }
            let before = team.name
            team.name = name
            try work.teams.update(team)
            try work.note("team.rename", on: name, of: id, before: before, after: name)
            return team
        }
    }
}
