@testable import StoreCore
import StoreDatabase
import StoreModel
import StoreTestSupport
import Testing

@Suite(.usesDrivers) struct CatalogContractTests {
    /// Something that changes what apps are told.
    struct Change: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let make: @Sendable (StoreRepositories, SeededShop) throws -> Void
    }

    static let changes = [
        Change(testDescription: "agreement ended") { repositories, shop in
            try repositories.agreements.update(
                Agreement(
                    team: shop.app.teamID, kind: .paidApps, state: .terminated, acceptedBy: nil,
                    accepted: nil, changed: SeededShop.date))
        },
        Change(testDescription: "binary rejected") { repositories, shop in
            _ = try repositories.catalog.save(
                AppDraft(
                    teamID: shop.app.teamID, bundleID: shop.app.bundleID, name: "Shop",
                    binaryState: .rejected, generation: 1))
        },
        Change(testDescription: "product added") { repositories, shop in
            try repositories.catalog.save(
                SeededShop.product(ProductID("new")!, .consumable), in: shop.app.id)
        },
        Change(testDescription: "state changed") { repositories, shop in
            try repositories.catalog.setState(
                .rejected, of: SeededShop.chapter, in: shop.app.id)
        },
        Change(testDescription: "price changed") { repositories, shop in
            var product = SeededShop.product(SeededShop.chapter, .nonConsumable)
            product.prices = ["USA": 1990]
            try repositories.catalog.save(product, in: shop.app.id)
        },
        Change(testDescription: "content added") { repositories, shop in
            try repositories.content.insert(
                .made("1.0"), of: SeededShop.chapter, in: shop.app.id, at: SeededShop.date)
        },
    ]

    @Test(arguments: StoreDriver.all, changes)
    func `the generation grows with each change, whoever made it`(
        driver: StoreDriver, change: Change
    ) async throws {
        let installation = try driver.install()
        let database = try installation.open()
        let shop = try await SeededShop(in: database)
        let other = try installation.open()
        let before = try await database.catalogGeneration()
        #expect(try await other.catalogGeneration() == before)
        try await other.write { try change.make($0, shop) }
        if driver.hearsByMessage {
            // Some milliseconds after the commit, as `ShopDatabase.catalogGeneration` promises.
            try await until { try await database.catalogGeneration() > before }
        }
        let after = try await database.catalogGeneration()
        #expect(after > before)
        // Who has written it knows at once.
        #expect(try await other.catalogGeneration() == after)
        #expect(try await database.read { try $0.catalog.generation() } == after)
    }

    @Test(arguments: StoreDriver.all, changes)
    func `an app's generation grows with its own changes only`(
        driver: StoreDriver, change: Change
    ) async throws {
        let database = try driver.install().open()
        let shop = try await SeededShop(in: database)
        func generations() async throws -> [Int64] {
            try await database.read { repositories in
                try [shop.app, shop.otherApp].map { try repositories.catalog.generation(of: $0.id) }
            }
        }
        let before = try await generations()
        try await database.write { try change.make($0, shop) }
        let after = try await generations()
        #expect(after[0] > before[0])
        // Both belong to the team.
        #expect((after[1] > before[1]) == (change.testDescription == "agreement ended"))
    }

    @Test(arguments: StoreDriver.all)
    func `the generation stays with purchases and accounts`(driver: StoreDriver) async throws {
        let database = try driver.install().open()
        let shop = try await SeededShop(in: database)
        let before = try await database.catalogGeneration()
        try await database.write { repositories in
            let entry = try repositories.ledger.insert(shop.purchase(1))
            try repositories.ledger.recordFinish(of: entry.id, at: SeededShop.date)
            _ = try repositories.accounts.insert(
                AccountDraft(
                    environment: .sandbox, email: "new@example.com", passwordHash: "",
                    storefront: .unitedStates), at: SeededShop.date)
        }
        #expect(try await database.catalogGeneration() == before)
    }

    @Test(arguments: StoreDriver.all)
    func `the generation stays when a change is undone`(driver: StoreDriver) async throws {
        let database = try driver.install().open()
        let shop = try await SeededShop(in: database)
        let before = try await database.catalogGeneration()
        try? await database.write { repositories in
            try repositories.catalog.setState(
                .rejected, of: SeededShop.chapter, in: shop.app.id)
            throw Deliberate()
        }
        #expect(try await database.catalogGeneration() == before)
    }

    @Test(arguments: StoreDriver.all)
    func `saving a product replaces its texts and prices`(driver: StoreDriver) async throws {
        let database = try driver.install().open()
        let shop = try await SeededShop(in: database)
        var draft = SeededShop.product(
            SeededShop.product(of: .autoRenewableSubscription), .autoRenewableSubscription)
        draft.texts = ["ja_JP": ProductText(title: "第一章", description: "説明")]
        draft.prices = ["JPN": 120_000]
        draft.state = .inReview
        draft.isFamilyShareable = true
        let changed = draft
        try await database.write { try $0.catalog.save(changed, in: shop.app.id) }
        func product(_ app: App) async throws -> Product? {
            try await database.read { try $0.catalog.products(of: app.id) }
                .first { $0.details.productID == changed.productID }
        }
        #expect(try await product(shop.app)?.details == changed)
        #expect(try await product(shop.otherApp)?.details.state == .approved)
    }

    @Test(arguments: StoreDriver.all)
    func `a version of content is taken once and approved by name`(
        driver: StoreDriver
    ) async throws {
        let database = try driver.install().open()
        let shop = try await SeededShop(in: database)
        try await database.write { repositories in
            for version in ["1.0", "1.1"] {
                try repositories.content.insert(
                    .made(version), of: SeededShop.chapter, in: shop.app.id, at: SeededShop.date)
            }
            try repositories.content.setState(
                .approved, message: nil, of: ContentVersion("1.1")!, of: SeededShop.chapter,
                in: shop.app.id, at: SeededShop.date)
        }
        let releases = try await database.read {
            try $0.content.releases(of: SeededShop.chapter, in: shop.app.id)
        }
        #expect(releases == [.made("1.0"), .made("1.1", isApproved: true)])
        await #expect {
            try await database.write {
                try $0.content.insert(
                    .made("1.0"), of: SeededShop.chapter, in: shop.app.id, at: SeededShop.date)
            }
        } throws: {
            ($0 as? SQLError)?.code == .constraint
        }
        await #expect(throws: SQLError.self, "content of a product that there isn't") {
            try await database.write {
                try $0.content.insert(
                    .made("1.0"), of: ProductID("crown")!, in: shop.app.id, at: SeededShop.date)
            }
        }
    }
}

extension ContentRelease {
    /// A version of content whose bytes nobody will read.
    static func made(_ version: String, isApproved: Bool = false) -> ContentRelease {
        ContentRelease(
            version: ContentVersion(version)!,
            manifestDigest: ContentDigest(String(repeating: "a", count: 64))!, manifestLength: 10,
            blobs: [
                ContentBlob(
                    digest: ContentDigest(String(repeating: "b", count: 64))!, length: 90)
            ], downloadLength: 100, unpackedLength: 200,
            state: isApproved ? .approved : .readyToSubmit)
    }
}
