import Foundation
import StoreModel

/// Bundle identifiers with their capabilities.
package struct BundleIdentifierRepository {
    let connection: any SQLConnection

    package func identifier(_ id: BundleIdentifierID) throws -> BundleIdentifier? {
        try connection.row(
            """
            SELECT b.id, b.team, b.identifier, b.name, ifnull(b.own_platform, b.platform), b.generation, a.id,
                EXISTS (SELECT 1 FROM bundle_capability c
                    WHERE c.identifier = b.id AND c.type = 'IN_APP_PURCHASE')
            FROM bundle_identifier b LEFT JOIN app a ON a.identifier = b.id WHERE b.id = ?1
            """, [.integer(id.number)], read)
    }

    /// The explicit one with this text, whoever has it.
    package func explicit(_ text: String) throws -> BundleIdentifier? {
        let id = try connection.row(
            "SELECT id FROM bundle_identifier WHERE identifier = ?1 AND is_wildcard = 0",
            [.text(text)]
        ) { $0.integer(0) }
        return try id.flatMap { try identifier(BundleIdentifierID(number: $0)) }
    }

    package func wildcard(_ text: String, of team: Int64) throws -> BundleIdentifier? {
        let id = try connection.row(
            """
            SELECT id FROM bundle_identifier
            WHERE team = ?2 AND identifier = ?1 AND is_wildcard = 1
            """, [.text(text), .integer(team)]
        ) { $0.integer(0) }
        return try id.flatMap { try identifier(BundleIdentifierID(number: $0)) }
    }

    /// - Parameter team: whose; nil for all of them.
    package func identifiers(
        _ query: BundleIdentifierQuery, _ page: PageRequest, team: Int64?
    ) throws -> ListPage<BundleIdentifier> {
        let offset = try page.offset()
        var total = 0
        let items = try connection.rows(
            """
            SELECT b.id, b.team, b.identifier, b.name, ifnull(b.own_platform, b.platform), b.generation, a.id,
                EXISTS (SELECT 1 FROM bundle_capability c
                    WHERE c.identifier = b.id AND c.type = 'IN_APP_PURCHASE'),
                count(*) OVER ()
            FROM bundle_identifier b LEFT JOIN app a ON a.identifier = b.id
            WHERE (?1 IS NULL OR b.team = ?1)
                AND (?2 IS NULL OR b.id IN (
                    SELECT CAST(value AS INTEGER) FROM json_each(?2)))
                AND (?3 IS NULL OR b.name IN (SELECT value FROM json_each(?3)))
                AND (?4 IS NULL OR b.identifier IN (SELECT value FROM json_each(?4)))
                AND (?5 IS NULL OR ifnull(b.own_platform, b.platform) IN (SELECT value FROM json_each(?5)))
                AND (?6 IS NULL OR b.team IN (
                    SELECT CAST(value AS INTEGER) FROM json_each(?6)))
                AND (?7 IS NULL OR instr(lower(b.name), lower(?7)) > 0
                    OR instr(lower(b.identifier), lower(?7)) > 0)
            ORDER BY
                CASE WHEN ?9 = 0 THEN CASE ?8 WHEN 'name' THEN lower(b.name)
                    WHEN 'platform' THEN ifnull(b.own_platform, b.platform) WHEN 'identifier' THEN b.identifier END END,
                CASE WHEN ?9 = 1 THEN CASE ?8 WHEN 'name' THEN lower(b.name)
                    WHEN 'platform' THEN ifnull(b.own_platform, b.platform) WHEN 'identifier' THEN b.identifier END END
                    DESC,
                CASE WHEN ?9 = 0 THEN CASE ?8 WHEN 'seedId' THEN b.team WHEN 'id' THEN b.id
                    END END,
                CASE WHEN ?9 = 1 THEN CASE ?8 WHEN 'seedId' THEN b.team WHEN 'id' THEN b.id
                    END END DESC,
                b.id
            LIMIT ?10 OFFSET ?11
            """,
            [
                .integer(team), .list(query.ids.map(\.number)), .list(query.names),
                .list(query.identifiers), .list(query.platforms.map(\.rawValue)),
                .list(query.seedIDs.map(\.team)), .text(query.search),
                .text(query.order.key.rawValue), .integer(query.order.isDescending),
                .integer(page.limit), .integer(offset),
            ]
        ) { row in
            total = Int(row.integer(8))
            return try read(row)
        }
        if items.isEmpty, offset > 0 {
            total = try identifiers(query, PageRequest(limit: 1), team: team).total ?? 0
        }
        return try ListPage(items, total: total, from: page)
    }

    /// Adds an identifier. Its generation follows the last one that it had before it was deleted,
    /// whoever had it.
    package func insert(
        _ identifier: ApplicationIdentifier, name: String, platform: BundleIdentifierPlatform,
        team: Int64
    ) throws -> BundleIdentifier {
        let id = try connection.row(
            """
            INSERT INTO bundle_identifier (team, identifier, name, platform, own_platform,
                generation)
            VALUES (?1, ?2, ?3, ?4, ?5, 1 + ifnull((
                SELECT last FROM bundle_identifier_past WHERE identifier = ?2), 0)) RETURNING id
            """,
            [
                .integer(team), .text(identifier.text), .text(name),
                .text((platform == .linux ? .universal : platform).rawValue),
                .text(platform == .linux ? platform.rawValue : nil),
            ]
        ) { $0.integer(0) }
        let saved = try self.identifier(
            BundleIdentifierID(number: id.orMissing("bundle identifier")))
        return try saved.orMissing("bundle identifier")
    }

    package func rename(_ id: BundleIdentifierID, to name: String) throws {
        try connection.run(
            "UPDATE bundle_identifier SET name = ?2 WHERE id = ?1",
            [.integer(id.number), .text(name)])
    }

    /// Makes profiles out of date that were made so far, for it and for its app.
    package func raiseGeneration(of id: BundleIdentifierID) throws {
        try connection.run(
            "UPDATE bundle_identifier SET generation = generation + 1 WHERE id = ?1",
            [.integer(id.number)])
        try connection.run(
            """
            UPDATE app SET generation =
                (SELECT generation FROM bundle_identifier b WHERE b.id = app.identifier)
            WHERE identifier = ?1
            """, [.integer(id.number)])
    }

    /// Deletes it with its capabilities; profiles remember its text only.
    package func delete(_ id: BundleIdentifierID) throws {
        try connection.run(
            "DELETE FROM bundle_identifier WHERE id = ?1", [.integer(id.number)])
    }

    // MARK: Capabilities

    /// In the order of their names.
    package func capabilities(of id: BundleIdentifierID) throws -> [Capability] {
        try connection.rows(
            "SELECT type, settings FROM bundle_capability WHERE identifier = ?1 ORDER BY type",
            [.integer(id.number)]
        ) { row in
            Capability(
                type: try row.value(0, CapabilityType.init(rawValue:)),
                settings: try JSONDecoder().decode(
                    [CapabilitySetting].self, from: Data(row.text(1).utf8)))
        }
    }

    /// Adds a capability, or replaces its settings.
    package func save(_ capability: Capability, of id: BundleIdentifierID) throws {
        let settings = String(
            decoding: try JSONEncoder().encode(capability.settings), as: UTF8.self)
        try connection.run(
            """
            INSERT INTO bundle_capability (identifier, type, settings) VALUES (?1, ?2, ?3)
            ON CONFLICT (identifier, type) DO UPDATE SET settings = excluded.settings
            """,
            [.integer(id.number), .text(capability.type.rawValue), .text(settings)])
    }

    package func delete(_ type: CapabilityType, of id: BundleIdentifierID) throws {
        try connection.run(
            "DELETE FROM bundle_capability WHERE identifier = ?1 AND type = ?2",
            [.integer(id.number), .text(type.rawValue)])
    }

    private func read(_ row: any SQLRow) throws -> BundleIdentifier {
        BundleIdentifier(
            id: BundleIdentifierID(number: row.integer(0)), team: row.integer(1),
            identifier: try row.value(2) { ApplicationIdentifier($0) }, name: row.text(3),
            platform: try row.value(4, BundleIdentifierPlatform.init(rawValue:)),
            generation: Int(row.integer(5)), app: row.optionalInteger(6).map(AppID.init(number:)),
            allowsInAppPurchase: row.integer(7) == 1)
    }
}
