import Foundation
import StoreModel

/// A store of bytes, among those that things are collected from.
package enum BytePlace: String, Sendable, Hashable {
    case content = "CONTENT"
    case pictures = "PICTURES"
}

/// How it stands about taking bytes away.
package struct ByteRemovalStanding: Sendable, Hashable {
    /// How often they were taken away, lately.
    package let times: Int64
    /// Since when they are being taken away; nil where that has come to its end.
    package let begun: Date?

    package init(times: Int64, begun: Date?) {
        self.times = times
        self.begun = begun
    }
}

/// Bytes that are taken away, which nothing may come to need meanwhile.
package protocol ByteRemovalRepository {
    /// How it stands about some bytes; nothing of those that are left alone.
    func standing(
        of digests: [ContentDigest], in place: BytePlace
    ) throws -> [ContentDigest: ByteRemovalStanding]
    func begin(_ digest: ContentDigest, in place: BytePlace, at date: Date) throws
    /// Ends the removal that was begun at a date; one that somebody else has begun since goes on.
    func end(_ digest: ContentDigest, in place: BytePlace, begun: Date, at date: Date) throws
    /// Forgets what came to its end before a date.
    func forget(endedBefore date: Date) throws
}
