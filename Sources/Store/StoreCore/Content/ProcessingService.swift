import Foundation
import StoreModel

/// Hands uploaded files to whoever processes them, one process at a time, and records what
/// became of them.
///
/// A process has a package for as long as its lease. Where it dies, another one begins again
/// from the start; nothing of the first attempt counts.
package struct ProcessingService: Sendable {
    private let rules: UploadRules
    private let shop: Shop

    package init(database: any ShopDatabase, clock: any StoreClock, rules: UploadRules = .store) {
        shop = Shop(database: database, clock: clock)
        self.rules = rules
    }

    /// Takes the package that has waited longest.
    ///
    /// - Parameter holder: names the process, different from all others.
    /// - Returns: nil where none waits.
    package func claim(as holder: String) async throws -> PackageUpload? {
        let rules = rules
        // Asked often; only what is found is worth a transaction.
        guard try await shop.read({ try $0.uploads.waiting(at: $0.now) }) != nil else {
            return nil
        }
        return try await shop.write { work in
            while let upload = try work.uploads.waiting(at: work.now) {
                guard upload.attempts >= rules.attempts else {
                    try work.uploads.lease(
                        upload.id, to: holder, until: work.now.addingTimeInterval(rules.lease))
                    return try work.uploads.upload(upload.id)
                }
                try Self.fail(
                    upload,
                    [
                        ContentProblem(
                            path: "", rule: "processing",
                            advice: "its processing was broken off \(upload.attempts) times; ask "
                                + "the operator to look into the store's log, then upload again")
                    ], work)
            }
            return nil
        }
    }

    /// Says that the process is alive, and how many bytes it has processed.
    ///
    /// - Returns: false where it has lost the package.
    package func renew(_ id: UploadID, by holder: String, processed: Int64) async throws -> Bool {
        let end = shop.clock.now().addingTimeInterval(rules.lease)
        return try await shop.write { work in
            try work.uploads.renew(id, by: holder, until: end, processed: processed)
        }
    }

    /// Why a process gives a package back.
    package enum Interruption: Sendable, Hashable {
        /// The process ends; another one, or the same after its start, goes on.
        case stopping
        /// Bytes that the version needs are gone; made again, it has them.
        case filesMissing
        /// The object store can't be reached, or the disk is full or fails. It is tried again as
        /// often as it takes, at growing intervals, as each attempt may take long.
        case unreachable
        /// Something broke that was not the package's fault; it is tried again after a while.
        case failure
    }

    /// Gives a package back that was not processed to its end.
    package func giveBack(
        _ upload: PackageUpload, by holder: String, _ interruption: Interruption
    ) async throws {
        let now = shop.clock.now()
        let pause =
            switch interruption {
            case .stopping: 0.0
            // What was taken away can be made again at once; what is still being taken away, ten
            // minutes later at the latest, and there are attempts for that long.
            case .filesMissing: rules.lease * 8 * Double(upload.attempts - 1)
            case .unreachable:
                min(1800, max(rules.lease * 4, now.timeIntervalSince(upload.changed) / 16))
            case .failure: rules.lease * Double(upload.attempts)
            }
        let date = now.addingTimeInterval(pause)
        try await shop.write { work in
            try work.uploads.giveBack(
                upload.id, by: holder, until: date,
                countsAttempt: interruption != .stopping && interruption != .unreachable)
        }
    }

    /// What a file becomes.
    package enum Outcome: Sendable {
        /// A version of its product's content.
        case release(ContentRelease)
        /// The file of its build.
        case delivery(BuildDelivery)
    }

    /// A file became something else than it was uploaded for: nothing is written, and it is processed
    /// again.
    private struct OtherOutcome: Error {}

    /// Writes down what the file has become.
    ///
    /// - Parameter files: where its bytes lie.
    /// - Returns: false where the process has lost the file, or the product was deleted, which
    ///   fails the package.
    /// - Throws: `ContentRefusal`, or `ContentFilesMissing` where bytes were collected
    ///   meanwhile.
    package func complete(
        _ upload: PackageUpload, by holder: String, as outcome: Outcome, files: any ContentStore
    ) async throws -> Bool {
        let now = shop.clock.now()
        let digests =
            switch outcome {
            case .release(let release): release.digests
            case .delivery(let delivery): delivery.digests + [upload.digest]
            }
        let bytes = try await BytePresence(digests, in: .content, of: files, shop.database, at: now)
        return try await shop.write { work in
            guard try work.uploads.isLeased(upload.id, to: holder) else { return false }
            let target = try UploadTarget(
                upload.subject, of: upload.bundleID, includesDeleted: true, work)
            switch (target, outcome) {
            case (.product(var hosted), .release(let release)):
                guard !hosted.product.isDeleted else {
                    let problem = ContentProblem(
                        path: "", rule: "productDeleted",
                        advice: "the product was deleted while it was processed")
                    try Self.fail(upload, [problem], work)
                    return false
                }
                try hosted.add(release, bytes: bytes)
                try work.uploads.complete(upload.id, as: release.version, at: work.now)
            case (.build(var reception), .delivery(let delivery)):
                try reception.add(delivery, bytes: bytes)
                try work.uploads.complete(upload.id, as: reception.build.number, at: work.now)
            default: throw OtherOutcome()
            }
            return true
        }
    }

    /// Refuses the package, with everything that is wrong with it.
    ///
    /// - Returns: false where the process has lost the package.
    package func fail(
        _ upload: PackageUpload, by holder: String, problems: [ContentProblem]
    ) async throws -> Bool {
        try await shop.write { work in
            guard try work.uploads.isLeased(upload.id, to: holder) else { return false }
            try Self.fail(upload, problems, work)
            return true
        }
    }

    private static func fail(
        _ upload: PackageUpload, _ problems: [ContentProblem], _ work: UnitOfWork
    ) throws {
        let target = try UploadTarget(
            upload.subject, of: upload.bundleID, includesDeleted: true, work)
        if case .product(var hosted) = target {
            try hosted.restore(upload.earlierState ?? .waitingForUpload)
        }
        try work.uploads.fail(upload.id, problems: problems, at: work.now)
    }
}
