import Foundation
import StoreModel

/// A build that gets its file, inside one transaction.
struct BuildInProgress {
    let app: App
    let version: AppVersion
    private(set) var build: AppBuild
    private let work: UnitOfWork

    /// Reads a build.
    ///
    /// - Parameter team: whose app it must be; `nil` for any.
    /// - Throws: `ContentRefusal` where the store has no such app or build.
    init(_ id: AppBuildID, of bundleID: BundleID, team: Int64? = nil, _ work: UnitOfWork) throws {
        guard let app = try work.catalog.app(bundleID), team == nil || team == app.teamID
        else { throw ContentRefusal.unknownApp(bundleID) }
        guard let build = try work.appVersions.build(id),
            let version = try work.appVersions.version(build.version),
            version.app == app.id
        else { throw ContentRefusal.unknownBuild(id, bundleID) }
        self.app = app
        self.version = version
        self.build = build
        self.work = work
    }

    /// Whether a file may come now. Builds of versions on sale get theirs too: those that were
    /// reviewed before the store kept files.
    ///
    /// - Throws: `ContentRefusal`.
    func checkReceiving(size: Int64, digest: ContentDigest) throws {
        guard build.file == nil else { throw ContentRefusal.buildHasFile(build.number) }
        guard build.size == size, build.digest == digest else {
            throw ContentRefusal.otherBuildFile(build.number, build.digest)
        }
    }

    /// The file was checked and cut. A build without a file that the version has chosen gives
    /// way to this one.
    ///
    /// - Parameter bytes: its bytes, which were seen in the content store.
    /// - Throws: `ContentRefusal`, or `ContentFilesMissing` if not all of its bytes were seen, or
    ///   they are taken away.
    mutating func add(_ delivery: BuildDelivery, bytes: BytePresence) throws {
        guard build.file == nil else { throw ContentRefusal.buildHasFile(build.number) }
        guard bytes.cover(delivery.digests + [build.digest]) else {
            throw ContentFilesMissing(digests: delivery.digests)
        }
        try bytes.check(work)
        try work.buildDeliveries.insert(delivery, of: build.id)
        guard let chosen = try version.build.flatMap({ try work.appVersions.build($0) }),
            chosen.file == nil, chosen.id != build.id,
            let next = AppVersionRules.steps[.chooseBuild]?[version.state]
        else { return }
        var version = version
        version.build = build.id
        version.state = next
        try work.appVersions.update(version)
    }
}
