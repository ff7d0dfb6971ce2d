import Foundation
import StoreCore
import StoreModel
import StorePackage
import StoreServer
import StoreTestSupport
import StoreWire
import Testing

@Suite struct CatalogImportTests {
    private static let date = Date(timeIntervalSince1970: 1_800_000_000)
    /// The sample shop's file with one piece of text in place of another.
    private func configuration(_ old: String, _ new: String) -> Data {
        let text = String(decoding: SampleShop.configuration, as: UTF8.self)
        precondition(text.contains(old))
        return Data(text.replacingOccurrences(of: old, with: new).utf8)
    }

    @Test func `a file's products are ready to submit`() async throws {
        let opened = try await OpenedStore()
        let report = try await opened.importShop()
        #expect(report.app.bundleID == SampleShop.bundleID)
        #expect(report.products.count == 5)
        #expect(report.releases.isEmpty)
        #expect(report.warnings == [])
        let products = try await opened.picture().products
        #expect(products.allSatisfy { $0.details.state == .readyToSubmit })
        let chapter = try #require(try await opened.product(SampleShop.chapter)?.details)
        #expect(chapter.type == .nonConsumable)
        #expect(chapter.texts["ja_JP"]?.title == "第一章")
        #expect(chapter.primaryLocale == "en_US")
    }

