import Foundation

/// The members of teams.
package struct MemberService: Sendable {
    let shop: Shop

    /// Members by address.
    ///
    /// - Parameter after: gives those behind this address.
    package func members(
        of team: Int64, after: String? = nil, limit: Int, by actor: ConnectActor
    ) async throws -> (members: [Member], total: Int) {
        try actor.require(.viewUsers)
        try TeamRules.check(team, seenBy: actor)
        return try await shop.read(as: actor) { work in
            (
                try work.people.members(of: team, after: after, limit: limit),
                try work.people.memberCount(of: team)
            )
        }
    }

    package func member(
        _ person: PersonID, of team: Int64, by actor: ConnectActor
    ) async throws -> Member {
        try actor.require(.viewUsers)
        try TeamRules.check(team, seenBy: actor)
        return try await shop.read(as: actor) { try Self.member(person, of: team, $0) }
    }

    /// Replaces the roles of a member.
    ///
    /// - Throws: `ConnectRefusal`.
    package func setRoles(
        _ roles: Set<ConnectRole>, of person: PersonID, in team: Int64, by actor: ConnectActor
    ) async throws -> Member {
        try actor.require(.manageUsers)
        try TeamRules.check(team, seenBy: actor)
        try MemberRules.check(assigned: roles)
        return try await shop.write(as: actor) { work in
            let member = try Self.member(person, of: team, work)
            try MemberRules.checkChange(of: member.roles)
            guard member.roles != roles else { return member }
            try work.people.set(roles, of: person, in: team, at: work.now)
            if ConnectPermission.manageUsers.roles.isDisjoint(with: roles) {
                try work.revokeInvitations(by: member.person.email, to: team)
            }
            try work.note(
                "user.update", on: member.person.email, of: team, before: member.roles.titles,
                after: roles.titles)
            return try Self.member(person, of: team, work)
        }
    }

    /// Takes somebody out of a team, and ends the sessions in it.
    ///
    /// - Throws: `ConnectRefusal` for the Account Holder.
    package func remove(_ person: PersonID, from team: Int64, by actor: ConnectActor) async throws {
        try actor.require(.manageUsers)
        try TeamRules.check(team, seenBy: actor)
        try await shop.write(as: actor) { work in
            let member = try Self.member(person, of: team, work)
            try MemberRules.checkChange(of: member.roles)
            try work.people.remove(person, from: team)
            try work.revokeInvitations(by: member.person.email, to: team)
            try work.note(
                "user.remove", on: member.person.email, of: team, before: member.roles.titles)
        }
    }

    /// Hands the Account Holder's role over to another member; the earlier one remains as
    /// Admin.
    ///
    /// - Throws: `ConnectRefusal`.
    package func handOver(
        _ team: Int64, to person: PersonID, by actor: ConnectActor
    ) async throws -> Member {
        try actor.require(.manageUsers)
        try TeamRules.check(team, seenBy: actor)
        try MemberRules.checkHandover(by: actor)
        return try await shop.write(as: actor) { work in
            let people = work.people
            let successor = try Self.member(person, of: team, work)
            guard successor.person.disabled == nil else {
                throw ConnectRefusal(
                    .state, rule: "personDisabled", "\(successor.person.email) is disabled.",
                    help: "Choose another member.")
            }
            let holder = try people.accountHolder(of: team)
            guard holder?.person.id != person else { return successor }
            if let holder {
                let roles = MemberRules.handover(from: holder.roles, to: successor.roles)
                try people.moveAccountHolder(of: team, to: person)
                try people.set(roles.holder, of: holder.person.id, in: team, at: work.now)
            } else {
                try people.set(
                    successor.roles.union([.accountHolder]), of: person, in: team, at: work.now)
            }
            try work.note(
                "team.handOver", on: successor.person.email, of: team, before: holder?.person.email,
                after: successor.person.email)
            return try Self.member(person, of: team, work)
        }
    }

    private static func member(
        _ person: PersonID, of team: Int64, _ repositories: StoreRepositories
    ) throws -> Member {
        try repositories.people.member(person, of: team).orNotFound("member", "\(person.number)")
    }
}
