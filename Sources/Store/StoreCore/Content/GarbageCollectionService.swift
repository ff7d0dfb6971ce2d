import Foundation
import StoreModel

/// Garbage collection: gives back the space of content that nobody needs.
///
/// First versions are given up, in one transaction. Then bytes are taken away that no version
/// needs (`ByteRemoval`): a version that is added meanwhile either keeps them, or finds them gone
/// and is made again. Wherever it ends, what is left is collected the next time.
package struct GarbageCollectionService: Sendable {
    /// So many files are looked at in one transaction.
    private static let batch = 16

    private let shop: Shop
    private let content: any ContentStore
    private let uploads: UploadService
    private let uploadFiles: any UploadStore

    package init(
        database: any ShopDatabase, content: any ContentStore, uploads: UploadService,
        uploadFiles: any UploadStore, clock: any StoreClock
    ) {
        shop = Shop(database: database, clock: clock)
        self.content = content
        self.uploads = uploads
        self.uploadFiles = uploadFiles
    }

    /// What was collected, or would be.
    package struct Report: Sendable, Hashable {
        package struct Version: Sendable, Hashable {
            package let app: BundleID
            package let product: ProductID
            package let version: ContentVersion
        }

        /// Versions that were given up.
        package var versions: [Version] = []
        package var files = 0
        package var bytes: Int64 = 0
        /// Builds whose files were given up.
        package var builds = 0
        /// Uploads that were abandoned or left behind.
        package var uploads = 0

        package init() {}
    }

    /// Says what would be collected.
    package func plan(_ keeping: ContentRetentionPolicy) async throws -> Report {
        let now = shop.clock.now()
        var report = Report()
        let (versions, builds, needed, isKnown) = try await shop.read { work in
            let versions = try Self.retirable(keeping, work, at: now)
            var needed: Set<ContentDigest> = []
            var known: Set<ContentDigest> = []
            for (app, product) in try Self.products(work) {
                let given = versions.filter {
                    $0.product == product.details.productID && $0.app == app.bundleID
                }
                for release in product.releases {
                    known.formUnion(release.digests)
                    let isGivenUp = given.contains { $0.version == release.version }
                    if !release.isRetired, !isGivenUp { needed.formUnion(release.digests) }
                }
            }
            let builds = try Self.builds(work)
            let given = Set(keeping.retirable(builds, at: now).map(\.build.id))
            for one in builds {
                let digests = one.delivery.digests + [one.build.digest]
                known.formUnion(digests)
                if !given.contains(one.build.id) { needed.formUnion(digests) }
            }
            return (versions, given.count, needed, known)
        }
        report.versions = versions
        report.builds = builds
        let content = content
        for file in try await content.apart({ try content.list() })
        where !needed.contains(file.digest) {
            let isStranger = !isKnown.contains(file.digest)
            guard !isStranger || isOld(file, keeping, at: now) else { continue }
            report.files += 1
            report.bytes += file.length
        }
        report.uploads = try await strayUploads().count
        return report
    }

    /// Collects. What can't be taken away does not keep the rest.
    ///
    /// - Parameter now: by which it is decided what is old enough; `nil` for what the clock shows.
    /// - Throws: why the first could not be taken away, when the others were tried, or several in a row have
    ///   failed.
    package func collect(_ keeping: ContentRetentionPolicy, at now: Date? = nil) async throws
        -> Report
    {
        let now = now ?? shop.clock.now()
        var report = Report()
        // Everything is read outside of writing transactions, which keep sales waiting.
        let (versions, builds) = try await shop.read { work in
            (
                try Self.retirable(keeping, work, at: now),
                keeping.retirable(try Self.builds(work), at: now).map(\.build.id)
            )
        }
        for version in versions where try await retire(version, keeping, at: now) {
            report.versions.append(version)
        }
        if !builds.isEmpty {
            report.builds = try await shop.write { work in
                let still = keeping.retirable(try Self.builds(work), at: now).map(\.build.id)
                    .filter(builds.contains)
                for id in still { try work.buildDeliveries.retire(id, at: now) }
                return still.count
            }
        }
        let (content, uploadFiles) = (content, uploadFiles)
        try await removal.forgetEnded()
        var files = try await content.apart { try content.list() }[...]
        var failures = ConsecutiveFailures()
        while !files.isEmpty, !failures.isEnough {
            try Task.checkCancellation()
            let some = Array(files.prefix(Self.batch))
            files = files.dropFirst(Self.batch)
            var removed: [StoredContent]
            do {
                removed = try await remove(some, keeping, at: now)
                failures.end()
            } catch let error as ByteRemoval.Incomplete {
                removed = error.gone
                failures.add(error.reason, isWhole: removed.isEmpty)
            }
            report.files += removed.count
            report.bytes += removed.reduce(0) { $0 + $1.length }
        }
        failures.end()
        // What has expired is among them.
        _ = try await uploads.expire(at: now)
        for id in try await strayUploads() where !failures.isEnough {
            try Task.checkCancellation()
            do {
                try await uploadFiles.apart { try uploadFiles.remove(id) }
                report.uploads += 1
                failures.end()
            } catch {
                failures.add(error)
            }
        }
        if let error = failures.first { throw error }
        return report
    }

    /// Gives a version of a product's content up, unless it is needed by now.
    ///
    /// - Returns: whether it was given up.
    private func retire(
        _ version: Report.Version, _ keeping: ContentRetentionPolicy, at now: Date
    ) async throws -> Bool {
        try await shop.write { work in
            guard let app = try work.catalog.app(version.app),
                let product = try work.catalog.product(version.product, in: app.id, []),
                try Self.retirable(keeping, product, of: app, work, at: now)
                    .contains(where: { $0.version == version.version })
            else { return false }
            try work.content.retire(version.version, of: version.product, in: app.id, at: now)
            return true
        }
    }

    /// Takes away those of some files that no version needs.
    private func remove(
        _ files: [StoredContent], _ keeping: ContentRetentionPolicy, at now: Date
    ) async throws -> [StoredContent] {
        // Most files are needed; only the rest is worth a transaction.
        let candidates = try await shop.read { work in
            try files.filter { file in
                guard try !work.content.isNeeded(file.digest) else { return false }
                return try isOld(file, keeping, at: now)
                    || work.content.isKnown(file.digest)
            }
        }
        return try await removal.remove(candidates)
    }

    private var removal: ByteRemoval {
        ByteRemoval(
            place: .content, files: content, shop: shop,
            isNeeded: { try $1.content.isNeeded($0) }, forget: { try $1.content.forget($0) })
    }

    private func isOld(_ file: StoredContent, _ keeping: ContentRetentionPolicy, at now: Date)
        -> Bool
    {
        file.date.addingTimeInterval(keeping.unreferencedGracePeriod) <= now
    }

    /// Uploads whose files nobody will ask for. Their rows are written before their files.
    private func strayUploads() async throws -> [UploadID] {
        let uploadFiles = uploadFiles
        let files = try await uploadFiles.apart { try uploadFiles.list() }
        return try await shop.read { work in
            try files.filter { id in
                switch try work.uploads.upload(id)?.state {
                case .awaitingUpload, .uploadComplete: false
                case .complete, .failed, nil: true
                }
            }
        }
    }

    private static func products(_ repositories: StoreRepositories) throws -> [(App, Product)] {
        try repositories.catalog.apps().flatMap { app in
            try repositories.catalog.products(of: app.id, .releases)
                .filter { !$0.releases.isEmpty }
                .map { (app, $0) }
        }
    }

    private static func builds(_ repositories: StoreRepositories) throws -> [DeliveredBuild] {
        try repositories.catalog.apps().flatMap {
            try repositories.buildDeliveries.deliveries(of: $0.id)
        }
    }

    private static func retirable(
        _ keeping: ContentRetentionPolicy, _ repositories: StoreRepositories, at now: Date
    ) throws -> [Report.Version] {
        try products(repositories).flatMap { app, product in
            try retirable(keeping, product, of: app, repositories, at: now)
        }
    }

    private static func retirable(
        _ keeping: ContentRetentionPolicy, _ product: Product, of app: App,
        _ repositories: StoreRepositories, at now: Date
    ) throws -> [Report.Version] {
        let id = product.details.productID
        let records = try repositories.content.records(of: id, in: app.id)
        return keeping.retirable(records, hostsContent: product.hostsContent, at: now).map {
            Report.Version(app: app.bundleID, product: id, version: $0.version)
        }
    }
}
