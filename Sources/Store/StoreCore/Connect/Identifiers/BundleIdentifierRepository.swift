import Foundation
import StoreDatabase
import StoreModel

extension StoreRepositories {
    /// Bundle identifiers with their capabilities.
    package var bundleIdentifiers: Records<BundleIdentifier> { Records(connection) }
}

extension Records<BundleIdentifier> {
    /// The explicit one with this text, whoever has it.
    package func explicit(_ text: String) throws -> BundleIdentifier? {
        try connection.first(
            BundleIdentifier.self, "WHERE identifier = \(text) AND is_wildcard = 0")
    }

    package func wildcard(_ text: String, of team: Int64) throws -> BundleIdentifier? {
        try connection.first(
            BundleIdentifier.self,
            "WHERE team = \(team) AND identifier = \(text) AND is_wildcard = 1")
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
            query.platforms.isEmpty ? nil : "AND shown_platform IN \(list: query.platforms)",
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
            case .platform: "shown_platform"
            case .identifier: "identifier"
            case .seedId: "team"
            case .id: "id"
            }
        return try connection.page(
            BundleIdentifier.self, "WHERE 1 = 1 \(conditions)",
            by: "\(key) \(raw: query.order.isDescending ? "DESC" : "ASC"), id", page)
    }

    /// Adds an identifier, with in-app purchase unless it is a wildcard or one of services. If any team has
    /// deleted the same identifier, the new one continues the generation of the deleted one.
    package func insert(
        _ identifier: ApplicationIdentifier, name: String, platform: BundleIdentifierPlatform,
        team: Int64, generation: Int = 1
    ) throws -> BundleIdentifier {
        let last = try connection.value(
            Int.self, "SELECT last FROM bundle_identifier_past WHERE identifier = \(identifier)")
        let added = try insert(
            BundleIdentifier(
                id: BundleIdentifierID(number: 0), team: team, identifier: identifier, name: name,
                platform: platform,
                generation: max(generation, 1 + (last ?? 0)), app: nil, allowsInAppPurchase: false))
        guard !added.isWildcard, platform != .services else { return added }
        try save(Capability(type: .inAppPurchase), of: added.id)
        return try find(added.id).orMissing("bundle identifier")
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
