import Foundation
import StoreModel

/// What the partner feed tells of: long lists in pages by key, never all at once.
package protocol FeedRepository {
    /// Says that an export begins. What is changed from now on is in the one after it, whatever
    /// date the change has.
    ///
    /// - Returns: a number that grows with each change that no item's own date tells of: its
    ///   media, its artist, one with a date before an export that had begun.
    func beginExport(at date: Date) throws -> Int64
    /// Numbers of what customers see, in their order.
    ///
    /// - Parameters:
    ///   - after: gives those behind it only.
    ///   - base: gives those only that have changed since; nil for all.
    func items(after: ItemID?, since base: FeedBase?, limit: Int) throws -> [ItemID]
    /// Artists, in the order of their numbers.
    func artists(after: ArtistID?, since base: FeedBase?, limit: Int) throws -> [ArtistID]
    /// Items of a kind that customers see, the most popular first.
    func ranking(
        of kind: ItemKind, isFree: Bool, after: FeedRank?, limit: Int
    ) throws -> [FeedRank]
}

/// The state of the store that an export tells of, to which the next one adds what changed.
package struct FeedBase: Sendable, Hashable, Codable {
    /// When it began to read.
    package let date: Date
    /// What `FeedRepository.beginExport` gave.
    package let version: Int64

    package init(date: Date, version: Int64) {
        self.date = date
        self.version = version
    }
}

/// The place of an item among others.
package struct FeedRank: Sendable, Hashable {
    package let item: ItemID
    package let popularity: Int64

    package init(item: ItemID, popularity: Int64) {
        self.item = item
        self.popularity = popularity
    }
}
