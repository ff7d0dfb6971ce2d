import Foundation
import StoreCore
import StoreModel

/// The tables of one feed while they are written.
protocol FeedTables {
    /// Whether it needs pictures, artists and sellers of items.
    static var needsMedia: Bool { get }
    var hasArtists: Bool { get }
    init(_ folder: FeedTableFolder) throws
    var files: [FeedTableFile] { get }
    /// What doesn't come from long lists.
    func writeLists(at date: Date) throws
    func write(_ item: FeedItem) throws
    func write(_ artist: Artist) throws
}

extension FeedTables {
    var hasArtists: Bool { true }
    func writeLists(at date: Date) throws {}
    func write(_ artist: Artist) throws {}
}

/// Makes the files of tables in a folder.
struct FeedTableFolder {
    let url: URL
    let mode: FeedMode
    let date: Date
    let links: StorefrontLinks

    /// - Parameter isWhole: whether the table is whole in an incremental export too.
    func file(_ table: FeedTable, isWhole: Bool = false) throws -> FeedTableFile {
        try FeedTableFile(
            table, at: url.appendingPathComponent(table.name), isFull: mode == .full || isWhole,
            date: date)
    }
}
