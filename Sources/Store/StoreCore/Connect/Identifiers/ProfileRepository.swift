import Foundation
import StoreDatabase
import StoreModel

/// Provisioning profiles.
package struct ProfileRepository {
    let connection: any SQLConnection

    /// Profiles beside what their bundle identifiers are now.
    private static let source: SQL = """
        (
            SELECT p.*, b.generation AS current_generation
            FROM profile p LEFT JOIN bundle_identifier b ON b.id = p.bundle_identifier
        ) known
        """

    private func first(_ rest: SQL) throws -> Profile? {
        try connection.records(
            Profile.self, "SELECT \(Profile.columns) FROM \(Self.source) \(rest)"
        ).first
    }

    package func profile(_ id: ProfileID) throws -> Profile? { try first("WHERE id = \(id)") }

    package func profile(named name: String, of team: Int64) throws -> Profile? {
        try first("WHERE team = \(team) AND name = \(name)")
    }

    /// One that is in force for a bundle identifier; nil where there is none.
    package func profileInForce(of identifier: BundleIdentifierID, at date: Date) throws -> Profile?
    {
        try first(
            """
            WHERE bundle_identifier = \(identifier) AND generation >= current_generation
                AND expires > \(date)
            ORDER BY id LIMIT 1
            """)
    }

    /// - Parameters:
    ///   - team: whose; nil for all of them.
    ///   - date: decides which ones are in force.
    package func profiles(
        _ query: ProfileQuery, _ page: PageRequest, team: Int64?, at date: Date
    ) throws -> ListPage<Profile> {
        let inForce: SQL = """
            current_generation IS NOT NULL AND generation >= current_generation
                AND expires > \(date)
            """
        let conditions: [SQL?] = [
            team.map { "AND team = \($0)" },
            query.ids.isEmpty ? nil : "AND id IN \(list: query.ids)",
            query.names.isEmpty ? nil : "AND name IN \(list: query.names)",
            query.types.isEmpty ? nil : "AND type IN \(list: query.types)",
            query.isInForce.map { $0 ? "AND \(inForce)" : "AND NOT (\(inForce))" },
            query.bundleIdentifier.map { "AND bundle_identifier = \($0)" },
        ]
        let key: SQL =
            switch query.order.key {
            case .name: "lower(name)"
            case .profileType: "type"
            case .profileState: "CASE WHEN \(inForce) THEN 0 ELSE 1 END"
            case .id: "id"
            }
        return try connection.page(
            Profile.self, from: "\(Self.source) WHERE 1 = 1 \(conditions)",
            by: "\(key) \(raw: query.order.isDescending ? "DESC" : "ASC"), id", page)
    }

    package func insert(
        name: String, type: ProfileType, uuid: String, identifier: BundleIdentifier,
        content: String, created: Date, expires: Date
    ) throws -> Profile {
        let id = try connection.value(
            ProfileID.self,
            """
            INSERT INTO profile (team, name, type, uuid, bundle_identifier, identifier,
                generation, content, created, expires)
            VALUES (\(identifier.team), \(name), \(type), \(uuid), \(identifier.id),
                \(identifier.identifier), \(identifier.generation), \(content), \(created),
                \(expires))
            RETURNING id
            """)
        return try profile(id.orMissing("profile")).orMissing("profile")
    }

    package func renew(
        _ id: ProfileID, uuid: String, generation: Int, content: String, created: Date,
        expires: Date
    ) throws {
        try connection.run(
            """
            UPDATE profile SET uuid = \(uuid), generation = \(generation),
                content = \(content), created = \(created), expires = \(expires)
            WHERE id = \(id)
            """)
    }

    package func delete(_ id: ProfileID) throws {
        try connection.run("DELETE FROM profile WHERE id = \(id)")
    }
}

extension StoreRepositories {
    package var profiles: ProfileRepository { ProfileRepository(connection: connection) }
}
