import Foundation
import StoreCore
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
    private var hosting: ContentService { opened.store.services.hosting }

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

    private func refusal(_ step: () async throws -> Void) async -> ContentRefusal? {
        do {
            try await step()
            return nil
        } catch {
            return error as? ContentRefusal
        }
    }

    @Test func `switched on, the product waits for its upload; switched off, it is as before`()
        async throws
    {
        try await opened.importShop()
        let hosted = try await hosting.host(Self.chapter, of: Self.app)
        #expect(hosted.details.state == .waitingForUpload)
        #expect(hosted.hostsContent)
        #expect(try await chapter == hosted)
        // A second time changes nothing.
        #expect(try await hosting.host(Self.chapter, of: Self.app) == hosted)
        let unhosted = try await hosting.unhost(Self.chapter, of: Self.app)
        #expect(unhosted.details.state == .readyToSubmit)
        #expect(try await !chapter.hostsContent)
    }

    @Test func `before it was on sale, hosting ends even where content was uploaded`()
        async throws
    {
        try await importContent("1.0")
        #expect(try await chapter.currentRelease(in: .sandbox)?.version.text == "1.0")
        let unhosted = try await hosting.unhost(Self.chapter, of: Self.app)
        #expect(!unhosted.hostsContent && unhosted.details.state == .readyToSubmit)
        #expect(try await chapter.currentRelease(in: .sandbox) == nil)
    }

    @Test func `only non-consumables that the app has are hosted`() async throws {
        let unknown = await refusal { try await hosting.host(Self.chapter, of: Self.app) }
        #expect(unknown == .unknownApp(Self.app))
        try await opened.importShop()
        let crown = ProductID("com.example.shop.crown")!
        let missing = await refusal { try await hosting.host(crown, of: Self.app) }
        #expect(missing == .unknownProduct(crown, Self.app))
        let consumable = await refusal { try await hosting.host(Self.credits, of: Self.app) }
        #expect(consumable == .notHostable(Self.credits, .consumable))
    }

    @Test func `what was on sale keeps the way in which it delivers`() async throws {
        try await importContent("1.0", isApproved: true)
        let hosted = await refusal { try await hosting.unhost(Self.chapter, of: Self.app) }
        #expect(hosted == .soldHosted(Self.chapter))
        let badge = ProductID(SampleShop.badge)!
        let unhosted = await refusal { try await hosting.host(badge, of: Self.app) }
        #expect(unhosted == .soldUnhosted(badge))
        // Also when it is not on sale any more.
        try await opened.store.database.write { repositories in
            let app = try repositories.sampleApp().id
            for product in [Self.chapter, badge] {
                try repositories.catalog.setState(.rejected, of: product, in: app)
            }
        }
        #expect(
            await refusal { try await hosting.unhost(Self.chapter, of: Self.app) }
                == .soldHosted(Self.chapter))
        #expect(
            await refusal { try await hosting.host(badge, of: Self.app) } == .soldUnhosted(badge))
    }

    @Test func `new content goes through review with its product`() async throws {
        try await importContent("1.0")
        var product = try await chapter
        #expect(product.details.state == .readyToSubmit)
        #expect(product.currentRelease(in: .sandbox)?.version.text == "1.0")
        product = try await hosting.submit(Self.chapter, of: Self.app)
        #expect(product.details.state == .waitingForReview)
        #expect(product.releases.map(\.state) == [.waitingForReview])
        product = try await hosting.beginReview(Self.chapter, of: Self.app)
        #expect(product.details.state == .inReview)
        #expect(product.currentRelease(in: .production) == nil)
        #expect(try await events() == [.sandbox])
        opened.clock.advance(by: 60)
        product = try await hosting.approve(Self.chapter, of: Self.app)
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
            (hosting.submit, ContentState.waitingForReview), (hosting.beginReview, .inReview),
        ] {
            let product = try await step(Self.chapter, Self.app)
            #expect(product.details.state == .approved)
            #expect(product.releases.map(\.state) == [.approved, state])
            #expect(product.currentRelease(in: .production)?.version.text == "1.0")
            #expect(product.currentRelease(in: .sandbox)?.version.text == "1.1")
        }
        let approved = try await hosting.approve(Self.chapter, of: Self.app)
        #expect(approved.currentRelease(in: .production)?.version.text == "1.1")
    }

    @Test func `rejected content is replaced by a higher version`() async throws {
        try await importContent("1.0")
        try await hosting.submit(Self.chapter, of: Self.app)
        try await hosting.beginReview(Self.chapter, of: Self.app)
        let rejected = try await hosting.reject(
            Self.chapter, of: Self.app, message: "The last page is missing.")
        #expect(rejected.details.state == .rejected)
        #expect(rejected.releases.map(\.state) == [.rejected])
        let records = try await opened.store.database.read { repositories in
            try repositories.content.records(
                of: Self.chapter, in: repositories.sampleApp().id)
        }
        #expect(records.map(\.message) == ["The last page is missing."])
        #expect(
            await refusal { try await hosting.submit(Self.chapter, of: Self.app) }
                == .wrongState(Self.chapter, .rejected, .submit))
        try await importContent("1.1")
        let submitted = try await hosting.submit(Self.chapter, of: Self.app)
        #expect(submitted.releases.map(\.state) == [.rejected, .waitingForReview])
    }

    @Test func `steps in another order are refused and change nothing`() async throws {
        try await importContent("1.0", isApproved: true)
        let before = try await opened.picture()
        for (step, name) in [
            (hosting.submit, ProductStep.submit), (hosting.beginReview, .beginReview),
            (hosting.approve, .approve),
        ] {
            let refused = await refusal { _ = try await step(Self.chapter, Self.app) }
            #expect(refused == .noVersion(Self.chapter, name))
        }
        #expect(try await opened.picture() == before)
        try await importContent("1.1")
        try await hosting.submit(Self.chapter, of: Self.app)
        try await importContent("1.2")
        #expect(
            await refusal { try await hosting.submit(Self.chapter, of: Self.app) }
                == .reviewPending(Self.chapter, ContentVersion("1.1")!))
    }

    @Test func `an import approves no product that lacks its content`() async throws {
        try await opened.importShop()
        try await hosting.host(Self.chapter, of: Self.app)
        let before = try await opened.picture()
        let refused = await refusal { try await opened.importShop(isApproved: true) }
        #expect(refused == .contentMissing(Self.chapter))
        #expect(try await opened.picture() == before)
        // An import that approves nothing leaves it waiting.
        try await opened.importShop()
        #expect(try await chapter.details.state == .waitingForUpload)
    }

    @Test func `an import takes no content to a product that was sold without`() async throws {
        try await opened.importShop(isApproved: true)
        let refused = await refusal { try await importContent("1.0") }
        #expect(refused == .soldUnhosted(Self.chapter))
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
