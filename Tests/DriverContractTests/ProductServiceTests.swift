import Foundation
import StoreCore
import StoreModel
import StoreSQL
import Testing

/// What publishers do with products, over every driver.
@Suite struct ProductServiceTests {
    /// Checks that something is refused by a rule, and that nothing changed by it.
    private func expect(
        _ rule: String, in shop: ProductShop, _ body: () async throws -> some Any,
        sourceLocation: SourceLocation = #_sourceLocation
    ) async throws {
        let before = try await shop.log()
        let generation = try shop.database.catalogGeneration()
        do {
            _ = try await body()
            Issue.record("was not refused", sourceLocation: sourceLocation)
        } catch let refusal as ConnectRefusal {
            #expect(refusal.rule == rule, sourceLocation: sourceLocation)
            #expect(refusal.help.hasSuffix("."), sourceLocation: sourceLocation)
        }
        #expect(try await shop.log() == before, sourceLocation: sourceLocation)
        #expect(
            try shop.database.catalogGeneration() == generation, sourceLocation: sourceLocation)
    }

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
        try await expect("subscriptionTerms", in: shop) {
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
        try await expect("productIDTaken", in: shop) { try await shop.create() }
        try await shop.products.delete(product.number, by: shop.actor())
        try await expect("productIDTaken", in: shop) { try await shop.create() }
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
            try await expect(rule, in: shop) {
                try await products.update(number, change, by: actor)
            }
            try await expect(rule, in: shop) { try await products.delete(number, by: actor) }
            try await expect(rule, in: shop) {
                try await products.setPrices(PriceSchedule(tier: "2"), of: number, by: actor)
            }
            try await expect(rule, in: shop) {
                try await products.setAvailability(.only([]), of: number, by: actor)
            }
            try await expect(rule, in: shop) {
                try await products.addText(
                    ProductText(title: "Münzen", description: "Hundert."), locale: "de-DE",
                    to: number, by: actor)
            }
            try await expect(rule, in: shop) {
                try await products.create(
                    NewProduct(productID: "x.y", type: .consumable, referenceName: "New"),
                    in: shop.shop.app.id, by: actor)
            }
            try await expect(rule, in: shop) {
                try await shop.assets.reserve(
                    AssetID(UUID()), kind: .image, fileName: "a.png", size: 1, of: number,
                    by: actor)
            }
            try await expect(rule, in: shop) {
                try await shop.promotions.create(
                    PromotionID(UUID()), of: number, in: shop.shop.app.id, isVisible: true,
                    isEnabled: true, by: actor)
            }
        }
        try await expect("notFound", in: shop) {
            try await products.product(number, by: shop.stranger)
        }
        try await expect("notFound", in: shop) {
            try await products.products(
                of: shop.shop.app.id, PageRequest(limit: 5), by: shop.stranger)
        }
        // Marketing writes texts, but sets no prices.
        try await expect("role", in: shop) {
            try await products.setPrices(
                PriceSchedule(tier: "2"), of: number, by: shop.actor(.marketing))
        }
        _ = try await products.update(number, change, by: shop.actor(.marketing))
    }

    // MARK: Texts

    @Test(arguments: StoreDriver.all)
    func `customers read what was approved until the next revision is`(
        driver: StoreDriver
    ) async throws {
        let shop = try await ProductShop(driver)
        let number = try await shop.complete().number
        try await shop.approve(number)
        let edited = try await shop.products.updateText(
            title: "More coins", locale: "en_US", of: number, by: shop.actor())
        #expect(edited.state == .approved)
        #expect(edited.openRevision?.number == 2)
        #expect(edited.openRevision?.state == .readyForReview)
        #expect(edited.textState("en_US") == .readyForReview)
        func title(_ environment: StoreEnvironment) async throws -> String? {
            let record = try await shop.record(number)
            return record?.product.text(in: .unitedStates, environment: environment).title
        }
        #expect(try await title(.production) == "Coins")
        #expect(try await title(.sandbox) == "More coins")
        let other = try await shop.products.addText(
            ProductText(title: "Münzen", description: "Hundert."), locale: "de-DE", to: number,
            by: shop.actor())
        #expect(other.openRevision?.number == 2, "one revision gathers all changes")
        try await shop.approve(number)
        #expect(try await title(.production) == "More coins")
        let revisions = try await shop.products.revisions(of: number, by: shop.actor())
        #expect(revisions.map(\.state) == [.approved, .replaced])
        #expect(revisions.last?.texts["en_US"]?.title == "Coins")
        #expect(try await shop.record(number)?.textState("de_DE") == .approved)
    }

    @Test(arguments: StoreDriver.all)
    func `what was approved before there were revisions is the first one`(
        driver: StoreDriver
    ) async throws {
        let shop = try await ProductShop(driver)
        let products = shop.products
        let chapter = try await products.product(
            SeededShop.chapter.text, of: shop.shop.app.id, by: shop.actor())
        #expect(chapter.openRevision == nil && chapter.revisionOnSale == nil)
        let edited = try await products.updateText(
            title: "Chapter", description: "About it.", locale: "en_US", of: chapter.number,
            by: shop.actor())
        #expect(edited.revisionOnSale?.number == 1)
        #expect(edited.revisionOnSale?.texts["en_US"]?.title == "Title")
        #expect(edited.openRevision?.number == 2)
        #expect(edited.product.approvedTexts?["en_US"]?.title == "Title")
    }

    @Test(
        arguments: StoreDriver.all,
        [ProductState.waitingForReview, .inReview, .pendingBinaryApproval])
    func `what reviewers have before them does not change`(
        driver: StoreDriver, state: ProductState
    ) async throws {
        let shop = try await ProductShop(driver)
        let record = try await shop.complete()
        let number = record.number
        try await shop.database.write {
            try $0.catalog.setState(state, of: record.id, in: record.summary.app)
        }
        let actor = shop.actor()
        try await expect("productState", in: shop) {
            try await shop.products.updateText(
                title: "Other", locale: "en_US", of: number, by: actor)
        }
        try await expect("productState", in: shop) {
            try await shop.products.update(number, ProductChange(reviewNote: "Other"), by: actor)
        }
        try await expect("productState", in: shop) { try await shop.screenshot(of: number) }
        try await expect("productState", in: shop) {
            try await shop.products.delete(number, by: actor)
        }
        // The reference name and the prices are nothing that they look at.
        _ = try await shop.products.update(
            number, ProductChange(referenceName: "Other"), by: actor)
        let priced = try await shop.products.setPrices(
            PriceSchedule(tier: "2"), of: number, by: actor)
        #expect(priced.state == state)
    }

    @Test(arguments: StoreDriver.all)
    func `a revision with the reviewers does not change, and one that they rejected does`(
        driver: StoreDriver
    ) async throws {
        let shop = try await ProductShop(driver)
        let number = try await shop.complete().number
        try await shop.approve(number)
        let edited = try await shop.products.updateText(
            title: "Other", locale: "en_US", of: number, by: shop.actor())
        let open = try #require(edited.openRevision?.id)
        func set(_ state: RevisionState) async throws {
            try await shop.database.write {
                try $0.revisions.setState(state, of: open, at: SeededShop.date)
            }
        }
        for state in [RevisionState.waitingForReview, .inReview, .accepted] {
            try await set(state)
            try await expect("revisionState", in: shop) {
                try await shop.products.updateText(
                    title: "Third", locale: "en_US", of: number, by: shop.actor())
            }
        }
        try await shop.database.write {
            try $0.catalog.setState(
                .developerRemovedFromSale, of: edited.id, in: edited.summary.app)
        }
        try await expect("revisionState", in: shop) {
            try await shop.products.delete(number, by: shop.actor())
        }
        for state in [RevisionState.rejected, .developerRejected] {
            try await set(state)
            let again = try await shop.products.updateText(
                title: "Third \(state.rawValue)".lowercased(), locale: "en_US", of: number,
                by: shop.actor())
            #expect(again.openRevision?.id == open)
            #expect(again.openRevision?.state == .readyForReview)
        }
    }

    @Test(arguments: StoreDriver.all)
    func `texts are added once for a language, and the last of a product on sale stays`(
        driver: StoreDriver
    ) async throws {
        let shop = try await ProductShop(driver)
        let number = try await shop.complete().number
        let text = ProductText(title: "Coins", description: "About.")
        try await expect("localeTaken", in: shop) {
            try await shop.products.addText(
                text, locale: "en-US", to: number, by: shop.actor())
        }
        try await expect("notFound", in: shop) {
            try await shop.products.updateText(
                title: "Münzen", locale: "de_DE", of: number, by: shop.actor())
        }
        try await expect("notFound", in: shop) {
            try await shop.products.deleteText(locale: "de_DE", of: number, by: shop.actor())
        }
        try await shop.approve(number)
        try await expect("lastText", in: shop) {
            try await shop.products.deleteText(locale: "en_US", of: number, by: shop.actor())
        }
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
        try await expect("tierUnknown", in: shop) {
            try await shop.products.setPrice(tier: "99", of: number, by: shop.actor())
        }
        try await expect("territoryUnknown", in: shop) {
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
            try await expect("territoryUnknown", in: shop) {
                try await shop.products.setAvailability(wrong, of: number, by: shop.actor())
            }
        }
    }

    // MARK: Deleting

    @Test(arguments: StoreDriver.all, ProductState.allCases)
    func `only what is neither on sale nor with reviewers is deleted`(
        driver: StoreDriver, state: ProductState
    ) async throws {
        let shop = try await ProductShop(driver)
        let record = try await shop.complete()
        try await shop.database.write {
            try $0.catalog.setState(state, of: record.id, in: record.summary.app)
        }
        guard ProductRules.table[.delete]?[state] != nil else {
            try await expect("productState", in: shop) {
                try await shop.products.delete(record.number, by: shop.actor())
            }
            return
        }
        try await shop.products.delete(record.number, by: shop.actor())
        let kept = try #require(try await shop.record(record.number))
        #expect(kept.product.isDeleted)
        #expect(kept.assets.isEmpty)
        try await expect("notFound", in: shop) {
            try await shop.products.product(record.number, by: shop.actor())
        }
        try await expect("notFound", in: shop) {
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
