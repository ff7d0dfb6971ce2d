import Foundation
import StoreModel

/// Versions of apps and their builds.
package struct AppVersionRepository {
    let connection: any SQLConnection

    package func version(_ id: AppVersionID) throws -> AppVersion? {
        try connection.row(
            """
            SELECT id, app, platform, version, state, release_type, whats_new, review_note,
                build, created, submitted, released, before_take_down
            FROM app_version WHERE id = ?1
            """, [.text(id.text)], read)
    }

    /// The newest first.
    package func versions(of app: AppID) throws -> [AppVersion] {
        try connection.rows(
            """
            SELECT id, app, platform, version, state, release_type, whats_new, review_note,
                build, created, submitted, released, before_take_down
            FROM app_version WHERE app = ?1 ORDER BY number DESC
            """, [.integer(app.number)], read)
    }

    package func insert(_ version: AppVersion) throws {
        try connection.run(
            """
            INSERT INTO app_version (id, app, platform, version, state, release_type, whats_new,
                review_note, build, created, submitted, released)
            VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12)
            """,
            [
                .text(version.id.text), .integer(version.app.number),
                .text(version.platform.rawValue), .text(version.version.text),
                .text(version.state.rawValue), .text(version.releaseType.rawValue),
                .text(version.whatsNew), .text(version.reviewNote), .text(version.build?.text),
                .date(version.created), .date(version.submitted), .date(version.released),
            ])
    }

    /// Writes everything but app, platform and the date of its making.
    package func update(_ version: AppVersion) throws {
        try connection.run(
            """
            UPDATE app_version SET version = ?2, state = ?3, release_type = ?4, whats_new = ?5,
                review_note = ?6, build = ?7, submitted = ?8, released = ?9,
                before_take_down = ?10
            WHERE id = ?1
            """,
            [
                .text(version.id.text), .text(version.version.text),
                .text(version.state.rawValue), .text(version.releaseType.rawValue),
                .text(version.whatsNew), .text(version.reviewNote), .text(version.build?.text),
                .date(version.submitted), .date(version.released),
                .text(version.stateBeforeTakeDown?.rawValue),
            ])
    }

    /// Deletes a version with its builds.
    package func delete(_ id: AppVersionID) throws {
        try connection.run("UPDATE app_version SET build = NULL WHERE id = ?1", [.text(id.text)])
        try connection.run("DELETE FROM app_version WHERE id = ?1", [.text(id.text)])
    }

    // MARK: Builds

    package func build(_ id: AppBuildID) throws -> AppBuild? {
        try connection.row(
            """
            SELECT b.id, v.id, b.build, b.digest, b.size, b.uploaded, d.format, d.file_name,
                d.download_length, d.unpacked_length
            FROM app_build b JOIN app_version v ON v.number = b.version
                LEFT JOIN build_delivery d ON d.build = b.number AND d.retired IS NULL
            WHERE b.id = ?1
            """, [.text(id.text)], readBuild)
    }

    /// The newest first.
    package func builds(of version: AppVersionID) throws -> [AppBuild] {
        try connection.rows(
            """
            SELECT b.id, v.id, b.build, b.digest, b.size, b.uploaded, d.format, d.file_name,
                d.download_length, d.unpacked_length
            FROM app_version v JOIN app_build b ON b.version = v.number
                LEFT JOIN build_delivery d ON d.build = b.number AND d.retired IS NULL
            WHERE v.id = ?1 ORDER BY b.number DESC
            """, [.text(version.text)], readBuild)
    }

    package func insert(_ build: AppBuild) throws {
        try connection.run(
            """
            INSERT INTO app_build (id, version, build, digest, size, uploaded)
            VALUES (?1, (SELECT number FROM app_version WHERE id = ?2), ?3, ?4, ?5, ?6)
            """,
            [
                .text(build.id.text), .text(build.version.text), .text(build.number.text),
                .text(build.digest.text), .integer(build.size), .date(build.uploaded),
            ])
    }

    private func read(_ row: any SQLRow) throws -> AppVersion {
        AppVersion(
            id: try row.value(0) { AppVersionID($0) }, app: AppID(number: row.integer(1)),
            platform: try row.value(2, AppPlatform.init(rawValue:)),
            version: try row.value(3) { ContentVersion($0) },
            state: try row.value(4, AppVersionState.init(rawValue:)),
            stateBeforeTakeDown: try row.isNull(12)
                ? nil : row.value(12, AppVersionState.init(rawValue:)),
            releaseType: try row.value(5, AppReleaseType.init(rawValue:)),
            whatsNew: row.text(6), reviewNote: row.text(7),
            build: try row.isNull(8) ? nil : row.value(8) { AppBuildID($0) },
            created: row.date(9), submitted: row.isNull(10) ? nil : row.date(10),
            released: row.isNull(11) ? nil : row.date(11))
    }

    private func readBuild(_ row: any SQLRow) throws -> AppBuild {
        AppBuild(
            id: try row.value(0) { AppBuildID($0) }, version: try row.value(1) { AppVersionID($0) },
            number: try row.value(2) { ContentVersion($0) },
            digest: try row.value(3) { ContentDigest($0) }, size: row.integer(4),
            uploaded: row.date(5),
            file: try row.isNull(6)
                ? nil
                : AppBuildFile(
                    format: row.value(6, AppPackageFormat.init(rawValue:)), name: row.text(7),
                    downloadLength: row.integer(8), unpackedLength: row.integer(9)))
    }
}
