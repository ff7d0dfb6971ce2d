import Foundation
import StoreCore
import StoreModel
import StoreServer
import StoreTestSupport
import Testing

/// What is collected, and what never is.
@Suite struct CollectionTests {
    private static let app = SampleShop.bundleID
    private static let chapter = ProductID(SampleShop.chapter)!
    private static let day: TimeInterval = 86_400

    private let opened: OpenedStore
    private var store: Store { opened.store }

    init() async throws {
        opened = try await OpenedStore()
    }

    private func importContent(_ version: String, isApproved: Bool = true) async throws {
        let content = try ContentFolder()
        try content.add(SampleShop.chapter, version: version, text: "The text of \(version).")
        try await opened.importShop(content: content.url, isApproved: isApproved)
    }

    private var releases: [ContentRelease] {
        get async throws { try await opened.product(SampleShop.chapter)?.releases ?? [] }
    }

    /// The versions whose bytes are all there.
    private var kept: [String] {
        get async throws {
            try await releases.filter { release in
                try !release.blobs.isEmpty
                    && release.digests.allSatisfy { try store.content.exists($0) }
            }.map(\.version.text)
        }
    }

    private func permit(_ version: String) async throws -> Bool {
        let now = opened.clock.now()
        return try await store.database.write { repositories in
            try repositories.content.recordPermit(
                of: ContentVersion(version)!, of: Self.chapter,
                in: repositories.sampleApp().id, at: now)
        }
    }

    @Test func `a store without a team collects nothing, and that is no warning`() async throws {
        let opened = try await ListeningStore()
        let report = try await opened.store.collect(.standard)
        #expect(report.files == 0)
        let said = opened.log.filter { $0.contains("no content deleted") }
        #expect(said.count == 1)
        #expect(said.allSatisfy { $0.contains("level=info") }, "\(said)")
    }

    @Test func `an old version goes when nobody has fetched it for so long`() async throws {
        try await importContent("1.0")
        opened.clock.advance(by: 100 * Self.day)
        try await importContent("2.0")
        opened.clock.advance(by: 29 * Self.day)
        #expect(try await permit("1.0"))
        opened.clock.advance(by: 30 * Self.day - 1)
        let early = try await store.collect(.standard)
        #expect(early.versions.isEmpty && early.files == 0)
        #expect(try await kept == ["1.0", "2.0"])
        opened.clock.advance(by: 1)
        let plan = try await store.collection.plan(.standard)
        #expect(plan.versions.map(\.version.text) == ["1.0"])
        #expect(plan.files == 2)
        #expect(plan.bytes > 0)
        // The plan has changed nothing.
        #expect(try await kept == ["1.0", "2.0"])
        #expect(try await releases.allSatisfy { !$0.isRetired })
        #expect(try await store.collect(.standard) == plan)
        #expect(try await kept == ["2.0"])
        #expect(try await releases.map(\.isRetired) == [true, false])
        #expect(try await !permit("1.0"))
        // Nothing is left to be done.
        #expect(try await store.collect(.standard) == GarbageCollectionService.Report())
    }

    @Test func `what an environment delivers is kept, however old`() async throws {
        try await importContent("1.0")
        try await importContent("1.1", isApproved: false)
        opened.clock.advance(by: 1000 * Self.day)
        _ = try await store.collect(ContentRetentionPolicy(days: 0))
        #expect(try await kept == ["1.0", "1.1"])
        try await importContent("1.2", isApproved: false)
        opened.clock.advance(by: 1000 * Self.day)
        _ = try await store.collect(ContentRetentionPolicy(days: 0))
        // Customers have 1.0, testers 1.2.
        #expect(try await kept == ["1.0", "1.2"])
    }

    @Test func `what is in review is kept, what was rejected goes`() async throws {
        try await importContent("1.0", isApproved: false)
        try await store.submitContent(of: Self.chapter)
        try await store.beginReview(of: Self.chapter)
        opened.clock.advance(by: 1000 * Self.day)
        _ = try await store.collect(.standard)
        #expect(try await kept == ["1.0"])
        try await store.decide(.reject("no"), about: Self.chapter)
        opened.clock.advance(by: 30 * Self.day - 1)
        _ = try await store.collect(.standard)
        #expect(try await kept == ["1.0"])
        opened.clock.advance(by: 1)
        _ = try await store.collect(.standard)
        #expect(try await kept.isEmpty)
        #expect(try await releases.map(\.isRetired) == [true])
        // The number is used up all the same.
        await #expect(throws: ContentRefusal.self) { try await importContent("1.0") }
    }

