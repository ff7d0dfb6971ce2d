import Foundation
import StoreDatabase
import StoreModel

/// Apps with everything that Connect knows of them.
package struct AppRepository {
    let connection: any SQLConnection

    package func record(_ id: AppID) throws -> AppRecord? {
        try connection.find(AppRecord.self, id)
    }

    /// - Parameter team: whose; nil for all of them.
    package func records(
        _ query: AppQuery, _ page: PageRequest, team: Int64?
    ) throws -> ListPage<AppRecord> {
        let conditions: [SQL?] = [
            team.map { "AND team = \($0)" },
            query.ids.isEmpty ? nil : "AND id IN \(list: query.ids)",
            query.names.isEmpty ? nil : "AND name IN \(list: query.names)",
            query.bundleIDs.isEmpty ? nil : "AND bundle_id IN \(list: query.bundleIDs)",
            query.skus.isEmpty ? nil : "AND sku IN \(list: query.skus)",
            query.versionStates.isEmpty
                ? nil
                : """
                AND id IN (SELECT app FROM app_version WHERE state IN \(list: query.versionStates))
                """,
            query.platforms.isEmpty
                ? nil
                : "AND id IN (SELECT app FROM app_version WHERE platform IN \(list: query.platforms))",
            query.versions.isEmpty
                ? nil
                : "AND id IN (SELECT v.app FROM app_version v WHERE v.id IN \(list: query.versions))",
            query.search.map { search in
                """
                AND (instr(lower(name), lower(\(search))) > 0
                    OR instr(lower(bundle_id), lower(\(search))) > 0
                    OR instr(lower(sku), lower(\(search))) > 0 OR CAST(id AS TEXT) = \(search)
                    OR id IN (SELECT p.app FROM product p WHERE CAST(p.id AS TEXT) = \(search)))
                """
            },
            query.submissionStates.isEmpty
                ? nil
                : """
                AND id IN (SELECT app FROM review_submission
                    WHERE state IN \(list: query.submissionStates))
                """,
            query.submissionPlatforms.isEmpty
                ? nil
                : """
                AND id IN (SELECT s.app FROM review_submission s
                    JOIN review_item i ON i.submission = s.id
                    JOIN app_version v ON v.id = i.app_version
                    WHERE v.platform IN \(list: query.submissionPlatforms))
                """,
        ]
        let order: SQL =
            switch query.order.key {
            case .name: "lower(name)"
            case .bundleId: "bundle_id"
            case .sku: "sku"
            }
        return try connection.page(
            AppRecord.self, "WHERE 1 = 1 \(conditions)",
            by: "\(order) \(raw: query.order.isDescending ? "DESC" : "ASC"), id", page)
    }

    package func isTaken(sku: String, team: Int64) throws -> Bool {
        try connection.exists("FROM app WHERE team = \(team) AND sku = \(sku)")
    }

    /// Whether a product of it was ever sold in production.
    package func wasOnSale(_ id: AppID) throws -> Bool {
        try connection.exists("FROM product WHERE app = \(id) AND was_on_sale = 1")
    }

    /// Adds an app with an explicit bundle identifier.
    package func insert(
        name: String, sku: String, primaryLocale: ConnectLocale, from identifier: BundleIdentifier,
        binaryState: BinaryState = .prepareForSubmission
    ) throws -> AppRecord {
        guard let bundleID = BundleID(identifier.identifier.text) else {
            throw SQLError(
                code: .other, "\(identifier.identifier) can't be the bundle identifier of an app")
        }
        let app = App(
            id: AppID(number: try AppleIDSequence(connection: connection).next()),
            teamID: identifier.team, bundleID: bundleID, name: name, binaryState: binaryState,
            generation: identifier.generation)
        return try connection.inserted(
            AppRecord(
                app: app, identifier: identifier.id, sku: sku, primaryLocale: primaryLocale,
                attributes: AppAttributes()))
    }

    /// Writes everything but team, SKU and the state of the binary.
    package func update(_ record: AppRecord) throws { try connection.update(record) }

    package func setBinaryState(_ state: BinaryState, of id: AppID) throws {
        try connection.run(
            """
            UPDATE app SET binary_state = \(state) WHERE id = \(id) AND binary_state <> \(state)
            """)
    }

    /// Deletes an app with its versions.
    ///
    /// - Returns: false where other rows need it; nothing is deleted then.
    package func delete(_ id: AppID) throws -> Bool {
        // A product is all that can have purchases, texts and prices of its own.
        guard try !connection.exists("FROM product WHERE app = \(id)") else { return false }
        try connection.run("DELETE FROM kept_resource WHERE app = \(id)")
        let versions = AppVersionRepository(connection: connection)
        for version in try versions.versions(of: id) { try versions.delete(version.id) }
        do {
            try connection.attempt {
                try Records<SandboxClock>(connection).release(id)
                try connection.delete(AppRecord.self, id)
            }
        } catch let error as SQLError where error.code == .constraint {
            return false
        }
        return true
    }
}

extension StoreRepositories {
    package var apps: AppRepository { AppRepository(connection: connection) }
}
