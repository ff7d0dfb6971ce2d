import Foundation
@testable import StoreCore
import StoreFeed
import StoreModel
import StoreServer
import StoreTestSupport

/// A store with some items of each kind, and exports of it.
final class FeedShop: Sendable {
    /// A Thursday.
    static let start = CalendarDay("2016-01-21")!.beginning.addingTimeInterval(3 * 3600)

    let folder: TemporaryFolder
    let store: Store
    let clock = SettableClock(FeedShop.start)
    let team: Int64
    let feeds: FeedFolder

    init() async throws {
        folder = try TemporaryFolder()
        try PreparedDatabase.install(into: folder.file("store"))
        try await PreparedKeys.install(into: folder.file("store"), clock: clock)
        store = try Store(
            directory: folder.file("store"), clock: clock,
            vault: OpenSSLVault.forTests, log: .silent)
        feeds = FeedFolder(root: folder.file("feeds"))
        team = try await store.database.write { repositories in
            try repositories.catalog.save(TeamDraft(name: "Example", hasPaidAgreement: true)).id
        }
    }

    deinit { store.close() }

    static let links = StorefrontLinks(base: "https://store.example.com")

    /// Adds an item on sale.
    @discardableResult
    func add(
        _ kind: ItemKind, _ title: String, genres: [Int], prices: ItemPrices = .free,
        state: ItemState = .onSale,
        _ change: @escaping @Sendable (inout ItemDetails) -> Void = { _ in }
    ) async throws -> Item {
        let (team, now) = (team, clock.now())
        return try await store.database.write { repositories in
            var details = ItemDetails(kind: kind, title: title, genres: genres, prices: prices)
            change(&details)
            return try repositories.items.insert(
                details, id: nil, of: team, state: state, at: now)
        }
    }

    func update(_ item: Item, _ change: @escaping @Sendable (inout Item) -> Void) async throws {
        let now = clock.now()
        try await store.database.write { repositories in
            var item = item
            change(&item)
            try repositories.items.update(item, at: now)
        }
    }

    func addArtist(_ name: String, _ type: ArtistType, amg: Int64? = nil) async throws -> Artist {
        let team = team
        return try await store.database.write { repositories in
            try repositories.items.insert(
                Artist(
                    id: ArtistID(number: 0), team: team, name: name, type: type, genre: 34,
                    amgArtistID: amg), isNumbered: false)
        }
    }

    func addMedia(_ kind: ItemMedia.Kind, position: Int = 1, to item: Item) async throws {
        let isPicture = [.artwork, .screenshot, .tabletScreenshot].contains(kind)
        try await store.database.write { repositories in
            try repositories.itemMedia.save(
                ItemMedia(
                    id: AssetID(UUID().uuidString.lowercased())!, item: item.id, kind: kind,
                    position: position,
                    digest: ContentDigest(String(repeating: "ab", count: 32))!,
                    mediaType: isPicture ? "image/png" : "audio/mpeg",
                    fileName: isPicture ? "a.png" : "a.mp3", size: 10,
                    width: isPicture ? 640 : nil, height: isPicture ? 480 : nil))
        }
    }

    /// Makes an export, some time after what was done before.
    @discardableResult
    func export(
        _ mode: FeedMode = .full, to place: FeedFolder? = nil, pageSize: Int = 500,
        progress: @escaping @Sendable (FeedProgress) -> Void = { _ in }
    ) async throws -> FeedReport {
        clock.advance(by: 1200)
        return try await FeedService(database: store.database, clock: clock, pageSize: pageSize)
            .export(
                mode, to: place ?? feeds, links: Self.links, progress: progress)
    }

    /// A table of an export, unpacked by the system's own program.
    ///
    /// - Parameter place: below the exports, for example `20160120`.
    func table(_ name: String, of feed: FeedName, at place: String) async throws -> FeedFile {
        let archive = try archive(of: feed, at: place)
        let target = folder.file("unpacked/\(place)/\(feed.rawValue)")
        if !FileManager.default.fileExists(atPath: target.path) {
            try FileManager.default.createDirectory(at: target, withIntermediateDirectories: true)
            let (status, output) = try await ChildProgram.run(
                "/bin/tar", ["xjf", archive.path], in: target)
            guard status == 0 else {
                throw FeedFile.Malformed(description: String(decoding: output, as: UTF8.self))
            }
        }
        let stem = archive.deletingPathExtension().lastPathComponent
        return try FeedFile(
            Data(contentsOf: target.appendingPathComponent("\(stem)/\(name)")))
    }

    /// The archive of a feed in an export.
    func archive(of feed: FeedName, at place: String) throws -> URL {
        let folder = feeds.root.appendingPathComponent(place)
        let names = try FileManager.default.contentsOfDirectory(atPath: folder.path)
        guard
            let name = names.first(where: {
                $0.hasPrefix(feed.rawValue) && $0.hasSuffix(".tbz")
            })
        else { throw FeedFile.Malformed(description: "\(names)") }
        return folder.appendingPathComponent(name)
    }

    /// All files below the exports, but for the lock.
    func files() throws -> Set<String> {
        let all = try FileManager.default.subpathsOfDirectory(atPath: feeds.root.path)
        return Set(all.filter { $0 != ".lock" })
    }
}
