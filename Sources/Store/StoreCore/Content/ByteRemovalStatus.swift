import Foundation

/// How it stands about taking bytes away.
package struct ByteRemovalStatus: Sendable, Hashable {
    /// How often they were taken away, lately.
    package let times: Int64
    /// Since when they are being taken away; nil where that has come to its end.
    package let begun: Date?
}
