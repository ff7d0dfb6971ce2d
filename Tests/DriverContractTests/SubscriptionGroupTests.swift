import Foundation
import StoreContent
import StoreCore
import StoreModel
import StoreTestSupport
import Testing

/// Subscriptions that come with the name of their group, over every driver.
@Suite(.usesDrivers) struct SubscriptionGroupTests {
    private static func terms(_ group: String, named name: String) -> SubscriptionTerms {
        SubscriptionTerms(
            groupID: group, groupName: name, level: 1,
            period: SubscriptionPeriod(unit: .month, count: 1), offers: [])
    }

    private static func listed(_ id: String, _ terms: SubscriptionTerms) -> ListedProduct {
        var listed = ListedProduct.sample(id, type: .autoRenewableSubscription)
        listed.subscription = terms
        return listed
    }

    private func groups(of app: AppID, in database: OpenedDatabase) async throws -> [String] {
        try await database.read { repositories in
            try repositories.kept.page(
                .subscriptionGroups, of: .app(app), territories: nil, PageRequest(limit: 50)
            ).items.map { "\($0.id) \($0.name)" }
        }
    }

    @Test(arguments: StoreDriver.all)
    func `a subscription goes into the group of a name, which is made the first time`(
        driver: StoreDriver
    ) async throws {
        let shop = try await ProductShop(driver)
        let service = SubscriptionService(database: shop.database, clock: shop.clock)
        func create(_ id: String, in group: String, fresh: String) async throws -> String? {
            try await service.create(
                NewSubscription(
                    productID: id, referenceName: id, reviewNote: "", isFamilyShareable: false,
                    period: SubscriptionPeriod(unit: .month, count: 1), level: 1),
                inGroupNamed: group, id: fresh, of: shop.shop.app.id, by: shop.actor()
            ).product.details.subscription?.groupID
        }
        #expect(try await create("com.example.a", in: "Reading", fresh: "group1") == "group1")
        #expect(try await create("com.example.b", in: "Reading", fresh: "group2") == "group1")
        #expect(try await create("com.example.c", in: "Games", fresh: "group3") == "group3")
        await #expect(throws: ConnectRefusal.self) {
            _ = try await create("com.example.d", in: "", fresh: "group4")
        }
        await #expect(throws: ConnectRefusal.self) {
            _ = try await create("com.example.c", in: "Taken", fresh: "group5")
        }
        #expect(
            try await groups(of: shop.shop.app.id, in: shop.database)
                == ["group1 Reading", "group3 Games"])
        #expect(try await shop.log().contains { $0.contains("subscriptionGroups.create") })
        let listed = try await service.subscriptions(
            ofGroup: "group1", SubscriptionFilter(), PageRequest(limit: 5), by: shop.actor())
        #expect(listed.items.map(\.id.text) == ["com.example.a", "com.example.b"])
    }

    @Test(arguments: StoreDriver.all)
    func `reviewers see group, level and period`(driver: StoreDriver) async throws {
        let fixture = try await ImportFixture(driver)
        _ = try await fixture.run([
            Self.listed("com.example.a", Self.terms("0A1B", named: "Reading"))
        ])
        let number = try #require(try await fixture.record("com.example.a")?.number)
        _ = try await fixture.shop.screenshot(of: number)
        let reviews = ReviewService(database: fixture.shop.database, clock: fixture.shop.clock)
        let actor = fixture.shop.actor()
        let submission = try await reviews.submit(numbers: [number], by: actor)
        let item = try #require(submission.items.first)
        let found = try await reviews.comparison(of: item.id, by: actor)
        let submitted = try #require(found?.submitted)
        #expect(submitted.subscription == "P1M, level 1 of the group Reading")
        #expect(found?.diff.changes.contains { $0.name == "Subscription" } == true)
        var other = submitted
        other.subscription = "P1Y, level 1 of the group Reading"
        #expect(!submitted.hasRevision(of: other))
        other.subscription = nil
        #expect(submitted.hasRevision(of: other), "an earlier program has not said it")
    }

    @Test(arguments: StoreDriver.all)
    func `groups are found by the states of their subscriptions`(
        driver: StoreDriver
    ) async throws {
        let fixture = try await ImportFixture(driver)
        let services = SubscriptionService(
            database: fixture.shop.database, clock: fixture.shop.clock)
        _ = try await fixture.run([
            Self.listed("com.example.a", Self.terms("A", named: "Reading")),
            Self.listed("com.example.b", Self.terms("B", named: "Games")),
            Self.listed("com.example.c", Self.terms("C", named: "Music")),
        ])
        try await fixture.set(.approved, of: "com.example.a")
        try await fixture.set(.rejected, of: "com.example.b")
        let gone = try #require(try await fixture.record("com.example.c")?.number)
        try await fixture.shop.products.delete(gone, by: fixture.shop.actor())
        func found(_ states: ProductState...) async throws -> [String] {
            try await services.groups(
                of: fixture.app, states: states, PageRequest(limit: 9), by: fixture.shop.actor()
            ).items.map(\.name)
        }
        #expect(try await found(.approved) == ["Reading"])
        #expect(try await found(.approved, .rejected) == ["Reading", "Games"])
        #expect(try await found(.missingMetadata) == [])
    }

    @Test(arguments: StoreDriver.all)
    func `an import makes the groups of its subscriptions, and finds them the next time`(
        driver: StoreDriver
    ) async throws {
        let fixture = try await ImportFixture(driver)
        let list = [
            Self.listed("com.example.a", Self.terms("0A1B", named: "Reading")),
            Self.listed("com.example.b", Self.terms("0A1B", named: "Reading")),
            Self.listed("com.example.c", Self.terms("FFFF", named: "")),
            Self.listed("com.example.d", Self.terms("EEEE", named: "Reading")),
        ]
        _ = try await fixture.run(list)
        #expect(
            try await groups(of: fixture.app, in: fixture.shop.database)
                == ["0A1B Reading", "FFFF FFFF"])
        let terms = try await fixture.record("com.example.d")?.product.details.subscription
        #expect(terms?.groupID == "0A1B")
        #expect(try await fixture.run(list).counts == ImportCounts(unchanged: 4))
        let unknown = Self.listed("com.example.a", Self.terms("1111", named: "Other"))
        #expect(try await fixture.problems([unknown]) == ["10 subscriptionTerms"])
        let long = Self.listed(
            "com.example.e", Self.terms("2222", named: String(repeating: "n", count: 65)))
        #expect(try await fixture.problems([long]) == ["10 textLength"])
        #expect(try await groups(of: fixture.app, in: fixture.shop.database).count == 2)
    }

    @Test(arguments: StoreDriver.all)
    func `a catalog's groups are made in each app that it is imported for`(
        driver: StoreDriver
    ) async throws {
        let database = try driver.install().open()
        let service = CatalogService(database: database)
        let folder = try TemporaryFolder()
        let files = try DiskContentStore(root: folder.url)
        func apply(_ bundleID: String) async throws -> AppID {
            var product = SeededShop.product(
                SeededShop.product(of: .autoRenewableSubscription), .autoRenewableSubscription)
            product.subscription = Self.terms("0A1B", named: "Reading")
            let draft = CatalogDraft(
                teamName: "Example", bundleID: BundleID(bundleID)!, appName: "Shop",
                products: [product])
            return try await service.apply(draft, files: files, at: SeededShop.date).id
        }
        let shop = try await apply("com.example.shop")
        let other = try await apply("com.example.other")
        _ = try await apply("com.example.other")
        #expect(try await groups(of: shop, in: database) == ["0A1B Reading"])
        let second = "0A1B-\(other.number)"
        #expect(try await groups(of: other, in: database) == ["\(second) Reading"])
        let products = try await database.read { try $0.catalog.products(of: other) }
        #expect(products.map { $0.details.subscription?.groupID } == [second])
    }
}
