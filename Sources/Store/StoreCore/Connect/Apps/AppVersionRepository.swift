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
        try connection.find(AppBuild.self, id)
    }

    /// The newest first.
    package func builds(of version: AppVersionID) throws -> [AppBuild] {
        try connection.all(AppBuild.self, "WHERE version_id = \(version) ORDER BY number DESC")
    }

    package func insert(_ build: AppBuild) throws {
        let version = try connection.value(
            Int64.self, "SELECT number FROM app_version WHERE id = \(build.version)"
        ).orMissing("version")
        try connection.insert(build, with: OtherColumn("version", version))
    }
}

extension StoreRepositories {
    package var appVersions: AppVersionRepository { AppVersionRepository(connection: connection) }
}
