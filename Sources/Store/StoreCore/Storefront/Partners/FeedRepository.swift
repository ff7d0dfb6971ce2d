import Foundation
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
        let version = try connection.row(
            """
            UPDATE feed_clock SET exported = max(exported, ?1) WHERE id = 1 RETURNING version
            """, [.date(date)]
        ) { $0.integer(0) }
        return try version.orMissing("clock of the feed")
    }

    /// Numbers of what customers see, in their order.
    ///
    /// - Parameters:
    ///   - after: gives those behind it only.
    ///   - base: gives those only that have changed since; nil for all.
    package func items(after: ItemID?, since base: FeedBase?, limit: Int) throws -> [ItemID] {
        let start = SQLValue.integer(after?.number ?? 0)
        guard let base else {
            return try connection.rows(
                """
                SELECT id FROM item NOT INDEXED WHERE id > ?1 AND state = 'ON_SALE' ORDER BY id LIMIT ?2
                """, [start, .integer(limit)]
            ) { ItemID(number: $0.integer(0)) }
        }
        return try connection.rows(
            """
            SELECT id FROM item NOT INDEXED
            WHERE id > ?1 AND state = 'ON_SALE' AND (changed >= ?2
                OR id IN (SELECT item FROM feed_item_change WHERE version > ?3))
            ORDER BY id LIMIT ?4
            """,
            [
                // A change may have been written by a transaction that began before the export and
                // ended behind it: told twice is better than not told.
                start, .date(base.date.addingTimeInterval(-Self.overlap)), .integer(base.version),
                .integer(limit),
            ]
        ) { ItemID(number: $0.integer(0)) }
    }

    /// Artists, in the order of their numbers.
    package func artists(after: ArtistID?, since base: FeedBase?, limit: Int) throws -> [ArtistID] {
        let start = SQLValue.integer(after?.number ?? 0)
        guard let base else {
            return try connection.rows(
                "SELECT id FROM artist WHERE id > ?1 ORDER BY id LIMIT ?2",
                [start, .integer(limit)]
            ) { ArtistID(number: $0.integer(0)) }
        }
        return try connection.rows(
            """
            SELECT artist FROM feed_artist_change WHERE artist > ?1 AND version > ?2
            ORDER BY artist LIMIT ?3
            """, [start, .integer(base.version), .integer(limit)]
        ) { ArtistID(number: $0.integer(0)) }
    }

    /// Items of a kind that customers see, the most popular first.
    package func ranking(
        of kind: ItemKind, isFree: Bool, after: FeedRank?, limit: Int
    ) throws -> [FeedRank] {
        try connection.rows(
            """
            SELECT id, popularity FROM item
            WHERE state = 'ON_SALE' AND kind = ?1 AND is_free = ?2 AND popularity <= ?3
                AND (popularity < ?3 OR id > ?4)
            ORDER BY popularity DESC, id LIMIT ?5
            """,
            [
                .text(kind.rawValue), .integer(isFree),
                .integer(after?.popularity ?? Int64.max), .integer(after?.item.number ?? 0),
                .integer(limit),
            ]
        ) { FeedRank(item: ItemID(number: $0.integer(0)), popularity: $0.integer(1)) }
    }
}
