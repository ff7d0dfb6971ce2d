import Foundation
import StoreDatabase
import StoreModel

/// Bytes that are taken away, which nothing may come to need meanwhile.
package struct ByteRemovalRepository {
    let connection: any SQLConnection

    /// How it stands about some bytes; nothing of those that are left alone.
    package func status(
        of digests: [ContentDigest], in place: ByteStoreKind
    ) throws -> [ContentDigest: ByteRemovalStatus] {
        let found = try connection.records(
            ByteRemovalRow.self,
            """
            SELECT \(ByteRemovalRow.columns) FROM byte_removal
            WHERE place = \(place) AND digest IN \(list: digests)
            """)
        return Dictionary(
            found.map { row in
                (
                    row.digest,
                    ByteRemovalStatus(
                        times: row.times, begun: row.ended == nil ? row.begun : nil)
                )
            }
        ) { _, last in last }
    }

    package func begin(_ digest: ContentDigest, in place: ByteStoreKind, at date: Date) throws {
        try connection.run(
            """
            INSERT INTO byte_removal (place, digest, times, begun)
            VALUES (\(place), \(digest), 1, \(date))
            ON CONFLICT (place, digest) DO UPDATE
            SET times = byte_removal.times + 1, begun = excluded.begun, ended = NULL
            """)
    }

    /// Ends the removal that was begun at a date; one that somebody else has begun since goes on.
    package func end(
        _ digest: ContentDigest, in place: ByteStoreKind, begun: Date, at date: Date
    ) throws {
        try connection.run(
            """
            UPDATE byte_removal SET ended = \(date)
            WHERE place = \(place) AND digest = \(digest) AND begun = \(begun)
            """)
    }

    /// Forgets what came to its end before a date.
    package func forget(endedBefore date: Date) throws {
        try connection.run(
            "DELETE FROM byte_removal WHERE begun < \(date) AND ended < \(date)")
    }
}

extension StoreRepositories {
    /// Bytes that are taken away.
    package var removals: ByteRemovalRepository { ByteRemovalRepository(connection: connection) }
}

private struct ByteRemovalRow: RecordPart {
    let digest: ContentDigest
    let times: Int64
    let begun: Date
    let ended: Date?

    init(_ column: borrowing RecordColumns<Self>) throws {
        digest = try column("digest", \.digest)
        times = try column("times", \.times)
        begun = try column("begun", \.begun)
        ended = try column("ended", \.ended)
    }
}
