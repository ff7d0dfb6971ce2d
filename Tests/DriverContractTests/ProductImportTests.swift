import Foundation
import StoreCore
import StoreModel
import Testing

/// Imports of many products, over every driver.
@Suite(.usesDrivers) struct ProductImportTests {
    private static let id = "com.example.shop.gems"

    // MARK: What happens

    @Test(arguments: StoreDriver.all)
    func `a new product gets everything that the file says`(driver: StoreDriver) async throws {
        let fixture = try await ImportFixture(driver)
        let result = try await fixture.run([.sample()])
        #expect(result.counts == ImportCounts(added: 1))
        let record = try #require(try await fixture.record(Self.id))
        #expect(record.summary.referenceName == "Gems")
        #expect(record.summary.reviewNote == "Tap Buy.")
        #expect(record.product.details.texts["de_DE"]?.title == "Steine")
        let now = fixture.shop.clock.now()
        let product = record.product
        #expect(product.price(in: .unitedStates, at: now)?.thousandths == 1990)
        #expect(product.price(in: .named("JPN")!, at: now)?.thousandths == 120_000)
        #expect(product.price(in: .named("FRA")!, at: now) == nil)
        // Reviewers have no screenshot of it yet.
        #expect(record.state == .missingMetadata)
        #expect(result.outcomes.first?.kind == .added)
        #expect(result.outcomes.first?.line == 10)
        #expect(try await fixture.shop.log().last == "product.import com.example.shop")
    }

    @Test(arguments: StoreDriver.all)
    func `what is as the file says stays untouched`(driver: StoreDriver) async throws {
        let fixture = try await ImportFixture(driver)
        _ = try await fixture.run([.sample()])
        let before = try await fixture.picture()
        let again = try await fixture.run([.sample()])
        #expect(again.counts == ImportCounts(unchanged: 1))
        #expect(again.outcomes == [])
        #expect(try await fixture.picture() == before)
    }

    @Test(arguments: StoreDriver.all)
    func `what the file doesn't say stays`(driver: StoreDriver) async throws {
        let fixture = try await ImportFixture(driver)
        _ = try await fixture.run([.sample()])
        let before = try await fixture.record(Self.id)
        let bare = ListedProduct(productID: ProductID(Self.id)!, type: .consumable)
        #expect(try await fixture.run([bare]).counts == ImportCounts(unchanged: 1))
        #expect(try await fixture.record(Self.id) == before)
    }

