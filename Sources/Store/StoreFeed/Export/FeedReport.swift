import Foundation
import StoreCore
import StoreModel

/// What an export has written. It is kept beside the archives: the next one adds to it.
package struct FeedReport: Sendable, Hashable, Codable {
    package struct Table: Sendable, Hashable, Codable {
        package let name: String
        package let records: Int64
    }

    package struct Archive: Sendable, Hashable, Codable {
        package let feed: FeedName
        package let file: String
        /// Bytes.
        package let size: UInt64
        package let md5: String
        package let tables: [Table]
    }

    package let mode: FeedMode
    package let base: FeedBase
    /// The day in the names, `20160120`.
    package let dayDigits: String
    package let archives: [Archive]

    init(mode: FeedMode, base: FeedBase, day: CalendarDay, archives: [Archive]) {
        self.mode = mode
        self.base = base
        self.dayDigits = day.digits
        self.archives = archives
    }

    package var day: CalendarDay? { CalendarDay(digits: dayDigits) }

    package var records: Int64 {
        archives.reduce(0) { $0 + $1.tables.reduce(0) { $0 + $1.records } }
    }
}
