import Foundation

/// Keys that people make and revoke in Connect: those of a team, and the store's own.
package struct TeamKeyService: Sendable {
    /// Keys of one team that are not revoked.
    package static let limit = 50
    /// Keys that a list shows: all that are not revoked, and the newest of the others.
    private static let listLimit = 200

    let shop: Shop
    let makePair: @Sendable () throws -> APIKeyPair

    /// Keys, those that are not revoked first, each the newest first, and who issues them.
    ///
    /// - Parameter team: nil for the store's own.
    package func keys(
        of team: Int64?, by actor: ConnectActor
    ) async throws -> (keys: [APIKey], issuer: IssuerID?) {
        try Self.require(team, actor)
        return try await shop.read(as: actor) { work in
            (
                try work.apiKeys.keys(of: team, limit: Self.listLimit),
                try work.apiKeys.issuer(of: team)
            )
        }
    }

    package func key(_ id: APIKeyID, by actor: ConnectActor) async throws -> APIKey {
        try await shop.read(as: actor, requiring: .manageKeys) { try Self.key(id, $0) }
    }

    /// Makes a key. Its private half is in the answer, and nowhere else.
    ///
    /// - Parameter team: nil for the store's own, or with a role that no key of the store has for
    ///   its only team.
    /// - Throws: `ConnectRefusal`.
    package func create(
        name: String, role: ConnectRole, team: Int64?, by actor: ConnectActor
    ) async throws -> IssuedAPIKey {
        try Self.require(team, actor)
        let name = try APIKeyRules.name(name)
        let pair = try makePair()
        return try await shop.write(as: actor) { work in
            let keys = work.apiKeys
            let team = team == nil && !role.isStaff ? try work.team(for: nil) : team
            try APIKeyRules.check(role: role, team: team)
            if let team { _ = try work.team(team) }
            guard try keys.unrevokedKeys(of: team) < Self.limit else {
                throw ConnectRefusal(
                    .tooMany, rule: "keysUsed",
                    "There are \(Self.limit) keys that are not revoked, which is the most.",
                    help: "Revoke those that nobody uses.")
            }
            let key = try keys.insert(
                APIKeyDraft(
                    id: pair.id, team: team, role: role, name: name, publicKey: pair.publicKey),
                newIssuer: pair.issuer, at: work.now)
            try work.note("key.create", on: "\(key.id) \(name)", of: team, after: role.title)
            return IssuedAPIKey(key: key, privateKey: pair.privateKey)
        }
    }

    /// Takes a key's rights away for good; a second time changes nothing.
    ///
    /// - Throws: `ConnectRefusal`.
    package func revoke(_ id: APIKeyID, by actor: ConnectActor) async throws -> APIKey {
        try await shop.write(as: actor, requiring: .manageKeys) { work in
            let key = try Self.key(id, work)
            guard key.revoked == nil else { return key }
            try work.apiKeys.revoke(id, at: work.now)
            // Invitations and links to passwords that were made with the key end with it.
            try work.revokeInvitations(by: ConnectActor.Kind.key(id).auditName)
            if key.role == .operator { try work.passwordResets.deleteUnused() }
            try work.note(
                "key.revoke", on: "\(id) \(key.name)", of: key.team, before: key.role.title)
            return try Self.key(id, work)
        }
    }

    private static func require(_ team: Int64?, _ actor: ConnectActor) throws {
        try actor.require(.manageKeys)
        if let team {
            try TeamRules.check(team, seenBy: actor)
        } else {
            try actor.require(.operate)
        }
    }

    private static func key(_ id: APIKeyID, _ work: UnitOfWork) throws -> APIKey {
        guard let key = try work.apiKeys.find(id),
            key.team.map(work.actor.sees(team:)) ?? work.actor.allows(.operate)
        else { throw ConnectRefusal.notFound("key", id.text) }
        return key
    }
}
