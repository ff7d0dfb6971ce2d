import Foundation
import StoreCore
import StoreModel
import StoreServer
import StoreTestSupport
import Testing

/// What reviewers see beside what was approved before.
@Suite struct ComparisonTests {
    @Test func `the first time all of it is new`() async throws {
        let fixture = try await ReviewFixture()
        let item = try #require(try await fixture.submit(ReviewFixture.badge).items.first)
        let found = try #require(
            try await fixture.reviews.comparison(of: item.id, by: fixture.reviewer))
        #expect(found.approved == nil)
        #expect(found.diff.changes.allSatisfy { $0.before == nil })
        let names = found.diff.changes.map(\.name)
        for name in [
            "Type", "Reference name", "Title (en_US)", "Title (ja_JP)", "Availability",
            "Screenshot for review",
        ] {
            #expect(names.contains(name), "\(name)")
        }
    }

    @Test func `later it is what has changed since`() async throws {
        let fixture = try await ReviewFixture(isApproved: true)
        let number = try await fixture.number(ReviewFixture.badge)
        try await fixture.rename(ReviewFixture.badge, "A brighter badge")
        _ = try await fixture.products.deleteText(
            locale: "ja_JP", of: number, by: fixture.publisher)
        _ = try await fixture.products.update(
            number, ProductChange(reviewNote: "Tap it."), by: fixture.publisher)
        let submission = try await fixture.submit(ReviewFixture.badge)
        let item = try #require(submission.items.first)
        let found = try #require(
            try await fixture.reviews.comparison(of: item.id, by: fixture.reviewer))
        // The picture came after the import.
        let changes = found.diff.changes.filter { $0.name != "Screenshot for review" }
        #expect(
            changes == [
                .init(name: "Title (en_US)", before: "A badge", after: "A brighter badge"),
                .init(name: "Title (ja_JP)", before: "バッジ", after: nil),
                .init(name: "Description (ja_JP)", before: "日本語で", after: nil),
                .init(name: "Review notes", before: nil, after: "Tap it."),
            ])
        // What was submitted stays what it was.
        _ = try await fixture.reviews.withdraw(submission.id, by: fixture.publisher)
        try await fixture.rename(ReviewFixture.badge, "Another one")
        let later = try await fixture.reviews.comparison(of: item.id, by: fixture.reviewer)
        #expect(later == found)
    }

    @Test func `files of content are added, changed and removed`() async throws {
        let fixture = try await ReviewFixture()
        let readManifest = fixture.store.services.readManifest
        var files: [[ContentFile]] = []
        for (version, names) in [("1.0", ["a", "b", "c"]), ("1.1", ["b", "c", "d"])] {
            let folder = try TemporaryFolder()
            let base = "content/\(SampleShop.chapter)"
            try folder.write(
                "\(base)/ContentInfo.plist",
                SampleShop.contentInfo(SampleShop.chapter, version: version))
            for name in names {
                try folder.write(
                    "\(base)/Contents/\(name)", name == "c" ? "the same" : "\(name) \(version)")
            }
            try await fixture.opened.importShop(content: folder.file("content"))
            let current = try await fixture.record(ReviewFixture.chapter).product
                .currentRelease(in: .sandbox)
            let release = try #require(current)
            files.append(try await readManifest(release.manifestDigest) ?? [])
        }
        let diff = ContentDiff(from: files[0], to: files[1])
        #expect(diff.added.map(\.path) == ["Contents/d"])
        #expect(diff.removed.map(\.path) == ["Contents/a"])
        #expect(diff.changed.map(\.path) == ["Contents/b", "ContentInfo.plist"].sorted())
        #expect(diff.unchanged == 1)
        let unknown = ContentDigest(String(repeating: "0", count: 64))!
        #expect(try await readManifest(unknown) == nil)
    }
}
