import Foundation
import StoreCore
import StoreModel
import StoreSecurity

/// What an export is to tell of.
package struct FeedPlan: Sendable, Hashable {
    package var mode: FeedMode
    /// The day in its names.
    package var day: CalendarDay
    /// What the state is that an incremental one adds to; nil for a full one.
    package var base: FeedBase?
    package var feeds: [FeedName]

    package init(
        mode: FeedMode, day: CalendarDay, base: FeedBase?, feeds: [FeedName] = FeedName.allCases
    ) {
        self.mode = mode
        self.day = day
        self.base = base
        self.feeds = feeds
    }
}

/// How far an export is.
package struct FeedProgress: Sendable, Hashable {
    package let feed: FeedName
    /// Records of this feed that are written.
    package let records: Int64
    /// Whether its tables are written and are being packed.
    package let isPacking: Bool
}

/// Writes the archives of an export into a folder, in memory that does not grow with the shop.
struct FeedExport: Sendable {
    let database: any ShopDatabase
    let links: StorefrontLinks
    /// Items that are read at a time.
    let pageSize: Int
    let progress: @Sendable (FeedProgress) -> Void

    /// - Parameters:
    ///   - date: when it begins.
    ///   - folder: empty; for the archives and their checksums.
    ///   - scratch: empty; for tables while they are written.
    /// - Throws: `FeedError`, `CancellationError` or what the database throws.
    func run(_ plan: FeedPlan, at date: Date, into folder: URL, scratch: URL) async throws
        -> FeedReport
    {
        let version = try await database.write { try $0.feed.beginExport(at: date) }
        var archives: [FeedReport.Archive] = []
        for feed in plan.feeds {
            let tables = scratch.appendingPathComponent(feed.rawValue)
            try FileManager.default.createDirectory(at: tables, withIntermediateDirectories: true)
            let place = FeedTableFolder(url: tables, mode: plan.mode, date: date, links: links)
            let files = try await write(feed, since: plan.base, to: place)
            archives.append(try await pack(feed, files, plan, date, into: folder))
            try FileManager.default.removeItem(at: tables)
        }
        return FeedReport(
            mode: plan.mode, base: FeedBase(date: date, version: version), day: plan.day,
            archives: archives)
    }

    private func write(
        _ feed: FeedName, since base: FeedBase?, to folder: FeedTableFolder
    ) async throws -> [FeedTableFile] {
        switch feed {
        case .itunes: try await write(ItemTables(folder), feed, since: base, folder.date)
        case .match: try await write(MatchTables(folder), feed, since: base, folder.date)
        case .pricing: try await write(PricingTables(folder), feed, since: base, folder.date)
        case .popularity: try await write(PopularityTables(folder))
        }
    }

    private func write(
        _ tables: some FeedTables, _ feed: FeedName, since base: FeedBase?, _ date: Date
    ) async throws -> [FeedTableFile] {
        try tables.writeLists(at: date)
        let withMedia = type(of: tables).needsMedia
        var lastItem: ItemID?
        while true {
            try Task.checkCancellation()
            let after = lastItem
            let page = try await database.read { [pageSize] repositories in
                let ids = try repositories.feed.items(after: after, since: base, limit: pageSize)
                let items = try FeedItem.load(ids, withMedia: withMedia, repositories)
                return (last: ids.last, items: items)
            }
            guard let last = page.last else { break }
            for item in page.items { try tables.write(item) }
            lastItem = last
            tell(feed, tables.files)
            await Task.yield()
        }
        try await writeArtists(tables, feed, since: base)
        return tables.files
    }

    private func writeArtists(
        _ tables: some FeedTables, _ feed: FeedName, since base: FeedBase?
    ) async throws {
        guard tables.hasArtists else { return }
        var lastArtist: ArtistID?
        while true {
            try Task.checkCancellation()
            let after = lastArtist
            let page = try await database.read { [pageSize] repositories in
                let ids = try repositories.feed.artists(
                    after: after, since: base, limit: pageSize)
                return (last: ids.last, artists: try repositories.items.artists(ids))
            }
            guard let last = page.last else { return }
            for artist in page.artists { try tables.write(artist) }
            lastArtist = last
            tell(feed, tables.files)
            await Task.yield()
        }
    }

    private func write(_ tables: PopularityTables) async throws -> [FeedTableFile] {
        var tables = tables
        for kind in [ItemKind.software, .macSoftware] {
            var reader = RankingReader(database: database, kind: kind, pageSize: pageSize)
            while true {
                try Task.checkCancellation()
                let ranks = try await reader.next()
                guard !ranks.isEmpty else { break }
                let items = try await database.read { repositories in
                    try FeedItem.load(ranks.map(\.item), withMedia: false, repositories)
                }
                let byID = Dictionary(
                    items.map { ($0.id, $0) }, uniquingKeysWith: { first, _ in first })
                for rank in ranks {
                    if let item = byID[rank.item] { try tables.write(item) }
                }
                tell(.popularity, tables.files)
                await Task.yield()
            }
        }
        return tables.files
    }

    private func tell(_ feed: FeedName, _ files: [FeedTableFile], isPacking: Bool = false) {
        progress(
            FeedProgress(
                feed: feed, records: files.reduce(0) { $0 + $1.records }, isPacking: isPacking))
    }

    // MARK: Packing

    private func pack(
        _ feed: FeedName, _ files: [FeedTableFile], _ plan: FeedPlan, _ date: Date,
        into folder: URL
    ) async throws -> FeedReport.Archive {
        tell(feed, files, isPacking: true)
        let name = feed.archive(on: plan.day)
        let url = folder.appendingPathComponent(name)
        let writer = try FeedArchiveWriter(at: url, date: date)
        let inner = feed.folder(on: plan.day)
        try writer.addFolder(inner)
        var tables: [FeedReport.Table] = []
        for file in files.sorted(by: { $0.table.name < $1.table.name }) {
            let size = try file.finish()
            try await writer.add(file.url, as: "\(inner)/\(file.table.name)", size: size)
            tables.append(FeedReport.Table(name: file.table.name, records: file.records))
            try FileManager.default.removeItem(at: file.url)
        }
        try writer.finish()
        let checksum = try FeedDisk.md5(of: url)
        let line = Data("MD5 (\(name)) = \(checksum)\n".utf8)
        let beside = folder.appendingPathComponent(name + ".md5")
        try FeedDisk.write(line, to: beside)
        return FeedReport.Archive(
            feed: feed, file: name, size: try FeedDisk.sync(url), md5: checksum, tables: tables)
    }
}
