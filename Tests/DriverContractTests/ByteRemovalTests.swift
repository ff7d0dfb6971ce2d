import Foundation
import StoreContent
import StoreModel
import StoreSecurity
import StoreTestSupport
import Testing

@testable import StoreCore

/// Bytes that nothing needs are taken away beside those who may come to need them.
@Suite(.usesDrivers) struct ByteRemovalTests {
    private let folder: TemporaryFolder
    private let files: DiskContentStore
    private let clock = SettableClock(SeededShop.date)

    init() throws {
        folder = try TemporaryFolder()
        files = try DiskContentStore(root: folder.file("content"))
    }

    private func removal(_ database: any ShopDatabase) -> ByteRemoval {
        removal(of: files, database)
    }

    private func removal(
        of files: any ContentStore, _ database: any ShopDatabase
    ) -> ByteRemoval {
        ByteRemoval(
            place: .content, files: files, shop: Shop(database: database, clock: clock),
            isNeeded: { try $1.content.isNeeded($0) }, forget: { try $1.content.forget($0) })
    }

    /// Brings bytes to the store, and gives the version that is made of them.
    private func release(_ text: String, _ version: Int) throws -> ContentRelease {
        let data = Data(text.utf8)
        let digest = try #require(ContentDigest(SHA256Digest.hex(data)))
        let file = folder.file("arriving")
        try data.write(to: file)
        try files.store(file: file, digest: digest)
        return ContentRelease(
            version: ContentVersion("1.\(version)")!, manifestDigest: digest,
            manifestLength: 1, blobs: [], downloadLength: 1, unpackedLength: 1,
            state: .readyToSubmit)
    }

    private func insert(
        _ release: ContentRelease, _ bytes: BytePresence, _ shop: SeededShop,
        in database: any ShopDatabase
    ) async throws {
        let now = clock.now()
        try await database.write { repositories in
            try bytes.check(repositories)
            try repositories.content.insert(
                release, of: SeededShop.chapter, in: shop.app.id, at: now)
        }
    }

    private func seen(
        _ release: ContentRelease, _ database: any ShopDatabase
    ) async throws -> BytePresence {
        try await BytePresence(
            release.digests, in: .content, of: files, database, at: clock.now())
    }

    @Test(arguments: StoreDriver.all)
    func `what a version needs stays, and the rest goes`(driver: StoreDriver) async throws {
        let database = try driver.install().open()
        let shop = try await SeededShop(in: database)
        let needed = try release("needed", 1)
        try await insert(needed, seen(needed, database), shop, in: database)
        _ = try release("left", 2)
        let gone = try await removal(database).remove(files.list())
        #expect(gone.count == 1)
        #expect(try files.list().map(\.digest) == needed.digests)
    }

