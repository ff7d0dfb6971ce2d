import Foundation
import StoreDatabase

extension StoreRepositories {
    /// Provisioning profiles.
    package var profiles: Records<Profile> { Records(connection) }
}

extension Records<Profile> {
    package func profile(named name: String, of team: Int64) throws -> Profile? {
        try connection.first(Profile.self, "WHERE team = \(team) AND name = \(name)")
    }

    /// One that is in force for a bundle identifier; nil where there is none.
    package func profileInForce(of identifier: BundleIdentifierID, at date: Date) throws -> Profile?
    {
        try connection.first(
            Profile.self,
            """
            WHERE bundle_identifier = \(identifier) AND generation >= current_generation
                AND expires > \(date)
            ORDER BY id
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
            Profile.self, "WHERE 1 = 1 \(conditions)",
            by: "\(key) \(raw: query.order.isDescending ? "DESC" : "ASC"), id", page)
    }
}
