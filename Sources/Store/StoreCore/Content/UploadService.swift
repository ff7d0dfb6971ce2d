import Foundation
import StoreModel

/// Resumable uploads: takes packages in, part by part.
package struct UploadService: Sendable {
    package let rules: UploadRules
    private let shop: Shop

    package init(database: any ShopDatabase, clock: any StoreClock, rules: UploadRules = .store) {
        shop = Shop(database: database, clock: clock)
        self.rules = rules
    }

    /// An upload with what belongs to it.
    package struct Status: Sendable, Hashable {
        package let upload: PackageUpload
        /// The numbers of the parts that have arrived.
        package let present: [Int]
        package let problems: [ContentProblem]
        /// The state of the product; `nil` for builds.
        package let productState: ProductState?

        package var missing: [ClosedRange<Int>] {
            upload.state == .awaitingUpload ? upload.parts.missing(without: present) : []
        }

        package var receivedBytes: Int64 {
            upload.state == .awaitingUpload
                ? upload.parts.bytes(of: present) : upload.parts.size
        }
    }

    // MARK: Sending

    /// Begins an upload; the same file for the same product finds the one that was begun, and
    /// the one that was taken already.
    ///
    /// - Parameters:
    ///   - team: whose apps may be uploaded to; nil for all.
    ///   - free: bytes of the disk.
    /// - Returns: the upload, and whether it is a new one.
    /// - Throws: `ContentRefusal`, `UploadRefusal`.
    package func begin(
        _ draft: UploadDraft, team: Int64?, free: Int64
    ) async throws -> (status: Status, isNew: Bool) {
        let rules = rules
        return try await shop.write { work in
            let target = try UploadTarget(
                draft.subject, of: draft.bundleID, team: team, work)
            let app = target.app
            let known = try work.uploads.uploads(
                of: draft.subject, in: app.id, limit: 1000
            ).first { upload in
                guard upload.digest == draft.digest, upload.parts.size == draft.size else {
                    return false
                }
                return upload.state != .failed
                    && !(upload.state == .complete && target.gaveUpWhatCame)
            }
            if let known { return (try Self.status(known, work), false) }
            try Self.check(draft, for: target, rules, free: free, work)
            try work.uploads.insert(
                PackageUpload(draft, of: app, partSize: rules.partSize, at: work.now))
            return (try Self.status(draft.id, team: team, work), true)
        }
    }

    /// Finds out whether an upload would be begun, without beginning it.
    ///
    /// - Parameters:
    ///   - team: whose apps may be uploaded to; nil for all.
    ///   - free: bytes of the disk.
    /// - Throws: `ContentRefusal`, `UploadRefusal`.
    package func validate(_ draft: UploadDraft, team: Int64?, free: Int64) async throws {
        let rules = rules
        try await shop.read { work in
            let target = try UploadTarget(
                draft.subject, of: draft.bundleID, team: team, work)
            try Self.check(draft, for: target, rules, free: free, work)
        }
    }

    private static func check(
        _ draft: UploadDraft, for target: UploadTarget, _ rules: UploadRules, free: Int64,
        _ repositories: StoreRepositories
    ) throws {
        try target.checkBeginning(draft)
        let team = target.app.teamID
        let refusal = rules.refusal(
            of: draft, open: try repositories.uploads.openCount(of: team),
            ofTeam: try repositories.uploads.openBytes(of: team),
            promised: try repositories.uploads.promisedBytes(), free: free)
        if let refusal { throw refusal }
    }

    /// - Throws: `UploadRefusal.unknown`, also for uploads of other teams.
    package func upload(_ id: UploadID, team: Int64?) async throws -> PackageUpload {
        try await shop.read { try Self.upload(id, team: team, $0) }
    }

    /// - Throws: `UploadRefusal.unknown`, also for uploads of other teams.
    package func status(_ id: UploadID, team: Int64?) async throws -> Status {
        try await shop.read { try Self.status(id, team: team, $0) }
    }

    /// The uploads of a product or a build, the newest first.
    ///
    /// - Throws: `ContentRefusal` where the store has no such app, product or build, or the team
    ///   doesn't.
    package func statuses(
        of subject: UploadSubject, in bundleID: BundleID, team: Int64?, limit: Int
    ) async throws -> [Status] {
        try await shop.read { work in
            let target = try UploadTarget(subject, of: bundleID, team: team, work)
            return try work.uploads.uploads(of: subject, in: target.app.id, limit: limit)
                .map { try Self.status($0, work) }
        }
    }

    /// The digest under which a part is there; nil where it is missing.
    ///
    /// - Throws: `UploadRefusal` where the upload takes no parts.
    package func digest(
        ofPart number: Int, of id: UploadID, team: Int64?
    ) async throws -> ContentDigest? {
        try await shop.read { work in
            _ = try Self.open(id, team: team, work)
            return try work.uploads.parts(of: id)[number]
        }
    }

    /// Records that a part's bytes are in the file; they may not be on disk yet.
    package func record(
        part number: Int, digest: ContentDigest, of id: UploadID, team: Int64?
    ) async throws {
        try await shop.write { work in
            _ = try Self.open(id, team: team, work)
            try work.uploads.record(part: number, digest: digest, of: id, at: work.now)
        }
    }

    /// Records that parts are missing again.
    package func forget(parts: [Int], of id: UploadID, team: Int64?) async throws {
        try await shop.write { work in
            _ = try Self.open(id, team: team, work)
            try work.uploads.deleteParts(parts, of: id, at: work.now)
        }
    }

    /// The parts that have arrived, with the digests of their bytes.
    package func parts(of id: UploadID) async throws -> [Int: ContentDigest] {
        try await shop.read { try $0.uploads.parts(of: id) }
    }

    /// Hands the package over to be processed; a second time changes nothing.
    ///
    /// Call while nobody else has the file open, with all bytes on disk and checked.
    ///
    /// - Throws: `UploadRefusal` where parts are missing, `ContentRefusal` where the product
    ///   takes no content, or the build no file, now.
    package func commit(_ id: UploadID, team: Int64?) async throws -> Status {
        try await shop.write { work in
            let upload = try Self.upload(id, team: team, work)
            switch upload.state {
            case .uploadComplete, .complete: return try Self.status(upload, work)
            case .failed: throw UploadRefusal.closed(id, .failed)
            case .awaitingUpload: break
            }
            let missing = upload.parts.missing(without: try work.uploads.parts(of: id).keys)
            guard missing.isEmpty else { throw UploadRefusal.missing(missing) }
            var target = try UploadTarget(upload.subject, of: upload.bundleID, work)
            let isProcessing = try work.uploads.isProcessing(upload.subject, in: upload.app)
            let earlier = try target.receive(upload, besideAnother: isProcessing)
            try work.uploads.close(id, earlierState: earlier, at: work.now)
            return try Self.status(id, team: team, work)
        }
    }

    /// Deletes an upload that is not being processed; its file is the caller's to remove.
    ///
    /// - Throws: `UploadRefusal`.
    package func delete(_ id: UploadID, team: Int64?) async throws {
        try await shop.write { work in
            let upload = try Self.upload(id, team: team, work)
            guard upload.state != .uploadComplete else {
                throw UploadRefusal.closed(id, upload.state)
            }
            try work.uploads.delete(id)
        }
    }

    /// Deletes uploads that were abandoned, and finished ones that nobody remembers.
    ///
    /// - Parameter now: what the clock shows, where somebody has looked whether it can be believed.
    /// - Returns: those whose files are to be removed.
    package func expire(at now: Date? = nil) async throws -> [UploadID] {
        let now = now ?? shop.clock.now()
        let rules = rules
        return try await shop.write { work in
            let uploads = work.uploads
            let ids =
                try uploads.ids(
                    in: [.awaitingUpload],
                    unchangedSince: now.addingTimeInterval(-rules.patience))
                + uploads.ids(
                    in: [.complete, .failed], unchangedSince: now.addingTimeInterval(-rules.memory))
            for id in ids { try uploads.delete(id) }
            return ids
        }
    }

    // MARK: Reading

    private static func upload(
        _ id: UploadID, team: Int64?, _ repositories: StoreRepositories
    ) throws -> PackageUpload {
        guard let upload = try repositories.uploads.upload(id), team == nil || upload.team == team
        else { throw UploadRefusal.unknown(id) }
        return upload
    }

    /// An upload that takes parts.
    private static func open(
        _ id: UploadID, team: Int64?, _ repositories: StoreRepositories
    ) throws -> PackageUpload {
        let upload = try upload(id, team: team, repositories)
        guard upload.state == .awaitingUpload else {
            throw UploadRefusal.closed(id, upload.state)
        }
        return upload
    }

    private static func status(
        _ id: UploadID, team: Int64?, _ repositories: StoreRepositories
    ) throws -> Status {
        try status(try upload(id, team: team, repositories), repositories)
    }

    private static func status(
        _ upload: PackageUpload, _ repositories: StoreRepositories
    ) throws -> Status {
        var state: ProductState?
        if case .product(let id) = upload.subject {
            state =
                try repositories.catalog.product(id, in: upload.app)?.details.state
                ?? .missingMetadata
        }
        return Status(
            upload: upload, present: try repositories.uploads.parts(of: upload.id).keys.sorted(),
            problems: try repositories.uploads.problems(of: upload.id), productState: state)
    }
}