    @Test(arguments: StoreDriver.all)
    func `bytes that are removed before the transaction are noticed`(
        driver: StoreDriver
    ) async throws {
        let database = try driver.install().open()
        let shop = try await SeededShop(in: database)
        let version = try release("bytes", 1)
        let bytes = try await seen(version, database)
        #expect(try await removal(database).remove(files.list()).count == 1)
        // The same bytes again: what was seen is not what is there now.
        _ = try release("bytes", 1)
        await #expect(throws: ContentFilesMissing.self) {
            try await insert(version, bytes, shop, in: database)
        }
        try await insert(version, seen(version, database), shop, in: database)
        #expect(try await removal(database).remove(files.list()).isEmpty)
    }

    @Test(arguments: StoreDriver.all)
    func `bytes that are being removed can't be referenced`(driver: StoreDriver) async throws {
        let database = try driver.install().open()
        let shop = try await SeededShop(in: database)
        let version = try release("bytes", 1)
        let digest = version.manifestDigest
        let now = clock.now()
        try await database.write { try $0.removals.begin(digest, in: .content, at: now) }
        let bytes = try await seen(version, database)
        await #expect(throws: ContentFilesMissing.self) {
            try await insert(version, bytes, shop, in: database)
        }
        #expect(try await removal(database).remove(files.list()).isEmpty, "another one is at it")
    }

    @Test(arguments: StoreDriver.all)
    func `who was killed meanwhile does not hold others up for ever`(
        driver: StoreDriver
    ) async throws {
        let database = try driver.install().open()
        let shop = try await SeededShop(in: database)
        let kept = try release("kept", 1)
        let left = try release("left", 2)
        let now = clock.now()
        try await database.write { repositories in
            for release in [kept, left] {
                try repositories.removals.begin(release.manifestDigest, in: .content, at: now)
            }
        }
        clock.advance(by: 601)
        try await insert(kept, seen(kept, database), shop, in: database)
        #expect(try await removal(database).remove(files.list()).map(\.digest) == left.digests)
        #expect(try files.list().map(\.digest) == kept.digests)
    }

    @Test(arguments: StoreDriver.all)
    func `what can't be taken away keeps nothing else`(driver: StoreDriver) async throws {
        let database = try driver.install().open()
        _ = try await SeededShop(in: database)
        let stuck = try release("one", 1).manifestDigest
        let others = try [release("two", 2), release("three", 3)].map(\.manifestDigest)
        let refusing = SlowRemoval(
            base: files, refuse: { if $0 == stuck { throw ContentBusy() } })
        let error = await #expect(throws: ByteRemoval.Incomplete.self) {
            _ = try await removal(of: refusing, database).remove(files.list())
        }
        #expect(Set(error?.gone.map(\.digest) ?? []) == Set(others))
        #expect(try files.list().map(\.digest) == [stuck])
        clock.advance(by: 601)
        #expect(try await removal(database).remove(files.list()).map(\.digest) == [stuck])
    }

    @Test(arguments: StoreDriver.all)
    func `who was stopped for long takes nothing away`(driver: StoreDriver) async throws {
        let database = try driver.install().open()
        let shop = try await SeededShop(in: database)
        let versions = [try release("one", 1), try release("two", 2)]
        let clock = clock
        let slow = SlowRemoval(base: files, then: { clock.advance(by: 301) })
        let gone = try await removal(of: slow, database).remove(files.list())
        #expect(gone.count == 1, "after the first one it is too late for the second")
        let left = try #require(versions.first { $0.manifestDigest != gone.first?.digest })
        #expect(try files.list().map(\.digest) == [left.manifestDigest])
        // Nobody is at it any more.
        try await insert(left, seen(left, database), shop, in: database)
    }

    @Test(arguments: StoreDriver.all)
    func `who ends late ends no removal of another one`(driver: StoreDriver) async throws {
        let database = try driver.install().open()
        let version = try release("bytes", 1)
        let digest = version.manifestDigest
        let (first, second) = (clock.now(), clock.now().addingTimeInterval(700))
        let status = try await database.write { repositories in
            let removals = repositories.removals
            try removals.begin(digest, in: .content, at: first)
            try removals.begin(digest, in: .content, at: second)
            try removals.end(digest, in: .content, begun: first, at: second)
            return try removals.status(of: [digest], in: .content)
        }
        #expect(status[digest]?.begun == second)
    }

    @Test(arguments: StoreDriver.all)
    func `versions and removals at once leave no version without bytes`(
        driver: StoreDriver
    ) async throws {
        let installation = try driver.install()
        let (adding, removing) = (try installation.open(), try installation.open())
        let shop = try await SeededShop(in: adding)
        var added = 0
        for number in 0..<30 {
            let version = try release("bytes \(number)", number)
            let listed = try files.list()
            async let gone = removal(removing).remove(listed)
            do {
                try await insert(version, seen(version, adding), shop, in: adding)
                added += 1
                #expect(try files.exists(version.manifestDigest), "round \(number)")
            } catch is ContentFilesMissing {
                #expect(
                    try await adding.read { repositories in
                        try repositories.content.isNeeded(version.manifestDigest)
                    } == false)
            }
            _ = try await gone
            let isNeeded = try await adding.read {
                try $0.content.isNeeded(version.manifestDigest)
            }
            let exists = try files.exists(version.manifestDigest)
            #expect(!isNeeded || exists, "round \(number)")
        }
        let records = try await adding.read {
            try $0.content.records(of: SeededShop.chapter, in: shop.app.id)
        }
        #expect(records.count == added)
    }

    @Test(arguments: StoreDriver.all)
    func `what was taken away long ago is forgotten`(driver: StoreDriver) async throws {
        let database = try driver.install().open()
        let version = try release("bytes", 1)
        let removal = removal(database)
        _ = try await removal.remove(files.list())
        func statusCount() async throws -> Int {
            try await database.read {
                try $0.removals.status(of: version.digests, in: .content).count
            }
        }
        try await removal.forgetEnded()
        #expect(try await statusCount() == 1)
        clock.advance(by: 3 * 86_400)
        try await removal.forgetEnded()
        #expect(try await statusCount() == 0)
    }
}

/// Lets time go by whenever something is taken away, or does not take it away.
private struct SlowRemoval: ContentStore {
    let base: DiskContentStore
    var refuse: @Sendable (ContentDigest) throws -> Void = { _ in }
    var then: @Sendable () -> Void = {}

    func store(file: URL, digest: ContentDigest) throws {
        try base.store(file: file, digest: digest)
    }
    func open(_ digest: ContentDigest) throws -> OpenContent? { try base.open(digest) }
    func exists(_ digest: ContentDigest) throws -> Bool { try base.exists(digest) }
    func remove(_ digest: ContentDigest) throws {
        try refuse(digest)
        try base.remove(digest)
        then()
    }
    func list() throws -> [StoredContent] { try base.list() }
}
