import Foundation
import StoreContent
import StoreCore
import StoreModel
import StorePackage
import StoreServer
import StoreTestSupport
import Testing

/// A store whose content is in a bucket that does not do all that it should.
struct ObjectStoreTests {
    private static let app = SampleShop.bundleID
    private static let chapter = ProductID(SampleShop.chapter)!

    private let server: ObjectServer
    private let prefix = "server-\(UUID().uuidString)"
    private let opened: OpenedStore

    init() async throws {
        server = try await onThread { try ObjectServer.shared }
        var retryPolicy = ObjectRetryPolicy()
        retryPolicy.sleep = { _ in }
        opened = try await OpenedStore(
            objects: try server.storage(prefix, retryPolicy: retryPolicy))
        try await opened.importShop()
        try await opened.store.setHosting(true, of: Self.chapter)
    }

    /// Sends a package and hands it over.
    private func handOver(announcing other: Data? = nil) async throws -> UploadID {
        let folder = try TemporaryFolder()
        try folder.write(
            "c/ContentInfo.plist", SampleShop.contentInfo(SampleShop.chapter, version: "1.0"))
        try folder.write("c/Contents/text.txt", "text")
        try PackageBuilder(folder: folder.file("c")).build(to: folder.file("c.pkg"))
        let package = try Data(contentsOf: folder.file("c.pkg"))
        let digest = try ContentDigest.of(package)
        let announced = try other.map { try ContentDigest.of($0) } ?? digest
        let uploads = opened.store.services.uploads
        let draft = UploadDraft(
            id: UploadID(UUID()), bundleID: Self.app, subject: .product(Self.chapter),
            fileName: "chapter.pkg", size: Int64(package.count),
            digest: announced)
        let id = try await uploads.begin(draft, team: nil, free: .max).status.upload.id
        // What waits for the object store does so on a thread of its own.
        let files = opened.store.uploadFiles
        let isWritten = try await onThread {
            guard let file = try files.open(id, isAlone: false) else { return false }
            try file.write(package, at: 0)
            return true
        }
        try #require(isWritten)
        try await uploads.record(part: 0, digest: digest, of: id, team: nil)
        _ = try await uploads.commit(id, team: nil)
        return id
    }

    @Test func `a restored copy deletes nothing of the live store, until it takes the bucket over`()
        async throws
    {
        let store = opened.store
        let files = store.uploadFiles
        /// What nobody asks for: it is in no row of the database.
        func leaveUpload() async throws {
            try await onThread {
                let file = try files.open(UploadID(UUID()), isAlone: false)
                try file?.write(Data("part".utf8), at: 0)
            }
        }
        try await leaveUpload()
        #expect(try await store.collect(.standard).uploads == 1)
        // As a restore from a backup leaves it.
        let database = store.directory.appendingPathComponent("store.sqlite").path
        let now = opened.clock.now()
        try NumberAdvance(since: now, now: now).run(on: .sqlite(path: database))
        try await leaveUpload()
        #expect(try await store.collect(.standard).uploads == 0)
        #expect(try await store.collectable(.standard).uploads == 0)
        try await store.takeOverContent()
        #expect(try await store.collect(.standard).uploads == 1)
        // A bucket to which content was brought waits for its first database.
        let objects = try server.storage(prefix)
        try await onThread { try objects.awaitKeeper() }
        try NumberAdvance(since: now, now: now).run(on: .sqlite(path: database))
        try await leaveUpload()
        #expect(try await store.collect(.standard).uploads == 1)
    }

    @Test func `an outage fails no package, however long it lasts`() async throws {
        let id = try await handOver()
        let processor = ContentProcessor(store: opened.store)
        for _ in 1...(UploadRules.store.attempts + 1) {
            // As often as a reading is tried.
            try await server.plan("\(prefix)/uploads/\(id.text)/0") {
                ($0.method, $0.times) = ("GET", 5)
            }
            #expect(try await processor.processWaiting() == 1)
            let upload = try await opened.store.services.uploads.status(id, team: nil).upload
            #expect(upload.state != .failed)
            opened.clock.advance(by: 60)
        }
        #expect(try await processor.processWaiting() == 1)
        let upload = try await opened.store.services.uploads.status(id, team: nil).upload
        #expect(upload.state == .complete)
    }

    @Test func `parts of another file than was announced are refused, and not tried again`()
        async throws
    {
        let id = try await handOver(announcing: Data("another".utf8))
        #expect(try await ContentProcessor(store: opened.store).processWaiting() == 1)
        let status = try await opened.store.services.uploads.status(id, team: nil)
        #expect(status.upload.state == .failed)
        #expect(status.problems.map(\.rule) == ["otherFile"])
        #expect(status.productState == .waitingForUpload)
    }

    @Test func `a key that may not list uploads in parts keeps nothing else from being collected`()
        async throws
    {
        let left = try opened.store.temporaryFolder()
        try FileManager.default.setAttributes(
            [.modificationDate: Date(timeIntervalSince1970: 0)], ofItemAtPath: left.path)
        try await server.plan("/\(ObjectServer.bucket)") {
            ($0.query, $0.status) = ("uploads=&prefix=\(prefix)", 403)
            $0.body = "<Error><Code>AccessDenied</Code></Error>"
        }
        _ = try await opened.store.collect(.standard)
        #expect(!FileManager.default.fileExists(atPath: left.path))
    }

    @Test func `bytes on their way lie in the store's folder`() async throws {
        let content = opened.store.content
        let data = SampleShop.noise(1000, seed: 1)
        let file = try opened.folder.write("new", data)
        let digest = try ContentDigest.of(data)
        let descriptor = try await onThread {
            try content.store(file: file, digest: digest)
            return try content.open(digest)?.descriptor
        }
        let open = try #require(descriptor)
        defer { close(open) }
        let place = try FileManager.default.destinationOfSymbolicLink(
            atPath: "/proc/self/fd/\(open)")
        #expect(place.hasPrefix(opened.folder.file("store/temporary").path))
    }
}
