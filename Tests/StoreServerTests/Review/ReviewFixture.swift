import Foundation
import StoreCore
import StoreModel
import StoreServer
import StoreTestSupport
import Testing

/// The sample shop with a publisher and two reviewers; its products are complete.
final class ReviewFixture: Sendable {
    static let chapter = ProductID(SampleShop.chapter)!
    static let badge = ProductID(SampleShop.badge)!
    static let credits = ProductID(SampleShop.credits)!

    let opened: OpenedStore
    let app: App
    let publisher: ConnectActor
    let reviewer: ConnectActor
    let colleague: ConnectActor
    let `operator`: ConnectActor
    var store: Store { opened.store }
    var reviews: ReviewService { store.services.reviews }
    var sale: SaleService { store.services.saleChanges }
    let products: ProductService

    init(isApproved: Bool = false) async throws {
        let opened = try await OpenedStore()
        self.opened = opened
        try await opened.importShop(isApproved: isApproved)
        products = ProductService(database: opened.store.database, clock: opened.clock)
        app = try await opened.store.database.read { try $0.sampleApp() }
        publisher = Self.person(1, team: app.teamID, .appManager)
        reviewer = Self.person(2, team: nil, .reviewer)
        colleague = Self.person(3, team: nil, .reviewer)
        `operator` = Self.person(4, team: nil, .operator)
        for id in [Self.chapter, Self.badge, Self.credits] { try await addScreenshot(to: id) }
    }

    static func person(_ number: Int64, team: Int64?, _ role: ConnectRole) -> ConnectActor {
        ConnectActor(
            kind: .person(PersonID(number: number), email: "person\(number)@example.com"),
            team: team, roles: [role])
    }

    /// The picture without which nothing is submitted.
    func addScreenshot(to id: ProductID) async throws {
        try await store.addScreenshot(to: number(id))
    }

    func number(_ id: ProductID) async throws -> ProductNumber {
        let app = app.id
        let number = try await store.database.read { try $0.products.number(of: id, in: app) }
        return try #require(number)
    }

    func record(_ id: ProductID = badge) async throws -> ProductRecord {
        let number = try await number(id)
        let record = try await store.database.read { try $0.products.record(number) }
        return try #require(record)
    }

    func state(_ id: ProductID = badge) async throws -> ProductState { try await record(id).state }

    // MARK: Steps

    @discardableResult
    func submit(
        _ ids: ProductID..., version: AppVersionID? = nil
    ) async throws -> Submission {
        try await reviews.submit(ids, version: version, of: app.id, by: publisher)
    }

    @discardableResult
    func claim(_ submission: Submission) async throws -> Submission {
        try await reviews.claim(submission.id, by: reviewer)
    }

    /// Decides about a product of a submission, or about the version where there is none.
    @discardableResult
    func decide(
        _ decision: ReviewDecision, _ id: ProductID? = badge, in submission: Submission
    ) async throws -> Submission {
        let item = try #require(
            submission.items.first {
                id.map { .product($0) } == $0.subject || ($0.isVersion && id == nil)
            })
        return try await reviews.decide(decision, on: item.id, by: reviewer)
    }

    func approve(_ id: ProductID = badge) async throws {
        try await decide(.approve, id, in: claim(submit(id)))
    }

    /// Changes the English title.
    func rename(_ id: ProductID = badge, _ title: String) async throws {
        _ = try await products.updateText(
            title: title, locale: "en_US", of: number(id), by: publisher)
    }

    /// Imports a version of the chapter's content.
    func addContent(_ version: String) async throws {
        let content = try ContentFolder()
        try content.add(SampleShop.chapter, version: version, text: version)
        try await opened.importShop(content: content.url)
    }

    /// A version of the app with a build and all that it needs to go on sale.
    func makeVersion(_ number: String = "1.0") async throws -> AppVersionID {
        let id = AppVersionID(UUID().uuidString)!
        let versions = AppVersionService(database: store.database, clock: opened.clock)
        _ = try await versions.create(
            number, id: id, of: app.id, platform: .linux,
            AppVersionChange(whatsNew: "More chapters."), by: publisher)
        _ = try await versions.addBuild(
            "1", id: AppBuildID(UUID().uuidString)!, to: id,
            digest: String(repeating: "e", count: 64), size: 1000, by: publisher)
        try await store.database.write { [app] in try $0.completeApp(app.id) }
        return id
    }

    func version(_ id: AppVersionID) async throws -> AppVersionState {
        let version = try await store.database.read { try $0.appVersions.version(id) }
        return try #require(version).state
    }

    // MARK: Looking

    func refusal(_ step: () async throws -> Void) async -> ConnectRefusal? {
        do {
            try await step()
            return nil
        } catch {
            return error as? ConnectRefusal
        }
    }

    /// Whether production sells a product.
    func isSold(_ id: ProductID) async throws -> Bool {
        let catalog = try await store.services.catalog.catalog(of: SampleShop.bundleID)
        let terms = SellingTerms(
            profile: ProfileClaim(
                bundleID: SampleShop.bundleID,
                applicationIdentifier: ApplicationIdentifier(SampleShop.bundleID),
                environment: .production, allowsInAppPurchase: true, generation: 1000),
            environment: .production, catalog: catalog, at: opened.clock.now())
        return (try? terms.product(id.text, storefront: .unitedStates).get()) != nil
    }

    /// Everything that a step may change.
    struct Picture: Sendable, Hashable {
        let products: [ProductRecord?]
        let submissions: [Submission]
        let versions: [AppVersion]
        let audit: [AuditRecord]
    }

    func picture() async throws -> Picture {
        let (app, ids) = (app, [Self.chapter, Self.badge, Self.credits])
        return try await store.database.read { repositories in
            let records = try ids.map { id in
                let number = try #require(try repositories.products.number(of: id, in: app.id))
                return try repositories.products.record(number)
            }
            let submissions = try repositories.submissions.submissions(
                team: nil, app: nil, states: SubmissionState.allCases, PageRequest(limit: 100))
            let versions = try repositories.appVersions.versions(of: app.id)
            let audit = try repositories.audit.entries(team: nil, before: nil, limit: 1000)
            return Picture(
                products: records, submissions: submissions.items, versions: versions,
                audit: audit)
        }
    }
}
