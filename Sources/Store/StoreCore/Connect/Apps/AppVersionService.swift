import Foundation
import StoreModel

/// Keeps the versions of apps and the records of their binaries, outside of review.
package struct AppVersionService: Sendable {
    private let database: any ShopDatabase
    private let clock: any StoreClock

    package init(database: any ShopDatabase, clock: any StoreClock) {
        self.database = database
        self.clock = clock
    }

    // MARK: Reading

    /// The versions of an app, the newest first.
    package func versions(of app: AppID, by actor: ConnectActor) async throws -> [AppVersion] {
        try actor.require(.viewApps)
        return try await database.read { repositories in
            let record = try AppService.record(app, seenBy: actor, repositories)
            return try repositories.appVersions.versions(of: record.app.id)
        }
    }

    /// A version with its app and its builds, the newest first.
    package func version(
        _ id: AppVersionID, by actor: ConnectActor
    ) async throws -> (version: AppVersion, app: App, builds: [AppBuild]) {
        try actor.require(.viewApps)
        let now = clock.now()
        return try await database.read { repositories in
            let subject = try VersionInProgress(id, seenBy: actor, repositories, at: now)
            return (subject.version, subject.app, try repositories.appVersions.builds(of: id))
        }
    }

    /// What a version needs before it can go on sale.
    package func missing(
        of id: AppVersionID, by actor: ConnectActor
    ) async throws -> [ReleaseRequirement] {
        try actor.require(.viewApps)
        let now = clock.now()
        return try await database.read { repositories in
            try VersionInProgress(id, seenBy: actor, repositories, at: now).missing()
        }
    }

    package func build(
        _ id: AppBuildID, by actor: ConnectActor
    ) async throws -> (build: AppBuild, version: AppVersion) {
        try actor.require(.viewApps)
        let now = clock.now()
        return try await database.read { repositories in
            guard let build = try repositories.appVersions.build(id) else {
                throw ConnectRefusal.notFound("build", id.text)
            }
            do {
                let subject = try VersionInProgress(
                    build.version, seenBy: actor, repositories, at: now)
                return (build, subject.version)
            } catch is ConnectRefusal {
                throw ConnectRefusal.notFound("build", id.text)
            }
        }
    }

    // MARK: Versions

    /// Makes a version to be prepared.
    ///
    /// - Parameter id: a new one.
    /// - Throws: `ConnectRefusal`, with the rule `versionAhead` where the app has one already
    ///   that customers have not got yet.
    package func create(
        _ number: String, id: AppVersionID, of app: AppID, platform: AppPlatform,
        _ change: AppVersionChange = AppVersionChange(), by actor: ConnectActor
    ) async throws -> AppVersion {
        try actor.require(.manageApps)
        let now = clock.now()
        return try await database.write { repositories in
            let record = try AppService.record(app, seenBy: actor, repositories)
            let others = try repositories.appVersions.versions(of: app)
                .filter { $0.platform == platform }
            if let ahead = others.first(where: { $0.state.isAhead }) {
                throw ConnectRefusal(
                    .state, rule: "versionAhead", field: "versionString",
                    "Version \(ahead.version) for \(platform.title) is in the state "
                        + "\(ahead.state.title).",
                    help: "An app has one version on its way to the customers: finish or delete "
                        + "that one first.")
            }
            var version = AppVersion(
                id: id, app: app, platform: platform,
                version: try AppVersionRules.check(number, beside: others.map(\.version)),
                created: now)
            try change.apply(to: &version, beside: others)
            try repositories.appVersions.insert(version)
            try repositories.apps.setBinaryState(
                AppVersionRules.binaryState(
                    of: repositories.appVersions.versions(of: app).map(\.state)), of: app)
            try repositories.audit.append(
                AuditEntry(
                    team: record.app.teamID, actor: actor, action: "version.create",
                    subject: version.subject(in: record.app), after: version.summary), at: now)
            return version
        }
    }

    /// - Throws: `ConnectRefusal`.
    /// - Parameter build: the build to choose in the same step; nil leaves it as it is, and
    ///   `.some(nil)` chooses none.
    package func update(
        _ id: AppVersionID, _ change: AppVersionChange, build: AppBuildID?? = nil,
        by actor: ConnectActor
    ) async throws -> AppVersion {
        try actor.require(.manageApps)
        return try await step(id, "version.update", by: actor) { subject, repositories in
            if let build { try Self.choose(build, of: &subject, repositories) }
            var changed = subject.version
            try change.apply(to: &changed, beside: try subject.others())
            let result = changed
            try subject.edit { $0 = result }
        }
    }

    package func delete(_ id: AppVersionID, by actor: ConnectActor) async throws {
        try actor.require(.manageApps)
        _ = try await step(id, "version.delete", by: actor) { subject, _ in
            try subject.delete()
        }
    }

    /// Puts an approved version on sale.
    package func release(_ id: AppVersionID, by actor: ConnectActor) async throws -> AppVersion {
        try actor.require(.submit)
        return try await step(id, "version.release", by: actor) { subject, _ in
            try subject.release()
        }
    }

    /// Takes one's own version from sale, or puts it back.
    package func setSale(
        _ isOnSale: Bool, of id: AppVersionID, by actor: ConnectActor
    ) async throws -> AppVersion {
        try actor.require(.changeSale)
        let action = isOnSale ? "version.returnToSale" : "version.removeFromSale"
        return try await step(id, action, by: actor) { subject, _ in
            try isOnSale ? subject.returnToSale() : subject.removeFromSale()
        }
    }

    /// Takes anybody's version from sale for the store, or lets it be sold again.
    package func setTakenDown(
        _ isTakenDown: Bool, of id: AppVersionID, by actor: ConnectActor
    ) async throws -> AppVersion {
        try actor.require(.operate)
        let action = isTakenDown ? "version.takeDown" : "version.reinstate"
        return try await step(id, action, by: actor) { subject, _ in
            try isTakenDown ? subject.takeDown() : subject.reinstate()
        }
    }

    // MARK: Builds

    /// Adds the record of a binary; the first one of a version is chosen at once.
    ///
    /// - Parameters:
    ///   - id: a new one.
    ///   - digest: SHA-256 of the binary, hexadecimal.
    ///   - size: bytes.
    /// - Throws: `ConnectRefusal`.
    package func addBuild(
        _ number: String, id: AppBuildID, to version: AppVersionID, digest: String, size: Int64,
        by actor: ConnectActor
    ) async throws -> AppBuild {
        try actor.require(.uploadContent)
        let digest = try BuildRules.digest(digest)
        try BuildRules.check(size: size)
        let now = clock.now()
        return try await database.write { repositories in
            var subject = try VersionInProgress(version, seenBy: actor, repositories, at: now)
            let builds = try repositories.appVersions.builds(of: version)
            let build = AppBuild(
                id: id, version: version,
                number: try BuildRules.check(number: number, beside: builds), digest: digest,
                size: size, uploaded: now)
            _ = try subject.state(after: .chooseBuild)
            try repositories.appVersions.insert(build)
            try subject.choose(subject.version.build ?? id)
            try repositories.audit.append(
                AuditEntry(
                    team: subject.app.teamID, actor: actor, action: "build.create",
                    subject: subject.version.subject(in: subject.app),
                    after: "build \(build.number), \(size) bytes, SHA-256 \(digest)"), at: now)
            return build
        }
    }

    /// The build of a version that a file is of: the one that was recorded with it, or a new one with
    /// the next number.
    ///
    /// - Parameters:
    ///   - id: for a new one.
    ///   - digest: SHA-256 of the file.
    ///   - size: bytes.
    /// - Throws: `ConnectRefusal`.
    package func build(
        of version: AppVersionID, withFile digest: ContentDigest, size: Int64, id: AppBuildID,
        by actor: ConnectActor
    ) async throws -> AppBuild {
        let builds = try await self.version(version, by: actor).builds
        if let known = builds.first(where: { $0.digest == digest && $0.size == size }) {
            return known
        }
        return try await addBuild(
            BuildRules.next(after: builds.map(\.number).max()), id: id, to: version,
            digest: digest.text, size: size, by: actor)
    }

    /// Chooses which build of a version is reviewed and sold; nil for none.
    package func choose(
        _ build: AppBuildID?, of id: AppVersionID, by actor: ConnectActor
    ) async throws -> AppVersion {
        try actor.require(.manageApps)
        return try await step(id, "version.chooseBuild", by: actor) { subject, repositories in
            try Self.choose(build, of: &subject, repositories)
        }
    }

    private static func choose(
        _ build: AppBuildID?, of subject: inout VersionInProgress,
        _ repositories: StoreRepositories
    ) throws {
        if let build {
            guard try repositories.appVersions.build(build)?.version == subject.version.id else {
                throw ConnectRefusal(
                    .invalid, rule: "buildUnknown", field: "build",
                    "Version \(subject.version.version) has no build \(build).",
                    help: "Choose one of its own builds.")
            }
        }
        try subject.choose(build)
    }

    // MARK: Steps

    private func step(
        _ id: AppVersionID, _ action: String, by actor: ConnectActor,
        _ body: @escaping @Sendable (inout VersionInProgress, StoreRepositories) throws -> Void
    ) async throws -> AppVersion {
        let now = clock.now()
        return try await database.write { repositories in
            var subject = try VersionInProgress(id, seenBy: actor, repositories, at: now)
            let earlier = subject.version
            try body(&subject, repositories)
            let isGone = try repositories.appVersions.version(id) == nil
            try repositories.audit.append(
                AuditEntry(
                    team: subject.app.teamID, actor: actor, action: action,
                    subject: earlier.subject(in: subject.app), before: earlier.summary,
                    after: isGone ? nil : subject.version.summary), at: now)
            return subject.version
        }
    }
}
