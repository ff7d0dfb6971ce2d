import Foundation
import StoreModel

/// Keeps the versions of apps and the records of their binaries, outside of review.
package struct AppVersionService: Sendable {
    private let shop: Shop

    package init(database: any ShopDatabase, clock: any StoreClock) {
        shop = Shop(database: database, clock: clock)
    }

    // MARK: Reading

    /// The versions of an app, the newest first.
    package func versions(of app: AppID, by actor: ConnectActor) async throws -> [AppVersion] {
        try await shop.read(as: actor, requiring: .viewApps) { work in
            let record = try work.appRecord(app)
            return try work.appVersions.versions(of: record.app.id)
        }
    }

    /// A version with its app and its builds, the newest first.
    package func version(
        _ id: AppVersionID, by actor: ConnectActor
    ) async throws -> (version: AppVersion, app: App, builds: [AppBuild]) {
        try await shop.read(as: actor, requiring: .viewApps) { work in
            let subject = try work.version(id)
            return (subject.version, subject.app, try work.appVersions.builds(of: id))
        }
    }

    /// What a version needs before it can go on sale.
    package func missing(
        of id: AppVersionID, by actor: ConnectActor
    ) async throws -> [ReleaseRequirement] {
        try await shop.read(as: actor, requiring: .viewApps) { work in
            try work.version(id).missing()
        }
    }

    package func build(
        _ id: AppBuildID, by actor: ConnectActor
    ) async throws -> (build: AppBuild, version: AppVersion) {
        try await shop.read(as: actor, requiring: .viewApps) { work in
            let build = try work.appVersions.build(id).orNotFound("build", id.text)
            do {
                let subject = try work.version(build.version)
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
        try await shop.write(as: actor, requiring: .manageApps) { work in
            let record = try work.appRecord(app)
            let others = try work.appVersions.versions(of: app)
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
                created: work.now)
            try change.apply(to: &version, beside: others)
            try work.appVersions.insert(version)
            try work.apps.setBinaryState(
                AppVersionRules.binaryState(
                    of: work.appVersions.versions(of: app).map(\.state)), of: app)
            try work.note(
                "version.create", on: version.subject(in: record.app), of: record.app.teamID,
                after: version.summary)
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
        try await step(id, "version.update", as: actor, requiring: .manageApps) { subject, work in
            if let build { try Self.choose(build, of: &subject, work) }
            var changed = subject.version
            try change.apply(to: &changed, beside: try subject.others())
            let result = changed
            try subject.edit { $0 = result }
        }
    }

    package func delete(_ id: AppVersionID, by actor: ConnectActor) async throws {
        _ = try await step(id, "version.delete", as: actor, requiring: .manageApps) { subject, _ in
            try subject.delete()
        }
    }

    /// Puts an approved version on sale.
    ///
    /// - Throws: `ConnectRefusal`, with the rule `versionTakenDown` where the store has taken another version of the
    ///   platform from sale: then only the store's operators release one.
    package func release(_ id: AppVersionID, by actor: ConnectActor) async throws -> AppVersion {
        try await step(id, "version.release", as: actor, requiring: .submit) { subject, work in
            if !work.actor.allows(.operate) { try subject.checkNotTakenDown() }
            try subject.release()
        }
    }

    /// Takes one's own version from sale, or puts it back.
    package func setSale(
        _ isOnSale: Bool, of id: AppVersionID, by actor: ConnectActor
    ) async throws -> AppVersion {
        let action = isOnSale ? "version.returnToSale" : "version.removeFromSale"
        return try await step(id, action, as: actor, requiring: .changeSale) { subject, _ in
            try isOnSale ? subject.returnToSale() : subject.removeFromSale()
        }
    }

    /// Takes anybody's version from sale for the store, or lets it be sold again.
    package func setTakenDown(
        _ isTakenDown: Bool, of id: AppVersionID, by actor: ConnectActor
    ) async throws -> AppVersion {
        let action = isTakenDown ? "version.takeDown" : "version.reinstate"
        return try await step(id, action, as: actor, requiring: .operate) { subject, _ in
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
        return try await shop.write(as: actor) { work in
            var subject = try work.version(version)
            let builds = try work.appVersions.builds(of: version)
            let build = AppBuild(
                id: id, version: version,
                number: try BuildRules.check(number: number, beside: builds), digest: digest,
                size: size, uploaded: work.now)
            _ = try subject.state(after: .chooseBuild)
            try work.appVersions.insert(build)
            try subject.choose(subject.version.build ?? id)
            try work.note(
                "build.create", on: subject.version.subject(in: subject.app),
                of: subject.app.teamID,
                after: "build \(build.number), \(size) bytes, SHA-256 \(digest)")
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
        try await step(id, "version.chooseBuild", as: actor, requiring: .manageApps) {
            subject, work in
            try Self.choose(build, of: &subject, work)
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
        _ id: AppVersionID, _ action: String, as actor: ConnectActor,
        requiring permission: ConnectPermission,
        _ body: @escaping @Sendable (inout VersionInProgress, UnitOfWork) throws -> Void
    ) async throws -> AppVersion {
        try await shop.write(as: actor, requiring: permission) { work in
            var subject = try work.version(id)
            let earlier = subject.version
            try body(&subject, work)
            let isGone = try work.appVersions.version(id) == nil
            try work.note(
                action, on: earlier.subject(in: subject.app), of: subject.app.teamID,
                before: earlier.summary, after: isGone ? nil : subject.version.summary)
            return subject.version
        }
    }
}
