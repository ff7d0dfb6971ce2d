import Foundation
@testable import StoreCore
import StoreModel
import StoreServer
import StoreTestSupport
import Testing

/// Hosted content on its way through the states of its product.
@Suite struct HostingTests {
    private static let app = SampleShop.bundleID
    private static let chapter = ProductID(SampleShop.chapter)!
    private static let credits = ProductID(SampleShop.credits)!

    private let opened: OpenedStore
    private var store: Store { opened.store }

    init() async throws {
        opened = try await OpenedStore()
    }

    /// Imports the shop with a version of the chapter's content.
    private func importContent(_ version: String, isApproved: Bool = false) async throws {
        let content = try ContentFolder()
        try content.add(SampleShop.chapter, version: version, text: version)
        try await opened.importShop(content: content.url, isApproved: isApproved)
    }

    private var chapter: Product {
        get async throws { try #require(try await opened.product(SampleShop.chapter)) }
    }

    /// Kinds and audiences of the events so far.
    private func events() async throws -> [StoreEnvironment] {
        try await opened.store.database.read { repositories in
            let app = try repositories.sampleApp().id
            return try StoreEnvironment.allCases.flatMap { environment in
                try repositories.events.events(
                    account: AccountID(number: 0), in: environment, app: app,
                    after: DeviceEventID(number: 0), limit: 100
                ).map { event in
                    #expect(event.kind == .contentVersion(Self.chapter))
                    return environment
                }
            }
        }
    }

    private func refusal(_ step: () async throws -> Void) async -> ConnectRefusal? {
        do {
            try await step()
            return nil
        } catch {
            return error as? ConnectRefusal
        }
    }

    @Test func `switched on, the product waits for its upload; switched off, it is as before`()
        async throws
    {
        try await opened.importShop()
        let hosted = try await store.setHosting(true, of: Self.chapter)
        #expect(hosted.details.state == .waitingForUpload)
        #expect(hosted.hostsContent)
        #expect(try await chapter == hosted)
        // A second time changes nothing.
        #expect(try await store.setHosting(true, of: Self.chapter) == hosted)
        let unhosted = try await store.setHosting(false, of: Self.chapter)
        #expect(unhosted.details.state == .readyToSubmit)
        #expect(try await !chapter.hostsContent)
    }

    @Test func `before it was on sale, hosting ends even where content was uploaded`()
        async throws
    {
        try await importContent("1.0")
        #expect(try await chapter.currentRelease(in: .sandbox)?.version.text == "1.0")
        let unhosted = try await store.setHosting(false, of: Self.chapter)
        #expect(!unhosted.hostsContent && unhosted.details.state == .readyToSubmit)
        #expect(try await chapter.currentRelease(in: .sandbox) == nil)
    }

    @Test func `only non-consumables are hosted`() async throws {
        try await opened.importShop()
        let refused = await refusal { try await store.setHosting(true, of: Self.credits) }
        #expect(refused == ConnectRefusal(.notHostable(Self.credits, .consumable)))
    }

    @Test func `what was on sale keeps the way in which it delivers`() async throws {
        try await importContent("1.0", isApproved: true)
        let hosted = await refusal { try await store.setHosting(false, of: Self.chapter) }
        #expect(hosted == ConnectRefusal(.soldHosted(Self.chapter)))
        let badge = ProductID(SampleShop.badge)!
        let unhosted = await refusal { try await store.setHosting(true, of: badge) }
        #expect(unhosted == ConnectRefusal(.soldUnhosted(badge)))
        // Also when it is not on sale any more.
        try await opened.store.database.write { repositories in
            let app = try repositories.sampleApp().id
            for product in [Self.chapter, badge] {
                try repositories.catalog.setState(.rejected, of: product, in: app)
            }
        }
        #expect(
            await refusal { try await store.setHosting(false, of: Self.chapter) }
                == ConnectRefusal(.soldHosted(Self.chapter)))
        #expect(
            await refusal { try await store.setHosting(true, of: badge) }
                == ConnectRefusal(.soldUnhosted(badge)))
    }

    @Test func `new content goes through review with its product`() async throws {
        try await importContent("1.0")
        var product = try await chapter
        #expect(product.details.state == .readyToSubmit)
        #expect(product.currentRelease(in: .sandbox)?.version.text == "1.0")
        product = try await store.submitContent(of: Self.chapter)
        #expect(product.details.state == .waitingForReview)
        #expect(product.releases.map(\.state) == [.waitingForReview])
        product = try await store.beginReview(of: Self.chapter)
        #expect(product.details.state == .inReview)
        #expect(product.currentRelease(in: .production) == nil)
        #expect(try await events() == [.sandbox])
        opened.clock.advance(by: 60)
        product = try await store.decide(.approve, about: Self.chapter)
        #expect(product.details.state == .approved)
        #expect(product.currentRelease(in: .production)?.version.text == "1.0")
        #expect(try await chapter.releases == product.releases)
        #expect(try await chapter.wasOnSale)
        #expect(try await Set(events()) == [.sandbox, .production])
    }

    @Test func `a product on sale stays so while newer content is reviewed`() async throws {
        try await importContent("1.0", isApproved: true)
        try await importContent("1.1")
        for (step, state) in [
            (store.submitContent, ContentState.waitingForReview), (store.beginReview, .inReview),
        ] {
            let product = try await step(Self.chapter)
            #expect(product.details.state == .approved)
            #expect(product.releases.map(\.state) == [.approved, state])
            #expect(product.currentRelease(in: .production)?.version.text == "1.0")
            #expect(product.currentRelease(in: .sandbox)?.version.text == "1.1")
        }
        let approved = try await store.decide(.approve, about: Self.chapter)
        #expect(approved.currentRelease(in: .production)?.version.text == "1.1")
    }

    @Test func `rejected content is replaced by a higher version`() async throws {
        try await importContent("1.0")
        try await store.submitContent(of: Self.chapter)
        try await store.beginReview(of: Self.chapter)
        let rejected = try await store.decide(
            .reject("The last page is missing."), about: Self.chapter)
        #expect(rejected.details.state == .rejected)
        #expect(rejected.releases.map(\.state) == [.rejected])
        let records = try await opened.store.database.read { repositories in
            try repositories.content.records(
                of: Self.chapter, in: repositories.sampleApp().id)
        }
        #expect(records.map(\.message) == ["The last page is missing."])
        #expect(
            await refusal { try await store.submitContent(of: Self.chapter) }
                == ConnectRefusal(.wrongState(Self.chapter, .rejected, .submit)))
        try await importContent("1.1")
        let submitted = try await store.submitContent(of: Self.chapter)
        #expect(submitted.releases.map(\.state) == [.rejected, .waitingForReview])
    }

    @Test func `what has nothing new, or is with the reviewers, is not submitted`() async throws {
        try await importContent("1.0", isApproved: true)
        let before = try await opened.picture()
        let unchanged = await refusal { try await store.submitContent(of: Self.chapter) }
        #expect(unchanged?.rule == "nothingToSubmit")
        #expect(try await opened.picture() == before)
        try await importContent("1.1")
        try await store.submitContent(of: Self.chapter)
        try await importContent("1.2")
        let submitted = try await opened.picture()
        let pending = await refusal { try await store.submitContent(of: Self.chapter) }
        #expect(pending?.rule == "reviewPending")
        #expect(try await opened.picture() == submitted)
    }

    @Test func `an import approves no product that lacks its content`() async throws {
        try await opened.importShop()
        try await store.setHosting(true, of: Self.chapter)
        let before = try await opened.picture()
        await #expect(throws: ContentRefusal.contentMissing(Self.chapter)) {
            try await opened.importShop(isApproved: true)
        }
        #expect(try await opened.picture() == before)
        // An import that approves nothing leaves it waiting.
        try await opened.importShop()
        #expect(try await chapter.details.state == .waitingForUpload)
    }

    @Test func `an import takes no content to a product that was sold without`() async throws {
        try await opened.importShop(isApproved: true)
        await #expect(throws: ContentRefusal.soldUnhosted(Self.chapter)) {
            try await importContent("1.0")
        }
    }

    @Test func `a version whose bytes were collected is not taken`() async throws {
        try await importContent("1.0")
        let release = try #require(try await chapter.releases.first)
        let app = Self.app
        for digest in release.digests {
            try await importContent("1.0")
            try opened.store.content.remove(digest)
            var draft = CatalogDraft(
                teamName: "Publisher", bundleID: app, appName: "Shop",
                products: [try await chapter.details])
            var newer = release
            newer.version = ContentVersion("2.0")!
            draft.releases[Self.chapter] = newer
            let wanted = draft
            await #expect(throws: ContentFilesMissing(digests: [digest])) {
                _ = try await opened.store.services.catalog.apply(
                    wanted, files: opened.store.content, at: opened.clock.now())
            }
        }
        #expect(try await chapter.releases.map(\.version.text) == ["1.0"])
    }
}
