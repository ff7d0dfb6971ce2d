import Foundation
import StoreModel

/// Apps with everything that Connect knows of them.
package struct AppRepository {
    let connection: any SQLConnection

    package func record(_ id: AppID) throws -> AppRecord? {
        try connection.row(
            """
            SELECT id, team, bundle_id, name, binary_state, generation, identifier, sku,
                primary_locale, content_rights, made_for_kids, status_url, status_url_version,
                sandbox_status_url, sandbox_status_url_version, streamlined, accessibility_url
            FROM app WHERE id = ?1
            """, [.integer(id.number)], read)
    }

    /// - Parameter team: whose; nil for all of them.
    package func records(
        _ query: AppQuery, _ page: PageRequest, team: Int64?
    ) throws -> ListPage<AppRecord> {
        let offset = try page.offset()
        var total = 0
        let items = try connection.rows(
            """
            SELECT id, team, bundle_id, name, binary_state, generation, identifier, sku,
                primary_locale, content_rights, made_for_kids, status_url, status_url_version,
                sandbox_status_url, sandbox_status_url_version, streamlined, accessibility_url,
                count(*) OVER ()
            FROM app
            WHERE (?1 IS NULL OR team = ?1)
                AND (?2 IS NULL OR id IN (
                    SELECT CAST(value AS INTEGER) FROM json_each(?2)))
                AND (?3 IS NULL OR name IN (SELECT value FROM json_each(?3)))
                AND (?4 IS NULL OR bundle_id IN (SELECT value FROM json_each(?4)))
                AND (?5 IS NULL OR sku IN (SELECT value FROM json_each(?5)))
                AND (?6 IS NULL OR id IN (SELECT app FROM app_version
                    WHERE state IN (SELECT value FROM json_each(?6))))
                AND (?7 IS NULL OR id IN (SELECT app FROM app_version
                    WHERE platform IN (SELECT value FROM json_each(?7))))
                AND (?8 IS NULL OR id IN (SELECT v.app FROM app_version v
                    WHERE v.id IN (SELECT value FROM json_each(?8))))
                AND (?9 IS NULL OR instr(lower(name), lower(?9)) > 0
                    OR instr(lower(bundle_id), lower(?9)) > 0 OR instr(lower(sku), lower(?9)) > 0
                    OR CAST(id AS TEXT) = ?9
                    OR id IN (SELECT p.app FROM product p WHERE CAST(p.id AS TEXT) = ?9))
                AND (?14 IS NULL OR id IN (SELECT app FROM review_submission
                    WHERE state IN (SELECT value FROM json_each(?14))))
                AND (?15 IS NULL OR id IN (
                    SELECT s.app FROM review_submission s
                    JOIN review_item i ON i.submission = s.id
                    JOIN app_version v ON v.id = i.app_version
                    WHERE v.platform IN (SELECT value FROM json_each(?15))))
            ORDER BY
                CASE WHEN ?11 = 0 THEN CASE ?10 WHEN 'name' THEN lower(name)
                    WHEN 'bundleId' THEN bundle_id WHEN 'sku' THEN sku END END,
                CASE WHEN ?11 = 1 THEN CASE ?10 WHEN 'name' THEN lower(name)
                    WHEN 'bundleId' THEN bundle_id WHEN 'sku' THEN sku END END DESC,
                id
            LIMIT ?12 OFFSET ?13
            """,
            [
                .integer(team), .list(query.ids.map(\.number)), .list(query.names),
                .list(query.bundleIDs), .list(query.skus),
                .list(query.versionStates.map(\.rawValue)),
                .list(query.platforms.map(\.rawValue)), .list(query.versions.map(\.text)),
                .text(query.search), .text(query.order.key.rawValue),
                .integer(query.order.isDescending), .integer(page.limit), .integer(offset),
                .list(query.submissionStates.map(\.rawValue)),
                .list(query.submissionPlatforms.map(\.rawValue)),
            ]
        ) { row in
            total = Int(row.integer(17))
            return try read(row)
        }
        if items.isEmpty, offset > 0 {
            total = try records(query, PageRequest(limit: 1), team: team).total ?? 0
        }
        return try ListPage(items, total: total, from: page)
    }

    package func isTaken(sku: String, team: Int64) throws -> Bool {
        try connection.row(
            "SELECT 1 FROM app WHERE team = ?1 AND sku = ?2", [.integer(team), .text(sku)]
        ) { _ in true } ?? false
    }

    /// Whether a product of it was ever sold in production.
    package func wasOnSale(_ id: AppID) throws -> Bool {
        try connection.row(
            "SELECT 1 FROM product WHERE app = ?1 AND was_on_sale = 1 LIMIT 1",
            [.integer(id.number)]
        ) { _ in true } ?? false
    }

    package func insert(
        name: String, sku: String, primaryLocale: ConnectLocale, from identifier: BundleIdentifier
    ) throws -> AppRecord {
        let id = try connection.row(
            """
            INSERT INTO app (id, team, bundle_id, name, binary_state, generation, identifier, sku,
                primary_locale)
            SELECT ?5, b.team, b.identifier,
                ?2, 'PREPARE_FOR_SUBMISSION', b.generation, b.id, ?3, ?4
            FROM bundle_identifier b WHERE b.id = ?1
            RETURNING id
            """,
            [
                .integer(identifier.id.number), .text(name), .text(sku),
                .text(primaryLocale.text),
                .integer(try AppleIDSequence(connection: connection).next()),
            ]
        ) { $0.integer(0) }
        let saved = try record(AppID(number: id.orMissing("app")))
        return try saved.orMissing("app")
    }

    /// Writes everything but team, SKU and the state of the binary.
    package func update(_ record: AppRecord) throws {
        let attributes = record.attributes
        try connection.run(
            """
            UPDATE app SET bundle_id = ?2, name = ?3, generation = ?4, identifier = ?5,
                primary_locale = ?6, content_rights = ?7, made_for_kids = ?8, status_url = ?9,
                status_url_version = ?10, sandbox_status_url = ?11,
                sandbox_status_url_version = ?12, streamlined = ?13, accessibility_url = ?14
            WHERE id = ?1
            """,
            [
                .integer(record.app.id.number), .text(record.app.bundleID.text),
                .text(record.app.name), .integer(record.app.generation),
                .integer(record.identifier.number), .text(record.primaryLocale.text),
                .text(attributes.contentRights?.rawValue), .integer(attributes.isMadeForKids),
                .text(attributes.statusURL?.url), .text(attributes.statusURL?.version.rawValue),
                .text(attributes.sandboxStatusURL?.url),
                .text(attributes.sandboxStatusURL?.version.rawValue),
                .integer(attributes.isPurchasingStreamlined),
                .text(attributes.accessibilityURL),
            ])
    }

    package func setBinaryState(_ state: BinaryState, of id: AppID) throws {
        try connection.run(
            "UPDATE app SET binary_state = ?2 WHERE id = ?1 AND binary_state <> ?2",
            [.integer(id.number), .text(state.rawValue)])
    }

    /// Deletes an app with its versions.
    ///
    /// - Returns: false where other rows need it; nothing is deleted then.
    package func delete(_ id: AppID) throws -> Bool {
        // A product is all that can have purchases, texts and prices of its own.
        let hasProducts = try connection.row(
            "SELECT 1 FROM product WHERE app = ?1 LIMIT 1", [.integer(id.number)]
        ) { _ in true }
        guard hasProducts == nil else { return false }
        try connection.run("DELETE FROM kept_resource WHERE app = ?1", [.integer(id.number)])
        let versions = AppVersionRepository(connection: connection)
        for version in try versions.versions(of: id) { try versions.delete(version.id) }
        do {
            try connection.attempt {
                try SandboxClockRepository(connection: connection).release(id)
                try connection.run("DELETE FROM app WHERE id = ?1", [.integer(id.number)])
            }
        } catch let error as SQLError where error.code == .constraint {
            return false
        }
        return true
    }

    private func read(_ row: any SQLRow) throws -> AppRecord {
        AppRecord(
            app: App(
                id: AppID(number: row.integer(0)), teamID: row.integer(1),
                bundleID: try row.value(2) { BundleID($0) }, name: row.text(3),
                binaryState: try row.value(4, BinaryState.init(rawValue:)),
                generation: Int(row.integer(5))),
            identifier: BundleIdentifierID(number: row.integer(6)), sku: row.text(7),
            primaryLocale: try row.value(8) { ConnectLocale($0) },
            attributes: AppAttributes(
                contentRights: try row.isNull(9)
                    ? nil : row.value(9, ContentRights.init(rawValue:)),
                isMadeForKids: row.integer(10) == 1,
                statusURL: try statusURL(row, 11), sandboxStatusURL: try statusURL(row, 13),
                isPurchasingStreamlined: row.integer(15) == 1,
                accessibilityURL: row.optionalText(16)))
    }

    private func statusURL(_ row: any SQLRow, _ column: Int) throws -> StatusURL? {
        guard let url = row.optionalText(column) else { return nil }
        return StatusURL(
            url: url, version: try row.value(column + 1, StatusURL.Version.init(rawValue:)))
    }
}