    @Test(arguments: StoreDriver.all)
    func `each change is told with what was there before`(driver: StoreDriver) async throws {
        let fixture = try await ImportFixture(driver)
        _ = try await fixture.run([.sample()])
        var changed = ListedProduct.sample()
        changed.referenceName = "More gems"
        changed.texts?["de-DE"] = nil
        changed.texts?["fr-FR"] = ProductText(title: "Pierres", description: "Dix pierres.")
        changed.prices = ListedPrices(world: [.init(tier: "3")])
        changed.availability = .only(["USA", "JPN"])
        changed.reviewNote = ""
        let result = try await fixture.run([changed])
        #expect(result.counts == ImportCounts(changed: 1))
        #expect(
            result.outcomes.first?.differences == [
                .init("name", before: "Gems", after: "More gems"),
                .init("reviewNote", before: "Tap Buy.", after: nil),
                .init(
                    "inAppPurchaseLocalizations/de-DE", before: "Steine; Zehn Steine.", after: nil),
                .init(
                    "inAppPurchaseLocalizations/fr-FR", before: nil,
                    after: "Pierres; Dix pierres."),
                .init("prices", before: "JPN tier 1, USA tier 2", after: "USA tier 3"),
                .init(
                    "availability", before: "everywhere except FRA", after: "only in JPN USA"),
            ])
        #expect(try await fixture.record(Self.id)?.summary.reviewNote == "")
    }

    @Test(arguments: StoreDriver.all)
    func `a note with line breaks of Windows is imported once`(driver: StoreDriver) async throws {
        let fixture = try await ImportFixture(driver)
        _ = try await fixture.run([.sample()])
        var changed = ListedProduct.sample()
        changed.reviewNote = "Tap Buy.\r\nThen wait."
        #expect(try await fixture.run([changed]).counts == ImportCounts(changed: 1))
        #expect(try await fixture.record(Self.id)?.summary.reviewNote == "Tap Buy.\nThen wait.")
        #expect(try await fixture.run([changed]).counts == ImportCounts(unchanged: 1))
    }

    @Test(arguments: StoreDriver.all)
    func `a rehearsal tells what would happen, and nothing happens`(
        driver: StoreDriver
    ) async throws {
        let fixture = try await ImportFixture(driver)
        _ = try await fixture.run([.sample()])
        var changed = ListedProduct.sample()
        changed.texts?["en-US"]?.description = "Twenty gems."
        let list = [changed, .sample("com.example.shop.more")]
        let before = try await fixture.picture()
        let rehearsal = try await fixture.run(list, isRehearsal: true)
        #expect(rehearsal.counts == ImportCounts(added: 1, changed: 1))
        #expect(try await fixture.picture() == before)
        #expect(try await fixture.record("com.example.shop.more") == nil)
        let real = try await fixture.run(list)
        #expect(real.counts == rehearsal.counts)
        #expect(real.outcomes == rehearsal.outcomes)
    }

    @Test(arguments: StoreDriver.all)
    func `a name without a description comes in, and the product lacks one`(
        driver: StoreDriver
    ) async throws {
        let fixture = try await ImportFixture(driver)
        var listed = ListedProduct.sample()
        listed.texts = ["en-US": ProductText(title: "Gems", description: "")]
        _ = try await fixture.run([listed])
        let record = try #require(try await fixture.record(Self.id))
        #expect(fixture.shop.products.missing(in: record).contains(.description(locale: "en_US")))
    }

    // MARK: Review

    @Test(arguments: StoreDriver.all)
    func `texts of a product on sale become a revision, and customers go on to read the old ones`(
        driver: StoreDriver
    ) async throws {
        let fixture = try await ImportFixture(driver)
        let number = try await fixture.shop.complete(Self.id).number
        try await fixture.shop.approve(number)
        let listed = ListedProduct(
            productID: ProductID(Self.id)!, type: .consumable,
            texts: ["en-US": ProductText(title: "New", description: "Newer.")])
        let result = try await fixture.run([listed])
        #expect(result.outcomes.first?.state == .approved)
        let record = try #require(try await fixture.record(Self.id))
        #expect(record.state == .approved)
        #expect(record.openRevision?.state == .readyForReview)
        #expect(record.product.texts(in: .sandbox)["en_US"]?.title == "New")
        #expect(record.product.texts(in: .production)["en_US"]?.title == "Coins")
    }

    @Test(arguments: StoreDriver.all, [ProductState.waitingForReview, .inReview])
    func `what reviewers have can't be changed, and then nothing is`(
        driver: StoreDriver, state: ProductState
    ) async throws {
        let fixture = try await ImportFixture(driver)
        _ = try await fixture.run([.sample()])
        try await fixture.set(state, of: Self.id)
        var changed = ListedProduct.sample()
        changed.texts?["en-US"]?.title = "Other"
        let before = try await fixture.picture()
        let problems = try await fixture.problems([.sample("com.example.shop.more"), changed])
        #expect(problems == ["16 productState"])
        #expect(try await fixture.picture() == before)
        #expect(try await fixture.record("com.example.shop.more") == nil)
        // Listing it as it is changes nothing, and is no problem.
        #expect(try await fixture.run([.sample()]).counts == ImportCounts(unchanged: 1))
        #expect(try await fixture.record(Self.id)?.state == state)
    }

    // MARK: What is refused

    /// One change to a product that is right, and the line and rule that refuse it.
    struct Fault: Sendable, CustomTestStringConvertible {
        let refusal: String
        let change: @Sendable (inout ListedProduct) -> Void

        init(_ refusal: String, _ change: @escaping @Sendable (inout ListedProduct) -> Void) {
            self.refusal = refusal
            self.change = change
        }

        var testDescription: String { refusal }
    }

    static let faults: [Fault] = [
        Fault("13 typeChanged") { $0.type = .nonConsumable },
        Fault("12 nameLength") { $0.referenceName = "x" },
        Fault("12 nameCharacters") { $0.referenceName = "a\u{202E}b" },
        Fault("14 reviewNoteLength") { $0.reviewNote = String(repeating: "x", count: 4001) },
        Fault("10 familySharing") { $0.isFamilyShareable = true },
        Fault("17 titleLength") { $0.texts?["en-US"]?.title = String(repeating: "x", count: 31) },
        Fault("17 descriptionLength") {
            $0.texts?["en-US"]?.description = String(repeating: "x", count: 256)
        },
        Fault("10 localeUnknown") {
            $0.texts?["xx-XX"] = ProductText(title: "Name", description: "Text")
        },
        Fault("15 tierUnknown") { $0.prices = ListedPrices(world: [.init(tier: "99")]) },
        Fault("15 basePriceMissing") {
            $0.prices = ListedPrices(world: [], territories: ["JPN": [.init(tier: "1")]])
        },
        Fault("15 basePriceGap") {
            let start = SeededShop.date.addingTimeInterval(86_400)
            $0.prices = ListedPrices(world: [.init(tier: "1", start: start)])
        },
        Fault("10 subscriptionTerms") {
            $0.subscription = SubscriptionTerms(
                groupID: "1", groupName: "Pro", level: 1,
                period: SubscriptionPeriod(unit: .month, count: 1), offers: [])
        },
    ]

    @Test(arguments: StoreDriver.one, faults)
    func `what the rules forbid is refused with the line of it, and nothing changes`(
        driver: StoreDriver, fault: Fault
    ) async throws {
        let fixture = try await ImportFixture(driver)
        _ = try await fixture.run([.sample()])
        let before = try await fixture.picture()
        var listed = ListedProduct.sample()
        fault.change(&listed)
        let problems = try await fixture.problems([.sample("com.example.shop.more"), listed])
        #expect(problems == [fault.refusal])
        #expect(try await fixture.picture() == before)
    }

    @Test(arguments: StoreDriver.all)
    func `all problems are named at once, up to a hundred`(driver: StoreDriver) async throws {
        let fixture = try await ImportFixture(driver)
        let faulty = (0..<150).map { number in
            var listed = ListedProduct.sample("com.example.shop.gem\(number)")
            listed.lines[.name] = 1000 + number
            if number % 50 != 49 { listed.referenceName = "x" }
            return listed
        }
        let problems = try await fixture.problems(faulty)
        #expect(problems.count == 100)
        #expect(problems.prefix(2) == ["1000 nameLength", "1001 nameLength"])
        #expect(try await fixture.problems(Array(faulty.prefix(51).suffix(3))).count == 2)
    }

    @Test(arguments: StoreDriver.all)
    func `identifiers of deleted products stay taken`(driver: StoreDriver) async throws {
        let fixture = try await ImportFixture(driver)
        _ = try await fixture.run([.sample()])
        let number = try #require(try await fixture.record(Self.id)?.number)
        try await fixture.shop.products.delete(number, by: fixture.shop.actor())
        #expect(try await fixture.problems([.sample()]) == ["11 productIDTaken"])
    }

    @Test(arguments: StoreDriver.all)
    func `a new subscription needs its terms`(driver: StoreDriver) async throws {
        let fixture = try await ImportFixture(driver)
        let listed = ListedProduct.sample(type: .autoRenewableSubscription)
        #expect(try await fixture.problems([listed]) == ["13 subscriptionTerms"])
        var complete = listed
        complete.subscription = SubscriptionTerms(
            groupID: "1", groupName: "Pro", level: 1,
            period: SubscriptionPeriod(unit: .month, count: 1), offers: [])
        #expect(try await fixture.run([complete]).counts == ImportCounts(added: 1))
        #expect(try await fixture.run([listed]).counts == ImportCounts(unchanged: 1))
    }

    @Test(arguments: StoreDriver.all)
    func `a file for another app is refused`(driver: StoreDriver) async throws {
        let fixture = try await ImportFixture(driver)
        let before = try await fixture.picture()
        let other = ImportOrigin(
            sku: "OTHER", skuLine: 7, number: fixture.app.number + 1, numberLine: 8)
        let refusal = await #expect(throws: ImportRefusal.self) {
            try await fixture.run([.sample()], origin: other)
        }
        #expect(refusal?.problems.map(\.line) == [7, 8])
        #expect(refusal?.problems.map(\.refusal.rule) == ["otherApp", "otherApp"])
        #expect(try await fixture.picture() == before)
        let sku = try await fixture.shop.database.read { try $0.apps.record(fixture.app)?.sku }
        let same = ImportOrigin(sku: sku, skuLine: 7, number: fixture.app.number, numberLine: 8)
        #expect(try await fixture.run([.sample()], origin: same).counts.added == 1)
    }

    @Test(arguments: StoreDriver.all)
    func `who may not change products imports none`(driver: StoreDriver) async throws {
        let fixture = try await ImportFixture(driver)
        let before = try await fixture.picture()
        let developer = await #expect(throws: ConnectRefusal.self) {
            try await fixture.run([.sample()], by: fixture.shop.actor(.developer))
        }
        #expect(developer?.kind == .forbidden)
        let stranger = await #expect(throws: ConnectRefusal.self) {
            try await fixture.run([.sample()], by: fixture.shop.stranger)
        }
        #expect(stranger?.kind == .notFound)
        // Marketing writes texts, and sets no prices.
        let marketing = fixture.shop.actor(.marketing)
        #expect(try await fixture.problems([.sample()], by: marketing) == ["15 role"])
        #expect(try await fixture.picture() == before)
        var texts = ListedProduct.sample()
        texts.prices = nil
        #expect(try await fixture.run([texts], by: marketing).counts.added == 1)
    }
}
