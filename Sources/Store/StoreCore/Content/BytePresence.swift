import Foundation
import StoreModel

/// Bytes that were seen in their store, for something that comes to need them.
///
/// They are looked for outside of the transaction that needs them: a store of bytes may be on
/// another machine. Inside of it one only asks whether somebody has begun to take them away since.
package struct BytePresence: Sendable {
    private let place: ByteStoreKind
    private let digests: [ContentDigest]
    private let status: [ContentDigest: ByteRemovalStatus]
    private let date: Date

    /// Looks for bytes.
    ///
    /// - Parameter date: a time before the look: who was taking bytes away then counts as still at it.
    /// - Throws: `ContentFilesMissing` where some are not there, and what store and database throw.
    package init(
        _ digests: [ContentDigest], in place: ByteStoreKind, of files: any ContentStore,
        _ database: any ShopDatabase, at date: Date
    ) async throws {
        (self.place, self.digests, self.date) = (place, digests, date)
        // Before: what is taken away after the look has another status then.
        status = try await database.read { try $0.removals.status(of: digests, in: place) }
        let missing = try await files.apart { try digests.filter { try !files.exists($0) } }
        guard missing.isEmpty else { throw ContentFilesMissing(digests: missing) }
    }

    /// Looks whether they are there to stay, inside the transaction that writes down who needs
    /// them.
    ///
    /// - Throws: `ContentFilesMissing` where somebody takes them away, or has since.
    package func check(_ repositories: StoreRepositories) throws {
        let current = try repositories.removals.status(of: digests, in: place)
        let gone = digests.filter { digest in
            guard current[digest] == status[digest] else { return true }
            return current[digest]?.begun.map { ByteRemoval.isUnderWay($0, at: date) } ?? false
        }
        guard gone.isEmpty else { throw ContentFilesMissing(digests: gone) }
    }

    /// Whether these are among those that were seen.
    package func cover(_ digests: [ContentDigest]) -> Bool {
        Set(digests).isSubset(of: self.digests)
    }
}
