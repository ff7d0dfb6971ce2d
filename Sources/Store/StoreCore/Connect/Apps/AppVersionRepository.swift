import Foundation
import StoreDatabase
import StoreModel

/// Versions of apps and their builds.
package struct AppVersionRepository {
    let connection: any SQLConnection

    package func version(_ id: AppVersionID) throws -> AppVersion? {
        try connection.find(AppVersion.self, id)
    }

    /// The newest first.
    package func versions(of app: AppID) throws -> [AppVersion] {
        try connection.all(AppVersion.self, "WHERE app = \(app) ORDER BY number DESC")
    }

    package func insert(_ version: AppVersion) throws { try connection.insert(version) }

    /// Writes everything but app, platform and the date of its making.
    package func update(_ version: AppVersion) throws { try connection.update(version) }

    /// Deletes a version with its builds.
    package func delete(_ id: AppVersionID) throws {
        try connection.run("UPDATE app_version SET build = NULL WHERE id = \(id)")
        try connection.delete(AppVersion.self, id)
    }

    // MARK: Builds

    package func build(_ id: AppBuildID) throws -> AppBuild? {
        try builds("WHERE id = \(id)").first
    }

    /// The newest first.
    package func builds(of version: AppVersionID) throws -> [AppBuild] {
        try builds("WHERE version = \(version) ORDER BY number DESC")
    }

    private func builds(_ rest: SQL) throws -> [AppBuild] {
        try connection.records(
            AppBuild.self,
            """
            SELECT \(AppBuild.columns) FROM (
                SELECT b.id, v.id AS version, b.build, b.digest, b.size, b.uploaded, b.number,
                    d.format, d.file_name, d.download_length, d.unpacked_length
                FROM app_version v JOIN app_build b ON b.version = v.number
                    LEFT JOIN build_delivery d ON d.build = b.number AND d.retired IS NULL) builds
            \(rest)
            """)
    }

    package func insert(_ build: AppBuild) throws {
        try connection.run(
            """
            INSERT INTO app_build (id, version, build, digest, size, uploaded)
            VALUES (\(build.id), (SELECT number FROM app_version WHERE id = \(build.version)),
                \(build.number), \(build.digest), \(build.size), \(build.uploaded))
            """)
    }
}

extension StoreRepositories {
    package var appVersions: AppVersionRepository { AppVersionRepository(connection: connection) }
}
