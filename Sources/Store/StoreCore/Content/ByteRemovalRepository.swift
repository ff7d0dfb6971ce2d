import Foundation
import StoreModel

/// Bytes that are taken away, which nothing may come to need meanwhile.
package struct ByteRemovalRepository {
    let connection: any SQLConnection

    /// How it stands about some bytes; nothing of those that are left alone.
    package func standing(
        of digests: [ContentDigest], in place: BytePlace
    ) throws -> [ContentDigest: ByteRemovalStanding] {
        var standing: [ContentDigest: ByteRemovalStanding] = [:]
        for digest in digests {
            standing[digest] = try connection.row(
                "SELECT times, begun, ended FROM byte_removal WHERE place = ?1 AND digest = ?2",
                [.text(place.rawValue), .text(digest.text)]
            ) { row in
                ByteRemovalStanding(
                    times: row.integer(0), begun: row.isNull(2) ? row.date(1) : nil)
            }
        }
        return standing
    }

    package func begin(_ digest: ContentDigest, in place: BytePlace, at date: Date) throws {
        try connection.run(
            """
            INSERT INTO byte_removal (place, digest, times, begun) VALUES (?1, ?2, 1, ?3)
            ON CONFLICT (place, digest) DO UPDATE
            SET times = byte_removal.times + 1, begun = excluded.begun, ended = NULL
            """, [.text(place.rawValue), .text(digest.text), .date(date)])
    }

    /// Ends the removal that was begun at a date; one that somebody else has begun since goes on.
    package func end(
        _ digest: ContentDigest, in place: BytePlace, begun: Date, at date: Date
    ) throws {
        try connection.run(
            "UPDATE byte_removal SET ended = ?3 WHERE place = ?1 AND digest = ?2 AND begun = ?4",
            [.text(place.rawValue), .text(digest.text), .date(date), .date(begun)])
    }

    /// Forgets what came to its end before a date.
    package func forget(endedBefore date: Date) throws {
        try connection.run(
            "DELETE FROM byte_removal WHERE begun < ?1 AND ended < ?1", [.date(date)])
    }
}
