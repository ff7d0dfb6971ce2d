import Foundation
import StoreCore
import StoreModel
import StoreTestSupport
import Synchronization
import Testing

@testable import StoreFeed

@Suite struct FeedFolderTests {
    private static let day: TimeInterval = 86_400

    @Test func `exports are where partners look for them`() async throws {
        let shop = try await FeedShop()
        try await shop.export()
        shop.clock.advance(by: Self.day)
        try await shop.export(.incremental)
        let root = shop.feeds.root.path
        for feed in ["itunes", "match", "popularity", "pricing"] {
            for file in [
                "20160120/\(feed)20160121.tbz", "20160120/\(feed)20160121.tbz.md5",
                "current/\(feed)20160121.tbz",
                "20160120/incremental/20160122/\(feed)20160122.tbz",
                "current/incremental/current/\(feed)20160122.tbz.md5",
            ] {
                #expect(FileManager.default.fileExists(atPath: "\(root)/\(file)"), "\(file)")
            }
        }
        let archive = shop.feeds.root.appendingPathComponent("current/match20160121.tbz")
        let line = try String(
            contentsOf: archive.appendingPathExtension("md5"), encoding: .utf8)
        let (status, output) = try await ChildProgram.run("/usr/bin/md5sum", [archive.path])
        try #require(status == 0)
        let sum = String(decoding: output, as: UTF8.self).prefix(32)
        #expect(line == "MD5 (match20160121.tbz) = \(sum)\n")
        let (_, names) = try await ChildProgram.run("/bin/tar", ["tjf", archive.path])
        #expect(
            String(decoding: names, as: UTF8.self) == """
                match20160121/
                match20160121/artist_match
                match20160121/collection_match
                match20160121/video_match

                """)
    }

    @Test func `several processes may share the folder by a link`() async throws {
        let shop = try await FeedShop()
        let place = shop.feeds.root
        try FileManager.default.createDirectory(
            at: place, withIntermediateDirectories: true)
        let link = place.deletingLastPathComponent().appendingPathComponent("linked-feeds")
        try FileManager.default.createSymbolicLink(at: link, withDestinationURL: place)
        try await shop.export(to: FeedFolder(root: link))
        #expect(shop.feeds.weeks().map(\.digits) == ["20160120"])
        #expect(
            FileManager.default.fileExists(atPath: "\(place.path)/current/match20160121.tbz"))
    }

    @Test func `an export that is broken off leaves the one before as it was`() async throws {
        let shop = try await FeedShop()
        try await shop.add(.ebook, "One", genres: [9031])
        try await shop.export()
        let before = try shop.files()
        let bytes = try Data(contentsOf: try shop.archive(of: .itunes, at: "20160120"))
        try await shop.add(.ebook, "Two", genres: [9031])
        let seen = Mutex<Set<FeedName>>([])
        let task = Task {
            try await shop.export { progress in
                seen.withLock { _ = $0.insert(progress.feed) }
                if progress.feed == .popularity { withUnsafeCurrentTask { $0?.cancel() } }
            }
        }
        await #expect(throws: CancellationError.self) { try await task.value }
        #expect(seen.withLock { $0 } == [.itunes, .match, .popularity])
        #expect(try shop.files() == before)
        #expect(try Data(contentsOf: try shop.archive(of: .itunes, at: "20160120")) == bytes)
        #expect(shop.feeds.weeks().count == 1)
    }

    @Test func `what a crash has left is taken away by the next export`() async throws {
        let shop = try await FeedShop()
        let left = shop.feeds.root.appendingPathComponent(".partial-export/scratch/itunes")
        try FileManager.default.createDirectory(at: left, withIntermediateDirectories: true)
        try Data("half".utf8).write(to: left.appendingPathComponent("artist"))
        // A week that is not whole is not there.
        let half = shop.feeds.root.appendingPathComponent("20160113")
        try FileManager.default.createDirectory(at: half, withIntermediateDirectories: true)
        try Data("half".utf8).write(to: half.appendingPathComponent("itunes20160113.tbz"))
        #expect(shop.feeds.weeks().isEmpty)
        #expect(try shop.feeds.entry(at: ["20160113"]).map { _ in 1 } == nil)
        try await shop.export()
        #expect(try shop.files().allSatisfy { !$0.hasPrefix(".partial") })
        #expect(shop.feeds.weeks() == [CalendarDay("2016-01-20")!])
    }

    @Test func `one export at a time`() async throws {
        let shop = try await FeedShop()
        let lock = try shop.feeds.lock()
        let error = await #expect(throws: FeedError.self) { try await shop.export() }
        #expect(error?.code == .busy)
        withExtendedLifetime(lock) {}
    }

    @Test func `a full export of the same week replaces it, with what was added`() async throws {
        let shop = try await FeedShop()
        try await shop.export()
        shop.clock.advance(by: Self.day)
        try await shop.export(.incremental)
        try await shop.add(.ebook, "New", genres: [9031])
        try await shop.export()
        #expect(shop.feeds.days(in: CalendarDay("2016-01-20")!).isEmpty)
        let rows = try await shop.table("collection", of: .itunes, at: "20160120").rows
        #expect(rows.map { $0["name"] } == ["New"])
    }

    @Test func `the last weeks are kept`() async throws {
        let shop = try await FeedShop()
        for _ in 0..<(FeedService.keptWeeks + 2) {
            try await shop.export()
            shop.clock.advance(by: 7 * Self.day)
        }
        let weeks = shop.feeds.weeks().map(\.digits)
        #expect(weeks == ["20160203", "20160210", "20160217", "20160224"])
        #expect(try shop.files().contains("20160120") == false)
    }

    @Test func `a clock behind the newest export makes none`() async throws {
        let shop = try await FeedShop()
        for _ in 0..<FeedService.keptWeeks {
            try await shop.export()
            shop.clock.advance(by: 7 * Self.day)
        }
        let before = try shop.files()
        shop.clock.advance(by: -60 * Self.day)
        for mode in [FeedMode.full, .incremental] {
            let error = await #expect(throws: FeedError.self) { try await shop.export(mode) }
            #expect(error?.code == .clock)
            #expect(error?.description.contains("2016-02-11") == true)
        }
        #expect(try shop.files() == before)
    }

    @Test(arguments: [
        ["..", "store", "store.sqlite"], ["current", ".."], ["current", ".export.json"],
        ["current", "itunes20160121.tbz\0"], [".lock"], [""], ["."], ["current", ""],
        ["20160120", "incremental", "..", "itunes20160121.tbz"], ["current", "../secret"],
        ["current", "itunes20160121.tar"], ["current", "itunes20161301.tbz"],
        ["current", "incremental", "current", "itunes20160121.tbz", "x"], ["２０１６０１２０"],
        ["20160120", "secret20160121.tbz"],
    ])
    func `other paths lead nowhere`(_ path: [String]) async throws {
        let shop = try await FeedShop()
        try await shop.export()
        #expect(try shop.feeds.entry(at: path).map { _ in 1 } == nil)
    }

    @Test func `links are not followed`() async throws {
        let shop = try await FeedShop()
        try await shop.export()
        let week = shop.feeds.root.appendingPathComponent("20160120")
        let secret = try shop.folder.write("secret", "secret")
        try FileManager.default.createSymbolicLink(
            at: week.appendingPathComponent("itunes20160199.tbz"), withDestinationURL: secret)
        try FileManager.default.createSymbolicLink(
            at: week.appendingPathComponent("itunes20160119.tbz"), withDestinationURL: secret)
        let linked = try shop.feeds.entry(at: ["current", "itunes20160119.tbz"]).map { _ in 1 }
        #expect(linked == nil)
        guard case .folder(let list) = try shop.feeds.entry(at: ["current"]) else {
            Issue.record("no folder")
            return
        }
        #expect(list.count == 8)
        let other = shop.feeds.root.appendingPathComponent("20160106")
        try FileManager.default.createSymbolicLink(at: other, withDestinationURL: week)
        #expect(shop.feeds.weeks().count == 1)
    }
}
