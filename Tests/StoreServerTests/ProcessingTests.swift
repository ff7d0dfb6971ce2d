import Foundation
import StoreContent
@testable import StoreCore
import StoreModel
import StorePackage
import StoreServer
import StoreTestSupport
import Synchronization
import Testing

/// What becomes of packages that were handed over, whoever dies on the way.
@Suite struct ProcessingTests {
    private static let app = SampleShop.bundleID
    private static let chapter = ProductID(SampleShop.chapter)!

    /// Bytes that the disk says are free.
    private final class Disk: Sendable {
        let free = Mutex(Int64.max)
    }

    private let disk = Disk()
    private let opened: OpenedStore
    private var uploads: UploadService { opened.store.services.uploads }
    private var processor: ContentProcessor { ContentProcessor(store: opened.store) }
    private var processing: ProcessingService {
        ProcessingService(database: opened.store.database, clock: opened.clock)
    }

    init() async throws {
        opened = try await OpenedStore(
            room: DiskRoom { [disk] _ in disk.free.withLock { $0 } })
        try await opened.importShop()
        try await opened.store.setHosting(true, of: Self.chapter)
    }

    private func package(
        version: String = "1.0", product: String = SampleShop.chapter, text: String = "text"
    ) throws -> Data {
        let folder = try TemporaryFolder()
        try folder.write("c/ContentInfo.plist", SampleShop.contentInfo(product, version: version))
        try folder.write("c/Contents/text.txt", text)
        let file = folder.file("c.pkg")
        try PackageBuilder(folder: folder.file("c")).build(to: file)
        return try Data(contentsOf: file)
    }

    /// Sends a file and hands it over.
    @discardableResult
    private func handOver(_ file: Data) async throws -> UploadID {
        let digest = try ContentDigest.of(file)
        let draft = UploadDraft(
            id: UploadID(UUID()), bundleID: Self.app, subject: .product(Self.chapter),
            fileName: "chapter.pkg", size: Int64(file.count), digest: digest)
        let id = try await uploads.begin(draft, team: nil, free: .max).status.upload.id
        let open = try #require(try opened.store.uploadFiles.open(id, isAlone: false))
        try open.write(file, at: 0)
        try await uploads.record(part: 0, digest: digest, of: id, team: nil)
        _ = try await uploads.commit(id, team: nil)
        return id
    }

    private func status(_ id: UploadID) async throws -> UploadService.Status {
        try await uploads.status(id, team: nil)
    }

    private var chapter: Product {
        get async throws { try #require(try await opened.product(SampleShop.chapter)) }
    }

    @Test func `a refused package is told with all that is wrong, and the product is as before`()
        async throws
    {
        for (file, rules, state) in [
            (
                try package(product: SampleShop.badge), ["product"],
                ProductState.waitingForUpload
            ),
            (SampleShop.noise(3000, seed: 1), ["readable"], .waitingForUpload),
        ] {
            let id = try await handOver(file)
            #expect(try await chapter.details.state == .processingContent)
            #expect(try await processor.processWaiting() == 1)
            let status = try await status(id)
            #expect(status.upload.state == .failed)
            #expect(status.problems.map(\.rule) == rules)
            #expect(status.problems.allSatisfy { !$0.advice.isEmpty })
            #expect(status.productState == state)
        }
        #expect(try opened.store.uploadFiles.list().isEmpty)
        #expect(try await chapter.releases.isEmpty)
    }

    @Test func `a product that is complete meanwhile is ready when a package is refused`()
        async throws
    {
        try await handOver(package())
        try await processor.processWaiting()
        try await opened.store.database.write { repositories in
            let app = try repositories.sampleApp().id
            try repositories.catalog.setState(.missingMetadata, of: Self.chapter, in: app)
        }
        let id = try await handOver(SampleShop.noise(3000, seed: 1))
        try await processor.processWaiting()
        let status = try await status(id)
        #expect(status.upload.state == .failed && status.productState == .readyToSubmit)
    }

    @Test func `a version that is not higher is refused`() async throws {
        try await handOver(package(version: "1.1"))
        try await processor.processWaiting()
        for version in ["1.1", "1.0"] {
            let id = try await handOver(package(version: version, text: "other"))
            try await processor.processWaiting()
            let status = try await status(id)
            #expect(status.upload.state == .failed)
            #expect(status.problems.first?.rule == "version")
            #expect(status.productState == .readyToSubmit)
        }
        #expect(try await chapter.releases.map(\.version.text) == ["1.1"])
    }

    @Test func `a deleted product takes no package, and one that is processed fails`()
        async throws
    {
        let id = try await handOver(package())
        let now = opened.clock.now()
        try await opened.store.database.write { repositories in
            let app = try repositories.sampleApp().id
            // On its way to newer content, a product off sale can be deleted.
            try repositories.catalog.setState(
                .developerRemovedFromSale, of: Self.chapter, in: app)
            let number = try repositories.products.number(of: Self.chapter, in: app)
            try repositories.products.delete(try #require(number), at: now)
        }
        #expect(try await processor.processWaiting() == 1)
        #expect(try await status(id).upload.state == .failed)
        #expect(try await status(id).problems.map(\.rule) == ["productDeleted"])
        #expect(try await chapter.releases.isEmpty)
        let late = try package(version: "2.0")
        await #expect(throws: ContentRefusal.unknownProduct(Self.chapter, Self.app)) {
            try await handOver(late)
        }
        let refused = await #expect(throws: ConnectRefusal.self) {
            try await opened.store.setHosting(false, of: Self.chapter)
        }
        #expect(refused?.kind == .notFound)
    }

