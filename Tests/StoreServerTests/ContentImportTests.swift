import Foundation
import StoreCore
import StoreModel
import StorePackage
import StoreServer
import StoreTestSupport
import Testing

@Suite struct ContentImportTests {
    private let opened: OpenedStore
    private let content: ContentFolder

    init() async throws {
        opened = try await OpenedStore()
        content = try ContentFolder()
    }

    private var versions: Set<String> {
        get async throws {
            Set(try await opened.product(SampleShop.chapter)?.releases.map(\.version.text) ?? [])
        }
    }

    /// Imports, and expects that it is refused and nothing has changed.
    private func expectRefusal(
        of content: ContentFolder, _ isExpected: @escaping (any Error) -> Bool,
        sourceLocation: SourceLocation = #_sourceLocation
    ) async throws {
        let before = try await opened.picture()
        await #expect(sourceLocation: sourceLocation) {
            try await opened.importShop(content: content.url)
        } throws: {
            isExpected($0)
        }
        #expect(try await opened.picture() == before, sourceLocation: sourceLocation)
        let temporary = opened.store.directory.appendingPathComponent("temporary").path
        let left = try? FileManager.default.contentsOfDirectory(atPath: temporary)
        #expect(left ?? [] == [], sourceLocation: sourceLocation)
    }

    @Test func `a folder becomes the content of the product that it is named after`()
        async throws
    {
        try content.add(SampleShop.chapter, text: "once upon a time")
        try content.folder.write("content/.hidden/notes", "not content")
        try content.folder.write("content/notes.txt", "not content")
        let report = try await opened.importShop(content: content.url)
        let release = try #require(report.releases[ProductID(SampleShop.chapter)!])
        #expect(report.releases.count == 1)
        #expect(try await opened.product(SampleShop.chapter)?.releases == [release])
        #expect(!release.isApproved)
        let blob = try #require(release.blobs.first)
        let opened = try #require(try opened.store.content.open(blob.digest))
        close(opened.descriptor)
        #expect(Int64(opened.length) == blob.length)
    }

    @Test func `a new version is added, the newest is what one gets`() async throws {
        for version in ["1.0", "1.9", "1.10"] {
            let content = try ContentFolder()
            try content.add(SampleShop.chapter, version: version)
            try await opened.importShop(content: content.url)
        }
        #expect(try await versions == ["1.0", "1.9", "1.10"])
        let chapter = try await opened.product(SampleShop.chapter)
        #expect(chapter?.currentRelease(in: .sandbox)?.version.text == "1.10")
    }

    @Test func `other bytes under the same version are refused`() async throws {
        try content.add(SampleShop.chapter)
        try await opened.importShop(content: content.url)
        let changed = try ContentFolder()
        try changed.add(SampleShop.chapter, text: "other text")
        try await expectRefusal(of: changed) {
            "\($0)".contains("Version 1.0") && "\($0)".contains("raise")
        }
        let respelled = try ContentFolder()
        try respelled.add(SampleShop.chapter, version: "1.0.0", text: "other text")
        try await expectRefusal(of: respelled) { $0 is ContentRefusal }
        #expect(try await versions == ["1.0"])
    }

    @Test func `an older version is refused`() async throws {
        try content.add(SampleShop.chapter, version: "1.10")
        try await opened.importShop(content: content.url)
        let older = try ContentFolder()
        try older.add(SampleShop.chapter, version: "1.9")
        try await expectRefusal(of: older) {
            $0 as? ContentRefusal
                == .versionOlder(
                    ProductID(SampleShop.chapter)!, ContentVersion("1.9")!,
                    newest: ContentVersion("1.10")!)
        }
        #expect(try await versions == ["1.10"])
    }

    @Test(arguments: ["com.example.shop.crown", "no product at all"])
    func `content without a product is refused`(name: String) async throws {
        try await opened.importShop()
        try content.add(SampleShop.chapter)
        try content.add(name, product: SampleShop.chapter)
        try await expectRefusal(of: content) {
            guard case .contentWithoutProduct(name) = $0 as? StoreRefusal else { return false }
            return "\($0)".contains("\"\(name)\"")
        }
    }

    @Test(arguments: [SampleShop.credits, SampleShop.season, SampleShop.monthly])
    func `only non-consumables have content`(product: String) async throws {
        try await opened.importShop()
        try content.add(product)
        try await expectRefusal(of: content) {
            guard case .notHostable(let id, _) = $0 as? ContentRefusal else { return false }
            return id.text == product && "\($0)".contains("only non-consumable")
        }
    }

    @Test func `content that names another product is refused`() async throws {
        try await opened.importShop()
        try content.add(SampleShop.chapter, product: SampleShop.badge)
        try await expectRefusal(of: content) {
            guard case .contentOfOtherProduct = $0 as? StoreRefusal else { return false }
            return "\($0)".contains(SampleShop.badge) && "\($0)".contains("IAPProductIdentifier")
        }
    }

    @Test func `a broken folder is refused, and with it the whole import`() async throws {
        try await opened.importShop()
        let missing = try ContentFolder()
        try missing.folder.write("content/\(SampleShop.badge)/Contents/text", "text")
        let program = try ContentFolder()
        try program.add(SampleShop.badge, text: "#!/bin/sh\n")
        let version = try ContentFolder()
        try version.add(SampleShop.badge, version: "new")
        let empty = try ContentFolder()
        try empty.folder.write(
            "content/\(SampleShop.badge)/ContentInfo.plist",
            SampleShop.contentInfo(SampleShop.badge, version: "1.0"))
        for broken in [missing, program, version, empty] {
            // One more, in order, so that something would be there to be kept.
            try broken.add(SampleShop.chapter)
            try await expectRefusal(of: broken) { $0 is PackageError }
        }
    }

    @Test func `a folder that isn't there is refused`() async throws {
        try await opened.importShop()
        try await expectRefusal(of: content) {
            "\($0)".contains("no folder \(content.url.path)")
        }
    }

    @Test func `a package that is no package is refused`() async throws {
        for bytes in [Data(), Data("PK".utf8), SampleShop.noise(5000, seed: 2)] {
            let file = try content.folder.write("broken.pkg", bytes)
            #expect(throws: PackageError.self) {
                try opened.store.accept(package: file)
            }
        }
    }
}
