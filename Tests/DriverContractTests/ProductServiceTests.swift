import Foundation
import StoreCore
import StoreDatabase
import StoreModel
import Testing

/// What publishers do with products, over every driver.
@Suite(.usesDrivers) struct ProductServiceTests {
    // MARK: Making

    @Test(arguments: StoreDriver.all)
    func `a new product lacks everything, and is ready when it has it`(
        driver: StoreDriver
    ) async throws {
        let shop = try await ProductShop(driver)
        let new = try await shop.create()
        #expect(new.state == .missingMetadata)
        #expect(new.openRevision?.state == .prepareForSubmission)
        #expect(shop.products.missing(in: new) == [.texts, .price, .reviewScreenshot])
        let ready = try await shop.complete("com.example.shop.gems")
        #expect(ready.state == .readyToSubmit)
        #expect(ready.openRevision?.state == .readyForReview)
        #expect(shop.products.missing(in: ready).isEmpty)
        let spoilt = try await shop.products.deleteText(
            locale: "en_US", of: ready.number, by: shop.actor())
        #expect(spoilt.state == .missingMetadata)
        #expect(spoilt.openRevision?.state == .prepareForSubmission)
        #expect(
            try await shop.log().suffix(2) == [
                "reviewScreenshot.commit com.example.shop.gems",
                "text.delete com.example.shop.gems",
            ])
    }

    @Test(arguments: StoreDriver.all, ProductType.allCases)
    func `every type of product can be made`(driver: StoreDriver, type: ProductType) async throws {
        let shop = try await ProductShop(driver)
        let terms = SubscriptionTerms(
            groupID: "1", groupName: "Pro", level: 1,
            period: SubscriptionPeriod(unit: .month, count: 1), offers: [])
        let isSubscription = type == .autoRenewableSubscription
        let record = try await shop.products.create(
            NewProduct(
                productID: "com.example.shop.new", type: type, referenceName: "New",
                reviewNote: "Look twice.", isFamilyShareable: false,
                subscription: isSubscription ? terms : nil), in: shop.shop.app.id,
            by: shop.actor())
        #expect(record.summary.type == type)
        #expect(record.summary.reviewNote == "Look twice.")
        #expect(record.product.details.subscription == (isSubscription ? terms : nil))
        try await shop.expectRefusal(by: "subscriptionTerms") {
            try await shop.products.create(
                NewProduct(
                    productID: "com.example.shop.other", type: type, referenceName: "New",
                    subscription: isSubscription ? nil : terms), in: shop.shop.app.id,
                by: shop.actor())
        }
    }

    @Test(arguments: StoreDriver.all)
    func `an identifier is given once in an app, also after its product is deleted`(
        driver: StoreDriver
    ) async throws {
        let shop = try await ProductShop(driver)
        let product = try await shop.create()
        try await shop.expectRefusal(by: "productIDTaken") { try await shop.create() }
        try await shop.products.delete(product.number, by: shop.actor())
        try await shop.expectRefusal(by: "productIDTaken") { try await shop.create() }
        // In another app it is free.
        _ = try await shop.products.create(
            NewProduct(
                productID: product.id.text, type: .consumable, referenceName: "Coins"),
            in: shop.shop.otherApp.id, by: shop.actor())
    }

    // MARK: Who

    @Test(arguments: StoreDriver.all)
    func `another team's product is not there, and roles limit what one may`(
        driver: StoreDriver
    ) async throws {
        let shop = try await ProductShop(driver)
        let number = try await shop.complete().number
        let products = shop.products
        let change = ProductChange(referenceName: "Other")
        for (actor, rule) in [(shop.stranger, "notFound"), (shop.actor(.finance), "role")] {
            try await shop.expectRefusal(by: rule) {
                try await products.update(number, change, by: actor)
            }
            try await shop.expectRefusal(by: rule) { try await products.delete(number, by: actor) }
            try await shop.expectRefusal(by: rule) {
                try await products.setPrices(PriceSchedule(tier: "2"), of: number, by: actor)
            }
            try await shop.expectRefusal(by: rule) {
                try await products.setAvailability(.only([]), of: number, by: actor)
            }
            try await shop.expectRefusal(by: rule) {
                try await products.addText(
                    ProductText(title: "Münzen", description: "Hundert."), locale: "de-DE",
                    to: number, by: actor)
            }
            try await shop.expectRefusal(by: rule) {
                try await products.create(
                    NewProduct(productID: "x.y", type: .consumable, referenceName: "New"),
                    in: shop.shop.app.id, by: actor)
            }
            try await shop.expectRefusal(by: rule) {
                try await shop.assets.reserve(
                    AssetID(UUID()), kind: .image, fileName: "a.png", size: 1, of: number,
                    by: actor)
            }
            try await shop.expectRefusal(by: rule) {
                try await shop.promotions.create(
                    PromotionID(UUID()), of: number, in: shop.shop.app.id, isVisible: true,
                    isEnabled: true, by: actor)
            }
        }
        try await shop.expectRefusal(by: "notFound") {
            try await products.product(number, by: shop.stranger)
        }
        try await shop.expectRefusal(by: "notFound") {
            try await products.products(
                of: shop.shop.app.id, PageRequest(limit: 5), by: shop.stranger)
        }
        // Marketing writes texts, but sets no prices.
        try await shop.expectRefusal(by: "role") {
            try await products.setPrices(
                PriceSchedule(tier: "2"), of: number, by: shop.actor(.marketing))
        }
        _ = try await products.update(number, change, by: shop.actor(.marketing))
    }

    // MARK: Prices and availability

    @Test(arguments: StoreDriver.all)
    func `a price that changes tomorrow is another one tomorrow`(
        driver: StoreDriver
    ) async throws {
        let shop = try await ProductShop(driver)
        let number = try await shop.complete().number
        let tomorrow = shop.clock.now().addingTimeInterval(86400)
        _ = try await shop.products.setPrice(
            tier: "5", from: tomorrow, of: number, by: shop.actor())
        let record = try await shop.products.setPrice(
            tier: "0", in: "JPN", of: number, by: shop.actor())
        let product = record.product
        #expect(product.price(in: .unitedStates, at: shop.clock.now())?.thousandths == 990)
        #expect(product.price(in: .unitedStates, at: tomorrow)?.thousandths == 4990)
        #expect(product.price(in: .named("JPN")!, at: tomorrow)?.thousandths == 0)
        let followed = try await shop.products.followBase(
            in: "JPN", of: number, by: shop.actor())
        #expect(
            followed.product.price(in: .named("JPN")!, at: tomorrow)?.thousandths == 600_000)
        try await shop.expectRefusal(by: "tierUnknown") {
            try await shop.products.setPrice(tier: "99", of: number, by: shop.actor())
        }
        try await shop.expectRefusal(by: "territoryUnknown") {
            try await shop.products.setPrice(
                tier: "1", in: "XXX", of: number, by: shop.actor())
        }
    }

    @Test(arguments: StoreDriver.all)
    func `availability is kept with what becomes of new territories`(
        driver: StoreDriver
    ) async throws {
        let shop = try await ProductShop(driver)
        let number = try await shop.complete().number
        for availability in [
            Availability.only(["JPN", "USA"]), .everywhere(except: ["DEU"]), .everywhere,
        ] {
            let record = try await shop.products.setAvailability(
                availability, of: number, by: shop.actor())
            #expect(record.product.availability == availability)
            #expect(record.state == .readyToSubmit)
        }
        let nowhere = try await shop.products.setAvailability(
            .only([]), of: number, by: shop.actor())
        #expect(nowhere.state == .missingMetadata)
        for wrong: Availability in [.only(["US"]), .everywhere(except: ["usa"])] {
            try await shop.expectRefusal(by: "territoryUnknown") {
                try await shop.products.setAvailability(wrong, of: number, by: shop.actor())
            }
        }
    }

    // MARK: Deleting

    @Test(arguments: StoreDriver.one, ProductState.allCases)
    func `only what is neither on sale nor with reviewers is deleted`(
        driver: StoreDriver, state: ProductState
    ) async throws {
        let shop = try await ProductShop(driver)
        let record = try await shop.complete()
        try await shop.database.write {
            try $0.catalog.setState(state, of: record.id, in: record.summary.app)
        }
        guard ProductRules.table[.delete]?[state] != nil else {
            try await shop.expectRefusal(by: "productState") {
                try await shop.products.delete(record.number, by: shop.actor())
            }
            return
        }
        try await shop.products.delete(record.number, by: shop.actor())
        let kept = try #require(try await shop.record(record.number))
        #expect(kept.product.isDeleted)
        #expect(kept.assets.isEmpty)
        try await shop.expectRefusal(by: "notFound") {
            try await shop.products.product(record.number, by: shop.actor())
        }
        try await shop.expectRefusal(by: "notFound") {
            try await shop.products.update(
                record.number, ProductChange(referenceName: "New"), by: shop.actor())
        }
    }

    @Test(arguments: StoreDriver.all)
    func `the schema keeps a product's identity, and what was deleted`(
        driver: StoreDriver
    ) async throws {
        let shop = try await ProductShop(driver)
        var draft = SeededShop.product(SeededShop.chapter, .nonConsumable)
        draft.type = .consumable
        let changed = draft
        await #expect(throws: SQLError.self) {
            try await shop.database.write {
                try $0.catalog.save(changed, in: shop.shop.app.id)
            }
        }
    }

    @Test(arguments: StoreDriver.all)
    func `an import brings no deleted product back`(driver: StoreDriver) async throws {
        let shop = try await ProductShop(driver)
        let record = try await shop.create()
        try await shop.products.delete(record.number, by: shop.actor())
        let catalog = CatalogService(database: shop.database)
        let draft = CatalogDraft(
            teamName: "Example", bundleID: shop.shop.app.bundleID, appName: "Shop",
            products: [SeededShop.product(record.id, .consumable)])
        await #expect(throws: CatalogRefusal.deleted(record.id)) {
            try await catalog.apply(draft, files: shop.files, at: SeededShop.date)
        }
    }

    @Test(arguments: StoreDriver.all)
    func `an import that names no app leaves its name`(driver: StoreDriver) async throws {
        let shop = try await ProductShop(driver)
        let catalog = CatalogService(database: shop.database)
        func apply(_ bundleID: String, _ name: String?) async throws -> String {
            try await catalog.apply(
                CatalogDraft(
                    teamName: "Example", bundleID: BundleID(bundleID)!, appName: name, products: []),
                files: shop.files, at: SeededShop.date
            ).name
        }
        let known = shop.shop.app.bundleID.text
        #expect(try await apply(known, "Fine Shop") == "Fine Shop")
        #expect(try await apply(known, nil) == "Fine Shop")
        #expect(try await apply("com.example.reader", nil) == "reader")
    }

    @Test(arguments: StoreDriver.all, [false, true])
    func `an import corrects a product that was sent back`(
        driver: StoreDriver, changesPrice: Bool
    ) async throws {
        let shop = try await ProductShop(driver)
        let app = shop.shop.app
        let id = ProductID("com.example.shop.sentback")!
        let catalog = CatalogService(database: shop.database)
        func apply(_ draft: ProductDraft) async throws -> [String?] {
            _ = try await catalog.apply(
                CatalogDraft(
                    teamName: "Example", bundleID: app.bundleID, appName: nil, products: [draft]),
                files: shop.files, at: SeededShop.date)
            return try await shop.database.read { repositories in
                let number = try #require(try repositories.products.number(of: id, in: app.id))
                return [
                    try repositories.catalog.product(id, in: app.id)?.details.state.rawValue,
                    try repositories.revisions.open(of: number)?.state.rawValue,
                ]
            }
        }
        var draft = SeededShop.product(id, .consumable)
        draft.state = .readyToSubmit
        draft.texts = ["en_US": ProductText(title: "Title", description: "Text")]
        #expect(try await apply(draft) == ["READY_TO_SUBMIT", nil])
        // As it is when reviewers have sent back what the machine submitted, without a picture.
        let texts = draft.texts
        try await shop.database.write { repositories in
            let number = try #require(try repositories.products.number(of: id, in: app.id))
            try repositories.catalog.setState(.rejected, of: id, in: app.id)
            _ = try repositories.revisions.insert(
                of: number, state: .rejected, texts: texts, at: SeededShop.date)
        }
        #expect(try await apply(draft) == ["REJECTED", "REJECTED"])
        if changesPrice {
            draft.prices = PriceSchedule(dictionaryLiteral: ("USA", 4990))
        } else {
            draft.texts = ["en_US": ProductText(title: "Corrected", description: "Better")]
        }
        #expect(try await apply(draft) == ["READY_TO_SUBMIT", "READY_FOR_REVIEW"])
        draft.texts = ["en_US": ProductText(title: "Again", description: "Better still")]
        #expect(try await apply(draft) == ["READY_TO_SUBMIT", "READY_FOR_REVIEW"])
    }

    @Test(arguments: StoreDriver.all, [false, true])
    func `an import changes what customers read only where it is approved`(
        driver: StoreDriver, isApproved: Bool
    ) async throws {
        let shop = try await ProductShop(driver)
        var draft = SeededShop.product(SeededShop.chapter, .nonConsumable)
        draft.texts = ["en_US": ProductText(title: "Imported", description: "")]
        draft.state = isApproved ? .approved : .readyToSubmit
        let catalog = CatalogService(database: shop.database)
        for _ in 1...2 {
            _ = try await catalog.apply(
                CatalogDraft(
                    teamName: "Example", bundleID: shop.shop.app.bundleID, appName: "Shop",
                    products: [draft]), files: shop.files, at: SeededShop.date)
        }
        let product = try #require(
            try await shop.database.read {
                try $0.catalog.product(SeededShop.chapter, in: shop.shop.app.id)
            })
        #expect(product.details.state == .approved)
        #expect(product.text(in: .unitedStates, environment: .sandbox).title == "Imported")
        #expect(
            product.text(in: .unitedStates, environment: .production).title
                == (isApproved ? "Imported" : "Title"))
    }
}
