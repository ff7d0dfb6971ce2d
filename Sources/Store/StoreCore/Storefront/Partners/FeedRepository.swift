import Foundation
import StoreDatabase
import StoreModel

/// What the partner feed tells of: long lists in pages by key, never all at once.
package struct FeedRepository {
    /// Seconds; longer than a transaction that changes items takes.
    private static let overlap: TimeInterval = 600

    let connection: any SQLConnection

    /// Says that an export begins. What is changed from now on is in the one after it, whatever
    /// date the change has.
    ///
    /// - Returns: a number that grows with each change that no item's own date tells of: its
    ///   media, its artist, one with a date before an export that had begun.
    package func beginExport(at date: Date) throws -> Int64 {
        try connection.value(
            Int64.self,
            """
            UPDATE feed_clock SET exported = max(exported, \(date)) WHERE id = 1
            RETURNING version
            """
        ).orMissing("clock of the feed")
    }

    /// Numbers of what customers see, in their order.
    ///
    /// - Parameters:
    ///   - after: gives those behind it only.
    ///   - base: gives those only that have changed since; nil for all.
    package func items(after: ItemID?, since base: FeedBase?, limit: Int) throws -> [ItemID] {
        let changed: SQL? = base.map { base in
            // A change may have been written by a transaction that began before the export and
            // ended behind it: told twice is better than not told.
            """
            AND (changed >= \(base.date.addingTimeInterval(-Self.overlap))
                OR id IN (SELECT item FROM feed_item_change WHERE version > \(base.version)))
            """
        }
        return try connection.values(
            ItemID.self,
            """
            SELECT id FROM item NOT INDEXED
            WHERE id > \(after?.number ?? 0) AND state = 'ON_SALE' \(changed)
            ORDER BY id LIMIT \(limit)
            """)
    }

    /// Artists, in the order of their numbers.
    package func artists(after: ArtistID?, since base: FeedBase?, limit: Int) throws -> [ArtistID] {
        let start = after?.number ?? 0
        guard let base else {
            return try connection.values(
                ArtistID.self,
                "SELECT id FROM artist WHERE id > \(start) ORDER BY id LIMIT \(limit)")
        }
        return try connection.values(
            ArtistID.self,
            """
            SELECT artist FROM feed_artist_change
            WHERE artist > \(start) AND version > \(base.version)
            ORDER BY artist LIMIT \(limit)
            """)
    }

    /// Items of a kind that customers see, the most popular first.
    package func ranking(
        of kind: ItemKind, isFree: Bool, after: FeedRank?, limit: Int
    ) throws -> [FeedRank] {
        let start = after?.popularity ?? Int64.max
        return try connection.records(
            FeedRank.self,
            """
            SELECT \(FeedRank.columns) FROM item
            WHERE state = 'ON_SALE' AND kind = \(kind) AND is_free = \(isFree)
                AND popularity <= \(start)
                AND (popularity < \(start) OR id > \(after?.item.number ?? 0))
            ORDER BY popularity DESC, id LIMIT \(limit)
            """)
    }
}

extension StoreRepositories {
    /// What the partner feed tells of.
    package var feed: FeedRepository { FeedRepository(connection: connection) }
}

extension FeedRank: RecordPart {
    package init(_ column: borrowing RecordColumns<Self>) throws {
        item = try column("id", \.item)
        popularity = try column("popularity", \.popularity)
    }
}
