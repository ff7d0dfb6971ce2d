import Foundation
import StoreModel

/// Deletes files that nothing references, while other processes may begin to reference them.
///
/// One transaction makes sure that nothing references a file, and records that it is being deleted:
/// from then on no transaction can record a reference to it (`BytePresence`). The file is deleted
/// outside of transactions, because those may run again or roll back. Another transaction records
/// that it is gone.
struct ByteRemoval: Sendable {
    /// Seconds after which a deletion counts as abandoned: its process was killed.
    private static let abandonedAfter: TimeInterval = 600
    /// Seconds after its beginning in which a deletion may still delete files.
    private static let timeLimit: TimeInterval = 300
    /// Seconds for which the record of a finished deletion is kept.
    private static let recordRetention: TimeInterval = 2 * 86_400

    let place: ByteStoreKind
    let files: any ContentStore
    let shop: Shop
    let isNeeded: @Sendable (ContentDigest, StoreRepositories) throws -> Bool
    /// Writes down that they are gone.
    let forget: @Sendable (ContentDigest, StoreRepositories) throws -> Void

    /// Some could not be taken away.
    struct Incomplete: Error, CustomStringConvertible {
        let gone: [StoredContent]
        /// Of the first.
        let reason: any Error

        var description: String { String(describing: reason) }
    }

    /// Whether somebody is still at it who has begun at a date.
    static func isUnderWay(_ begun: Date, at now: Date) -> Bool {
        begun.addingTimeInterval(abandonedAfter) > now
    }

    /// Takes away those that nothing needs.
    ///
    /// - Returns: which those were.
    /// - Throws: `Incomplete` where some of them could not be taken away, which is tried the next time; what
    ///   the database throws.
    func remove(_ candidates: [StoredContent]) async throws -> [StoredContent] {
        guard !candidates.isEmpty else { return [] }
        let begun = shop.clock.now()
        let going = try await shop.write { work in
            let status = try work.removals.status(of: candidates.map(\.digest), in: place)
            return try candidates.filter { file in
                let other = status[file.digest]?.begun
                guard other.map({ !Self.isUnderWay($0, at: begun) }) ?? true,
                    try !isNeeded(file.digest, work)
                else { return false }
                try work.removals.begin(file.digest, in: place, at: begun)
                try forget(file.digest, work)
                return true
            }
        }
        var gone: [StoredContent] = []
        // Those that stay for now: nobody is at them any more.
        var left = going[...]
        var failure: (any Error)?
        for file in going {
            // Who was stopped for long must not go on: others believe that it was killed.
            guard shop.clock.now() < begun.addingTimeInterval(Self.timeLimit) else { break }
            do {
                try await files.apart { [files] in try files.remove(file.digest) }
            } catch {
                failure = failure ?? error
                // It may have gone all the same.
                left.removeFirst()
                continue
            }
            left.removeFirst()
            gone.append(file)
        }
        let (end, ended) = (shop.clock.now(), gone + left)
        if !ended.isEmpty {
            try await shop.write { work in
                for file in ended {
                    try work.removals.end(file.digest, in: place, begun: begun, at: end)
                }
            }
        }
        if let failure { throw Incomplete(gone: gone, reason: failure) }
        return gone
    }

    /// Forgets what was taken away long ago.
    func forgetEnded() async throws {
        let limit = shop.clock.now().addingTimeInterval(-Self.recordRetention)
        try await shop.write { try $0.removals.forget(endedBefore: limit) }
    }
}