    @Test func `a product on sale is sold on while a package is processed`() async throws {
        try await handOver(package())
        try await processor.processWaiting()
        try await opened.store.submitContent(of: Self.chapter)
        try await opened.store.beginReview(of: Self.chapter)
        try await opened.store.decide(.approve, about: Self.chapter)
        try await handOver(package(version: "2.0"))
        #expect(try await chapter.details.state == .approved)
        try await processor.processWaiting()
        let product = try await chapter
        #expect(product.details.state == .approved)
        #expect(product.currentRelease(in: .production)?.version.text == "1.0")
        #expect(product.currentRelease(in: .sandbox)?.version.text == "2.0")
    }

    @Test func `a package is with one process at a time`() async throws {
        let id = try await handOver(package())
        let first = try #require(try await processing.claim(as: "first"))
        #expect(first.id == id)
        #expect(try await processing.claim(as: "second") == nil)
        #expect(try await processor.processWaiting() == 0)
        // As long as it shows that it lives.
        opened.clock.advance(by: 14)
        #expect(try await processing.renew(id, by: "first", processed: 77))
        opened.clock.advance(by: 14)
        #expect(try await processing.claim(as: "second") == nil)
        #expect(try await status(id).upload.processed == 77)
    }

    @Test func `what a dead process leaves is taken over, and it can't finish any more`()
        async throws
    {
        let id = try await handOver(package())
        let dead = try #require(try await processing.claim(as: "dead"))
        let (_, release) = try opened.store.accept(package: opened.store.uploadedFile(of: id))
        opened.clock.advance(by: 15)
        #expect(try await processor.processWaiting() == 1)
        #expect(try await status(id).upload.state == .complete)
        #expect(try await !processing.renew(id, by: "dead", processed: 1))
        #expect(
            try await !processing.complete(
                dead, by: "dead", as: .release(release), files: opened.store.content))
        #expect(try await !processing.fail(dead, by: "dead", problems: []))
        #expect(try await chapter.releases.count == 1)
        #expect(try await status(id).upload.state == .complete)
    }

    @Test func `a package that breaks its process off again and again is refused`() async throws {
        let id = try await handOver(package())
        for attempt in 1...UploadRules.store.attempts {
            #expect(try await processing.claim(as: "p\(attempt)")?.attempts == attempt)
            opened.clock.advance(by: 15)
        }
        #expect(try await processing.claim(as: "last") == nil)
        let status = try await status(id)
        #expect(status.upload.state == .failed)
        #expect(status.problems.map(\.rule) == ["processing"])
        #expect(status.productState == .waitingForUpload)
        // Its file is nobody's any more.
        #expect(try await opened.store.collect(.standard).uploads == 1)
        #expect(try opened.store.uploadFiles.list().isEmpty)
    }

    @Test func `a process that stops gives its package back at once, and it doesn't count`()
        async throws
    {
        let id = try await handOver(package())
        for number in 1...(UploadRules.store.attempts * 2) {
            let upload = try #require(try await processing.claim(as: "p\(number)"))
            #expect(upload.attempts == 1)
            try await processing.giveBack(upload, by: "p\(number)", .stopping)
        }
        #expect(try await processor.processWaiting() == 1)
        #expect(try await status(id).upload.state == .complete)
    }

    @Test func `what fails without the package's fault is tried again after a while`()
        async throws
    {
        let id = try await handOver(package())
        let file = opened.store.uploadedFile(of: id)
        let upload = try #require(try await processing.claim(as: "process"))
        try await processing.giveBack(upload, by: "process", .failure)
        #expect(try await processor.processWaiting() == 0)
        opened.clock.advance(by: 15)
        #expect(FileManager.default.fileExists(atPath: file.path))
        #expect(try await processor.processWaiting() == 1)
        #expect(try await status(id).upload.state == .complete)
    }

    @Test func `an object store that can't be reached is waited for, as long as it takes`()
        async throws
    {
        let id = try await handOver(package())
        for _ in 1...(UploadRules.store.attempts * 2) {
            let upload = try #require(try await processing.claim(as: "process"))
            #expect(upload.attempts == 1)
            try await processing.giveBack(upload, by: "process", .unreachable)
            #expect(try await processor.processWaiting() == 0)
            opened.clock.advance(by: 60)
        }
        #expect(try await processor.processWaiting() == 1)
        #expect(try await status(id).upload.state == .complete)
    }

    @Test func `a full disk is waited for, and a package is not refused for it`() async throws {
        let id = try await handOver(package())
        disk.free.withLock { $0 = UploadRules.store.reserve }
        for _ in 1...(UploadRules.store.attempts * 2) {
            #expect(try await processor.processWaiting() == 1)
            #expect(try await status(id).upload.state == .uploadComplete)
            #expect(try await processor.processWaiting() == 0)
            opened.clock.advance(by: 60)
        }
        #expect(try opened.store.content.list().isEmpty)
        disk.free.withLock { $0 = .max }
        #expect(try await processor.processWaiting() == 1)
        #expect(try await status(id).upload.state == .complete)
    }

    @Test func `a version whose bytes were collected meanwhile is made again`() async throws {
        let id = try await handOver(package())
        let upload = try #require(try await processing.claim(as: "process"))
        let (_, release) = try opened.store.accept(package: opened.store.uploadedFile(of: id))
        try opened.store.content.remove(release.manifestDigest)
        let missing = ContentFilesMissing(digests: [release.manifestDigest])
        await #expect(throws: missing) {
            _ = try await processing.complete(
                upload, by: "process", as: .release(release), files: opened.store.content)
        }
        #expect(try await chapter.releases.isEmpty)
        try await processing.giveBack(upload, by: "process", .filesMissing)
        #expect(try await processor.processWaiting() == 1)
        #expect(try await chapter.releases == [release])
    }

    @Test func `bytes that are being taken away are waited for longer than that takes`()
        async throws
    {
        let id = try await handOver(package())
        var waited: TimeInterval = 0
        for _ in 1..<UploadRules.store.attempts {
            var claimed = try await processing.claim(as: "process")
            while claimed == nil, waited < 3600 {
                opened.clock.advance(by: 60)
                waited += 60
                claimed = try await processing.claim(as: "process")
            }
            let upload = try #require(claimed)
            try await processing.giveBack(upload, by: "process", .filesMissing)
        }
        while try await processor.processWaiting() == 0, waited < 3600 {
            opened.clock.advance(by: 60)
            waited += 60
        }
        #expect((600..<3600).contains(waited))
        #expect(try await status(id).upload.state == .complete)
    }

    @Test func `a cancelled processor leaves its package to the next`() async throws {
        let id = try await handOver(package())
        let processor = processor
        let task = Task {
            withUnsafeCurrentTask { $0?.cancel() }
            return try await processor.processWaiting()
        }
        #expect(try await task.value == 0)
        #expect(try await status(id).upload.state == .uploadComplete)
    }
}
