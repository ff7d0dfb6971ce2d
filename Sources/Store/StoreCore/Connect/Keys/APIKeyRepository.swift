import Foundation
import StoreDatabase
import StoreModel

/// Keys of the API, and who issues them.
package struct APIKeyRepository {
    let connection: any SQLConnection

    private func keys(_ rest: SQL) throws -> [APIKey] {
        try connection.records(
            APIKey.self,
            """
            SELECT \(APIKey.columns) FROM api_key
                JOIN (SELECT id AS issuer, team FROM api_issuer) i USING (issuer) \(rest)
            """)
    }

    package func key(_ id: APIKeyID) throws -> APIKey? { try keys("WHERE id = \(id)").first }

    /// All keys, the oldest first.
    package func keys() throws -> [APIKey] { try keys("ORDER BY created, id") }

    /// Keys of a team, or of the store where it is nil: those that are not revoked, then the
    /// others, each the newest first.
    package func keys(of team: Int64?, limit: Int) throws -> [APIKey] {
        try keys(
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
        let issuer = known ?? newIssuer
        try connection.run(
            """
            INSERT INTO api_key (id, issuer, role, name, public_key, created)
            VALUES (\(key.id), \(issuer), \(key.role), \(key.name), \(key.publicKey), \(date))
            """)
        return try self.key(key.id).orMissing("key")
    }

    /// Records that a key has no rights any more. The schema refuses a second time.
    package func revoke(_ id: APIKeyID, at date: Date) throws {
        try connection.run("UPDATE api_key SET revoked = \(date) WHERE id = \(id)")
    }
}

extension StoreRepositories {
    package var apiKeys: APIKeyRepository { APIKeyRepository(connection: connection) }
}
