import Foundation
import StoreDatabase

extension StoreRepositories {
    /// Keys of the API, and who issues them.
    package var apiKeys: Records<APIKey> { Records(connection) }
}

extension Records<APIKey> {
    /// All keys, the oldest first.
    package func keys() throws -> [APIKey] {
        try connection.all(APIKey.self, "ORDER BY created, id")
    }

    /// Keys of a team, or of the store where it is nil: those that are not revoked, then the
    /// others, each the newest first.
    package func keys(of team: Int64?, limit: Int) throws -> [APIKey] {
        try connection.all(
            APIKey.self,
            """
            WHERE ifnull(team, 0) = \(team ?? 0)
            ORDER BY revoked IS NOT NULL, created DESC, id LIMIT \(limit)
            """)
    }

    /// How many keys of a team, or of the store, are not revoked.
    package func unrevokedKeys(of team: Int64?) throws -> Int {
        let count = try connection.value(
            Int.self,
            """
            SELECT count(*) FROM api_issuer i JOIN api_key k ON k.issuer = i.id
            WHERE ifnull(i.team, 0) = \(team ?? 0) AND k.revoked IS NULL
            """)
        return count ?? 0
    }

    package func recordUse(of id: APIKeyID, at date: Date) throws {
        try connection.run(
            "UPDATE api_key SET last_used = max(ifnull(last_used, 0), \(date)) WHERE id = \(id)")
    }

    /// The issuer that stands for a team, or for the operator where it is nil.
    package func issuer(of team: Int64?) throws -> IssuerID? {
        try connection.value(
            IssuerID.self, "SELECT id FROM api_issuer WHERE ifnull(team, 0) = \(team ?? 0)")
    }

    package func insert(_ issuer: IssuerID, of team: Int64?) throws {
        try connection.run("INSERT INTO api_issuer (id, team) VALUES (\(issuer), \(team))")
    }

    /// - Parameter newIssuer: stands for the team, or for the operator, if nothing does yet.
    package func insert(_ key: APIKeyDraft, newIssuer: IssuerID, at date: Date) throws -> APIKey {
        let known = try issuer(of: key.team)
        if known == nil { try insert(newIssuer, of: key.team) }
        return try insert(
            APIKey(
                id: key.id, issuer: known ?? newIssuer, team: key.team, role: key.role,
                name: key.name, publicKey: key.publicKey, created: date, revoked: nil, lastUse: nil)
        )
    }

    /// Records that a key has no rights any more. The schema refuses a second time.
    package func revoke(_ id: APIKeyID, at date: Date) throws {
        try connection.run("UPDATE api_key SET revoked = \(date) WHERE id = \(id)")
    }
}
