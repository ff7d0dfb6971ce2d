import Foundation
import StoreModel

/// Keys of the API, and who issues them.
package struct APIKeyRepository {
    let connection: any SQLConnection

    package func key(_ id: APIKeyID) throws -> APIKey? {
        try connection.row(
            """
            SELECT k.id, k.issuer, i.team, k.role, k.name, k.public_key, k.created, k.revoked,
                k.last_used
            FROM api_key k JOIN api_issuer i ON i.id = k.issuer WHERE k.id = ?1
            """, [.text(id.text)], read)
    }

    /// All keys, the oldest first.
    package func keys() throws -> [APIKey] {
        try connection.rows(
            """
            SELECT k.id, k.issuer, i.team, k.role, k.name, k.public_key, k.created, k.revoked,
                k.last_used
            FROM api_key k JOIN api_issuer i ON i.id = k.issuer ORDER BY k.created, k.id
            """, [], read)
    }

    /// Keys of a team, or of the store where it is nil: those that are not revoked, then the
    /// others, each the newest first.
    package func keys(of team: Int64?, limit: Int) throws -> [APIKey] {
        try connection.rows(
            """
            SELECT k.id, k.issuer, i.team, k.role, k.name, k.public_key, k.created, k.revoked,
                k.last_used
            FROM api_issuer i JOIN api_key k ON k.issuer = i.id
            WHERE ifnull(i.team, 0) = ?1 ORDER BY k.revoked IS NOT NULL,
                k.created DESC, k.id LIMIT ?2
            """, [.integer(team ?? 0), .integer(limit)], read)
    }

    /// How many keys of a team, or of the store, are not revoked.
    package func unrevokedKeys(of team: Int64?) throws -> Int {
        let count = try connection.row(
            """
            SELECT count(*) FROM api_issuer i JOIN api_key k ON k.issuer = i.id
            WHERE ifnull(i.team, 0) = ?1 AND k.revoked IS NULL
            """, [.integer(team ?? 0)]
        ) { Int($0.integer(0)) }
        return count ?? 0
    }

    package func recordUse(of id: APIKeyID, at date: Date) throws {
        try connection.run(
            "UPDATE api_key SET last_used = max(ifnull(last_used, 0), ?2) WHERE id = ?1",
            [.text(id.text), .date(date)])
    }

    /// The issuer that stands for a team, or for the operator where it is nil.
    package func issuer(of team: Int64?) throws -> IssuerID? {
        try connection.row(
            "SELECT id FROM api_issuer WHERE ifnull(team, 0) = ?1", [.integer(team ?? 0)]
        ) { try $0.value(0) { IssuerID($0) } }
    }

    package func insert(_ issuer: IssuerID, of team: Int64?) throws {
        try connection.run(
            "INSERT INTO api_issuer (id, team) VALUES (?1, ?2)",
            [.text(issuer.text), team.map { .integer($0) } ?? .noInteger])
    }

    package func insert(_ key: APIKeyDraft, issuer: IssuerID, at date: Date) throws -> APIKey {
        try connection.run(
            """
            INSERT INTO api_key (id, issuer, role, name, public_key, created)
            VALUES (?1, ?2, ?3, ?4, ?5, ?6)
            """,
            [
                .text(key.id.text), .text(issuer.text), .text(key.role.rawValue),
                .text(key.name), .text(key.publicKey), .date(date),
            ])
        return try self.key(key.id).orMissing("key")
    }

    /// Records that a key has no rights any more. The schema refuses a second time.
    package func revoke(_ id: APIKeyID, at date: Date) throws {
        try connection.run(
            "UPDATE api_key SET revoked = ?2 WHERE id = ?1", [.text(id.text), .date(date)])
    }

    private func read(_ row: any SQLRow) throws -> APIKey {
        APIKey(
            id: try row.value(0) { APIKeyID($0) }, issuer: try row.value(1) { IssuerID($0) },
            team: row.optionalInteger(2), role: try row.value(3, ConnectRole.init(rawValue:)),
            name: row.text(4), publicKey: row.text(5), created: row.date(6),
            revoked: row.isNull(7) ? nil : row.date(7), lastUse: row.isNull(8) ? nil : row.date(8))
    }
}
