import Foundation

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