    @Test func `what reviewers have before them is not changed by an import`() async throws {
        let fixture = try await ReviewFixture()
        let changed = configuration("A badge", "Another badge")
        let submission = try await fixture.submit(ReviewFixture.badge)
        for isClaimed in [false, true] {
            if isClaimed { try await fixture.claim(submission) }
            let refusal = await fixture.refusal { try await fixture.opened.importShop(changed) }
            #expect(refusal?.rule == "productState")
            #expect(try await fixture.record().product.details.texts["en_US"]?.title == "A badge")
        }
        // The same once more, and prices, are no matter of review.
        try await fixture.opened.importShop()
        #expect(try await fixture.state() == .inReview)
        try await fixture.decide(.reject("Another title"), in: submission)
        try await fixture.opened.importShop(changed)
        #expect(
            try await fixture.record().product.details.texts["en_US"]?.title == "Another badge")
    }

    @Test func `an import with approval decides first, then changes the texts`() async throws {
        let fixture = try await ReviewFixture()
        try await fixture.submit(ReviewFixture.badge)
        try await fixture.opened.importShop(
            configuration("A badge", "Another badge"), isApproved: true)
        let record = try await fixture.record()
        #expect(record.state == .approved && record.openRevision == nil)
        #expect(record.revisionOnSale?.texts["en_US"]?.title == "Another badge")
    }

    @Test func `a price of the price list is sold at its tier everywhere`() async throws {
        let opened = try await OpenedStore()
        try await opened.importShop()
        let prices = try #require(try await opened.product(SampleShop.chapter)?.details.prices)
        #expect(prices == PriceSchedule(tier: "2"))
        for (storefront, thousandths) in [
            ("USA", 1990), ("JPN", 240_000), ("DEU", 1990), ("GBR", 1490), ("CHE", 2000),
        ] as [(String, Int64)] {
            let price = prices.price(in: .named(storefront)!, at: Self.date)
            #expect(price?.thousandths == thousandths, "\(storefront)")
        }
    }

    @Test func `any other price is sold in the file's storefront only, with a warning`()
        async throws
    {
        let opened = try await OpenedStore()
        let report = try await opened.importShop(
            configuration(#""displayPrice" : "1.99""#, #""displayPrice" : "1.23""#))
        #expect(report.warnings.count == 1)
        let warning = try #require(report.warnings.last)
        for part in [SampleShop.chapter, "$1.23", "USA only"] {
            #expect(warning.contains(part), "\(part)")
        }
        #expect(try await opened.product(SampleShop.chapter)?.details.prices == ["USA": 1230])
        let badge = try await opened.product(SampleShop.badge)?.details.prices
        #expect(
            badge?.price(in: .named("JPN")!, at: Self.date)
                == Money(thousandths: 120_000, currency: "JPY"))
    }

    @Test func `an offer at any other price is had in the file's storefront only, with a warning`()
        async throws
    {
        let opened = try await OpenedStore()
        let report = try await opened.importShop(
            configuration(
                #""adHocOffers" : []"#,
                #"""
                "adHocOffers" : [{
                    "offerID" : "odd", "paymentMode" : "payUpFront", "subscriptionPeriod" : "P1M",
                    "displayPrice" : "1.23"
                }]
                """#))
        #expect(
            report.warnings == [
                "an offer of \(SampleShop.monthly) costs $1.23, which is no price of the price list: "
                    + "it is had in USA only"
            ])
    }

    @Test(arguments: [
        (
            #""_locale" : "en_US""#,
            #""_failTransactionsEnabled" : true, "_timeRate" : 0, "_locale" : "en_US""#,
            "passes them over: _failTransactionsEnabled"
        ),
        (
            #""_locale" : "en_US""#,
            #""_storeKitErrors" : [{"name" : "x", "enabled" : true}], "_locale" : "en_US""#,
            "passes them over: _storeKitErrors"
        ),
    ])
    func `settings that a store has not are said`(
        _ old: String, _ new: String, _ warning: String
    ) async throws {
        let opened = try await OpenedStore()
        let report = try await opened.importShop(configuration(old, new))
        #expect(report.warnings.count == 1)
        #expect(report.warnings.first?.hasSuffix(warning) == true, "\(report.warnings)")
    }

    @Test func `settings that are off, and Xcode's books, are no matter`() async throws {
        let opened = try await OpenedStore()
        let report = try await opened.importShop(
            configuration(
                #""_locale" : "en_US""#,
                #"""
                "_applicationInternalID" : "1", "_askToBuyEnabled" : false, "_locale" : "en_US",
                "_compatibilityTimeRate" : {"3" : 6}, "_disableDialogs" : null, "_timeRate" : 0,
                "_storeKitErrors" : [{"current" : null, "enabled" : false, "name" : "Load"}]
                """#))
        #expect(report.warnings == [])
    }

    @Test func `products that left the file stay, and content without files is refused`()
        async throws
    {
        let opened = try await OpenedStore()
        let content = try ContentFolder()
        try content.add(SampleShop.chapter)
        try await opened.importShop(content: content.url)
        let empty = try TemporaryFolder()
        let renamed = SampleShop.badge + "2"
        try empty.write(
            "\(renamed)/ContentInfo.plist", SampleShop.contentInfo(renamed, version: "1.0"))
        try FileManager.default.createDirectory(
            at: empty.file("\(renamed)/Contents"), withIntermediateDirectories: true)
        await #expect(throws: PackageError.self) {
            try await opened.importShop(
                configuration(SampleShop.badge, renamed), content: empty.url)
        }
        let files = try ContentFolder()
        try files.add(renamed)
        let report = try await opened.importShop(
            configuration(SampleShop.badge, renamed), content: files.url)
        #expect(report.warnings.count == 1, "\(report.warnings)")
        #expect(
            report.warnings.contains { $0.contains("the file has no \(SampleShop.badge):") })
        // What was hosted before is shown beside what came now.
        #expect(report.releases.count == 1)
        let versions = report.contentVersions.map { "\($0) \($1)" }.sorted()
        #expect(versions == ["\(renamed) 1.0", "\(SampleShop.chapter) 1.0"])
        #expect(try await opened.product(SampleShop.badge) != nil)
    }

    @Test func `importing again changes nothing`() async throws {
        let opened = try await OpenedStore()
        let content = try ContentFolder()
        try content.add(SampleShop.chapter)
        let first = try await opened.importShop(content: content.url)
        let before = try await opened.picture().products
        let second = try await opened.importShop(content: content.url)
        #expect(try await opened.picture().products == before)
        #expect(first.app == second.app)
        #expect(first.releases == second.releases)
        let apps = try await opened.store.database.read { try $0.catalog.apps() }
        #expect(apps.count == 1)
    }

    @Test func `importing again keeps what review decided`() async throws {
        let opened = try await OpenedStore()
        let content = try ContentFolder()
        try content.add(SampleShop.chapter)
        try await opened.importShop(content: content.url, isApproved: true)
        try await opened.importShop(content: content.url)
        let chapter = try #require(try await opened.product(SampleShop.chapter))
        #expect(chapter.details.state == .approved)
        #expect(chapter.releases.map(\.isApproved) == [true])
    }

    @Test func `importing as approved approves what is there`() async throws {
        let opened = try await OpenedStore()
        let content = try ContentFolder()
        try content.add(SampleShop.chapter)
        try await opened.importShop(content: content.url)
        try await opened.importShop(content: content.url, isApproved: true)
        let chapter = try #require(try await opened.product(SampleShop.chapter))
        #expect(chapter.details.state == .approved)
        #expect(chapter.releases.map(\.isApproved) == [true])
    }

    @Test func `the bundle identifier is what the products begin with`() async throws {
        let opened = try await OpenedStore()
        let report = try await opened.store.importCatalog(configuration: SampleShop.configuration)
        #expect(report.app.bundleID.text == "com.example.shop")
        #expect(report.app.name == "shop")
        await #expect(throws: StoreRefusal.self) {
            try await opened.store.importCatalog(
                configuration: configuration("\"com.example.shop.badge\"", "\"badge\""))
        }
    }

    @Test func `a broken file changes nothing`() async throws {
        let opened = try await OpenedStore()
        try await opened.importShop()
        let before = try await opened.picture()
        for broken in [
            Data(), Data("[]".utf8), configuration("0.99", "free"),
            configuration(SampleShop.badge, SampleShop.chapter),
            configuration("\"USA\"", "\"Atlantis\""),
            configuration("\"P1M\"", "\"P5M\""), configuration("\"0.99\"", "\"0.995\""),
        ] {
            await #expect(throws: StoreKitConfigurationError.self) {
                try await opened.importShop(broken)
            }
        }
        #expect(try await opened.picture() == before)
    }

    @Test func `a product can't become one of another type`() async throws {
        let opened = try await OpenedStore()
        try await opened.importShop()
        let before = try await opened.picture()
        await #expect(
            throws: CatalogRefusal.typeChanged(
                ProductID(SampleShop.credits)!, from: .consumable, to: .nonConsumable)
        ) {
            try await opened.importShop(
                configuration("\"type\" : \"Consumable\"", "\"type\" : \"NonConsumable\""))
        }
        #expect(try await opened.picture() == before)
    }
}
