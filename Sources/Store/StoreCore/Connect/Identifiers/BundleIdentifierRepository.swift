import Foundation
import StoreDatabase
import StoreModel

/// Bundle identifiers with their capabilities.
package struct BundleIdentifierRepository {
    let connection: any SQLConnection

    private static let source: SQL = """
        (
            SELECT b.id, b.team, b.identifier, b.is_wildcard, b.name,
                ifnull(b.own_platform, b.platform) AS platform, b.generation, a.id AS app,
                EXISTS (SELECT 1 FROM bundle_capability c
                    WHERE c.identifier = b.id AND c.type = 'IN_APP_PURCHASE')
                    AS allows_in_app_purchase
            FROM bundle_identifier b LEFT JOIN app a ON a.identifier = b.id
        ) known
        """

    private func first(_ rest: SQL) throws -> BundleIdentifier? {
        try connection.records(
            BundleIdentifier.self,
            "SELECT \(BundleIdentifier.columns) FROM \(Self.source) \(rest)"
        ).first
    }

    package func identifier(_ id: BundleIdentifierID) throws -> BundleIdentifier? {
        try first("WHERE id = \(id)")
    }

    /// The explicit one with this text, whoever has it.
    package func explicit(_ text: String) throws -> BundleIdentifier? {
        try first("WHERE identifier = \(text) AND is_wildcard = 0")
    }

    package func wildcard(_ text: String, of team: Int64) throws -> BundleIdentifier? {
        try first("WHERE team = \(team) AND identifier = \(text) AND is_wildcard = 1")
    }

    /// - Parameter team: whose; nil for all of them.
    package func identifiers(
        _ query: BundleIdentifierQuery, _ page: PageRequest, team: Int64?
    ) throws -> ListPage<BundleIdentifier> {
        let conditions: [SQL?] = [
            team.map { "AND team = \($0)" },
            query.ids.isEmpty ? nil : "AND id IN \(list: query.ids)",
            query.names.isEmpty ? nil : "AND name IN \(list: query.names)",
            query.identifiers.isEmpty ? nil : "AND identifier IN \(list: query.identifiers)",
            query.platforms.isEmpty ? nil : "AND platform IN \(list: query.platforms)",
            query.seedIDs.isEmpty ? nil : "AND team IN \(list: query.seedIDs)",
            query.search.map {
                """
                AND (instr(lower(name), lower(\($0))) > 0
                    OR instr(lower(identifier), lower(\($0))) > 0)
                """
            },
        ]
        let key: SQL =
            switch query.order.key {
            case .name: "lower(name)"
            case .platform: "platform"
            case .identifier: "identifier"
            case .seedId: "team"
            case .id: "id"
            }
        return try connection.page(
            BundleIdentifier.self, from: "\(Self.source) WHERE 1 = 1 \(conditions)",
            by: "\(key) \(raw: query.order.isDescending ? "DESC" : "ASC"), id", page)
    }

    /// Adds an identifier. Its generation follows the last one that it had before it was deleted,
    /// whoever had it.
    package func insert(
        _ identifier: ApplicationIdentifier, name: String, platform: BundleIdentifierPlatform,
        team: Int64
    ) throws -> BundleIdentifier {
        let kept: BundleIdentifierPlatform = platform == .linux ? .universal : platform
        let ownPlatform: BundleIdentifierPlatform? = platform == .linux ? platform : nil
        let id = try connection.value(
            BundleIdentifierID.self,
            """
            INSERT INTO bundle_identifier (team, identifier, name, platform, own_platform,
                generation)
            VALUES (\(team), \(identifier), \(name),
                \(kept), \(ownPlatform),
                1 + ifnull((
                    SELECT last FROM bundle_identifier_past WHERE identifier = \(identifier)), 0))
            RETURNING id
            """)
        return try self.identifier(id.orMissing("bundle identifier"))
            .orMissing("bundle identifier")
    }

    package func rename(_ id: BundleIdentifierID, to name: String) throws {
        try connection.run("UPDATE bundle_identifier SET name = \(name) WHERE id = \(id)")
    }

    /// Makes profiles out of date that were made so far, for it and for its app.
    package func raiseGeneration(of id: BundleIdentifierID) throws {
        try connection.run(
            "UPDATE bundle_identifier SET generation = generation + 1 WHERE id = \(id)")
        try connection.run(
            """
            UPDATE app SET generation =
                (SELECT generation FROM bundle_identifier b WHERE b.id = app.identifier)
            WHERE identifier = \(id)
            """)
    }

    /// Deletes it with its capabilities; profiles remember its text only.
    package func delete(_ id: BundleIdentifierID) throws {
        try connection.run("DELETE FROM bundle_identifier WHERE id = \(id)")
    }

    // MARK: Capabilities

    /// In the order of their names.
    package func capabilities(of id: BundleIdentifierID) throws -> [Capability] {
        try connection.all(Capability.self, "WHERE identifier = \(id) ORDER BY type")
    }

    /// Adds a capability, or replaces its settings.
    package func save(_ capability: Capability, of id: BundleIdentifierID) throws {
        try connection.save(capability, with: OtherColumn("identifier", id, .key))
    }

    package func delete(_ type: CapabilityType, of id: BundleIdentifierID) throws {
        try connection.run(
            "DELETE FROM bundle_capability WHERE identifier = \(id) AND type = \(type)")
    }
}

extension StoreRepositories {
    package var bundleIdentifiers: BundleIdentifierRepository {
        BundleIdentifierRepository(connection: connection)
    }
}
