import Foundation
import StoreModel

/// Provisioning profiles.
package struct ProfileRepository {
    let connection: any SQLConnection

    package func profile(_ id: ProfileID) throws -> Profile? {
        try connection.row(
            """
            SELECT p.id, p.team, p.name, p.type, p.uuid, p.bundle_identifier, p.identifier,
                p.generation, b.generation, p.content, p.created, p.expires
            FROM profile p LEFT JOIN bundle_identifier b ON b.id = p.bundle_identifier
            WHERE p.id = ?1
            """, [.integer(id.number)], read)
    }

    package func profile(named name: String, of team: Int64) throws -> Profile? {
        let id = try connection.row(
            "SELECT id FROM profile WHERE team = ?1 AND name = ?2", [.integer(team), .text(name)]
        ) { $0.integer(0) }
        return try id.flatMap { try profile(ProfileID(number: $0)) }
    }

    /// One that is in force for a bundle identifier; nil where there is none.
    package func profileInForce(of identifier: BundleIdentifierID, at date: Date) throws -> Profile?
    {
        let id = try connection.row(
            """
            SELECT p.id FROM profile p JOIN bundle_identifier b ON b.id = p.bundle_identifier
            WHERE b.id = ?1 AND p.generation >= b.generation AND p.expires > ?2
            ORDER BY p.id LIMIT 1
            """, [.integer(identifier.number), .date(date)]
        ) { $0.integer(0) }
        return try id.flatMap { try profile(ProfileID(number: $0)) }
    }

    /// - Parameters:
    ///   - team: whose; nil for all of them.
    ///   - date: decides which ones are in force.
    package func profiles(
        _ query: ProfileQuery, _ page: PageRequest, team: Int64?, at date: Date
    ) throws -> ListPage<Profile> {
        let offset = try page.offset()
        var total = 0
        let items = try connection.rows(
            """
            SELECT id, team, name, type, uuid, bundle_identifier, identifier, generation,
                current, content, created, expires, count(*) OVER ()
            FROM (
                SELECT p.*, b.generation AS current,
                    CAST(b.generation IS NOT NULL AND p.generation >= b.generation
                        AND p.expires > ?2 AS INT) AS is_in_force
                FROM profile p LEFT JOIN bundle_identifier b ON b.id = p.bundle_identifier
            ) known
            WHERE (?1 IS NULL OR team = ?1)
                AND (?3 IS NULL OR id IN (SELECT CAST(value AS INTEGER) FROM json_each(?3)))
                AND (?4 IS NULL OR name IN (SELECT value FROM json_each(?4)))
                AND (?5 IS NULL OR type IN (SELECT value FROM json_each(?5)))
                AND (?6 IS NULL OR is_in_force = ?6)
                AND (?7 IS NULL OR bundle_identifier = ?7)
            ORDER BY
                CASE WHEN ?9 = 0 THEN CASE ?8 WHEN 'name' THEN lower(name)
                    WHEN 'profileType' THEN type END END,
                CASE WHEN ?9 = 1 THEN CASE ?8 WHEN 'name' THEN lower(name)
                    WHEN 'profileType' THEN type END END DESC,
                CASE WHEN ?9 = 0 THEN CASE ?8 WHEN 'profileState' THEN 1 - is_in_force
                    WHEN 'id' THEN id END END,
                CASE WHEN ?9 = 1 THEN CASE ?8 WHEN 'profileState' THEN 1 - is_in_force
                    WHEN 'id' THEN id END END DESC,
                id
            LIMIT ?10 OFFSET ?11
            """,
            [
                .integer(team), .date(date), .list(query.ids.map(\.number)), .list(query.names),
                .list(query.types.map(\.rawValue)), .integer(query.isInForce),
                .integer(query.bundleIdentifier?.number), .text(query.order.key.rawValue),
                .integer(query.order.isDescending), .integer(page.limit), .integer(offset),
            ]
        ) { row in
            total = Int(row.integer(12))
            return try read(row)
        }
        if items.isEmpty, offset > 0 {
            total = try profiles(query, PageRequest(limit: 1), team: team, at: date).total ?? 0
        }
        return try ListPage(items, total: total, from: page)
    }

    package func insert(
        name: String, type: ProfileType, uuid: String, identifier: BundleIdentifier,
        content: String, created: Date, expires: Date
    ) throws -> Profile {
        let id = try connection.row(
            """
            INSERT INTO profile (team, name, type, uuid, bundle_identifier, identifier,
                generation, content, created, expires)
            VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10) RETURNING id
            """,
            [
                .integer(identifier.team), .text(name), .text(type.rawValue), .text(uuid),
                .integer(identifier.id.number), .text(identifier.identifier.text),
                .integer(identifier.generation), .text(content), .date(created), .date(expires),
            ]
        ) { $0.integer(0) }
        let saved = try profile(ProfileID(number: id.orMissing("profile")))
        return try saved.orMissing("profile")
    }

    package func renew(
        _ id: ProfileID, uuid: String, generation: Int, content: String, created: Date,
        expires: Date
    ) throws {
        try connection.run(
            """
            UPDATE profile
            SET uuid = ?2, generation = ?3, content = ?4, created = ?5, expires = ?6
            WHERE id = ?1
            """,
            [
                .integer(id.number), .text(uuid), .integer(generation), .text(content),
                .date(created), .date(expires),
            ])
    }

    package func delete(_ id: ProfileID) throws {
        try connection.run("DELETE FROM profile WHERE id = ?1", [.integer(id.number)])
    }

    private func read(_ row: any SQLRow) throws -> Profile {
        Profile(
            id: ProfileID(number: row.integer(0)), team: row.integer(1), name: row.text(2),
            type: try row.value(3, ProfileType.init(rawValue:)), uuid: row.text(4),
            bundleIdentifier: row.optionalInteger(5).map(BundleIdentifierID.init(number:)),
            identifier: try row.value(6) { ApplicationIdentifier($0) },
            generation: Int(row.integer(7)),
            currentGeneration: row.optionalInteger(8).map { Int($0) }, content: row.text(9),
            created: row.date(10), expires: row.date(11))
    }
}