    @Test func `a download that has just begun is never cut off`() async throws {
        try await importContent("1.0")
        try await importContent("2.0")
        opened.clock.advance(by: 1000 * Self.day)
        #expect(try await permit("1.0"))
        // Longer than a permission is good, and that it was noted.
        opened.clock.advance(by: 2 * 3600 - 1)
        _ = try await store.collect(ContentRetentionPolicy(days: 0))
        #expect(try await kept == ["1.0", "2.0"])
    }

    @Test func `bytes that a kept version shares are kept`() async throws {
        try await importContent("1.0")
        try await importContent("2.0")
        let old = try #require(try await releases.first)
        // As when chunks of 2.1 lie in the blob of 1.0.
        var newest = try #require(try await releases.last)
        newest.version = ContentVersion("2.1")!
        newest.blobs += old.blobs
        newest.state = .approved
        let release = newest
        let now = opened.clock.now()
        try await store.database.write { repositories in
            try repositories.content.insert(
                release, of: Self.chapter, in: repositories.sampleApp().id, at: now)
        }
        opened.clock.advance(by: 31 * Self.day)
        let report = try await store.collect(.standard)
        #expect(report.versions.map(\.version.text) == ["1.0", "2.0"])
        // Only the manifest of 1.0 is nobody's any more.
        #expect(report.files == 1)
        #expect(try !store.content.exists(old.manifestDigest))
        #expect(try await releases.last == release)
        for digest in release.digests { #expect(try store.content.exists(digest)) }
    }

    @Test func `an empty database takes away nothing of a shop that it is not of`() async throws {
        try await importContent("1.0")
        let empty = opened.folder.file("wrong")
        try PreparedDatabase.install(into: empty)
        let wrong = try Store(
            directory: store.directory,
            database: SQLiteDatabase(path: empty.appendingPathComponent("store.sqlite").path),
            clock: opened.clock, vault: OpenSSLVault.forTests, log: .silent)
        defer { wrong.close() }
        opened.clock.advance(by: 3650 * Self.day)
        #expect(try await wrong.collect(.standard) == GarbageCollectionService.Report())
        let release = try #require(try await releases.first)
        for digest in release.digests { #expect(try store.content.exists(digest)) }
    }

    @Test func `bytes that belong to nothing go after a day`() async throws {
        try await importContent("1.0")
        let stranger = ContentDigest(String(repeating: "c", count: 64))!
        let file = try opened.folder.write("stranger", "bytes of a version that was never made")
        try store.content.store(file: file, digest: stranger)
        let path = opened.store.directory.appendingPathComponent("content/cc/\(stranger)").path
        for (age, isKept) in [(Self.day - 60, true), (Self.day + 60, false)] {
            try FileManager.default.setAttributes(
                [.modificationDate: opened.clock.now().addingTimeInterval(-age)],
                ofItemAtPath: path)
            #expect(try await store.collection.plan(.standard).files == (isKept ? 0 : 1))
            #expect(try await store.collect(.standard).files == (isKept ? 0 : 1))
            #expect(try store.content.exists(stranger) == isKept)
        }
        #expect(try await kept == ["1.0"])
    }

    @Test func `folders of work that was broken off go after a day`() async throws {
        let folder = try store.temporaryFolder()
        try Data("half a blob".utf8).write(to: folder.appendingPathComponent("blob"))
        for (age, isKept) in [(Self.day - 60, true), (Self.day + 60, false)] {
            try FileManager.default.setAttributes(
                [.modificationDate: opened.clock.now().addingTimeInterval(-age)],
                ofItemAtPath: folder.path)
            _ = try await store.collect(.standard)
            #expect(FileManager.default.fileExists(atPath: folder.path) == isKept)
        }
    }

    @Test func `files of uploads that nobody knows go at once`() async throws {
        try await importContent("1.0")
        let id = UploadID(UUID())
        let file = try #require(try store.uploadFiles.open(id, isAlone: false))
        try file.write(Data("bytes".utf8), at: 0)
        #expect(try await store.collection.plan(.standard).uploads == 1)
        #expect(try await store.collect(.standard).uploads == 1)
        #expect(try store.uploadFiles.list().isEmpty)
    }

    @Test func `a product that hosts no content any more gives it up`() async throws {
        try await importContent("1.0", isApproved: false)
        try await store.setHosting(false, of: Self.chapter)
        opened.clock.advance(by: 30 * Self.day - 1)
        _ = try await store.collect(.standard)
        #expect(try await kept == ["1.0"])
        opened.clock.advance(by: 1)
        #expect(try await store.collect(.standard).versions.count == 1)
        #expect(try store.content.list().isEmpty)
    }
}
