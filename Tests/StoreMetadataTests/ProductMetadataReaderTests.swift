import StoreModel
import Testing

@testable import StoreMetadata

@Suite("Metadata files, as they are read")
struct ProductMetadataReaderTests {
    @Test func `a product has everything that the file says about it`() throws {
        let sheet = try WholeMetadata(SampleMetadata.text)
        #expect(sheet.problems == [])
        let chapter = try #require(sheet.products.first)
        #expect(chapter.productID == ProductID("com.example.chapter1"))
        #expect(chapter.referenceName == "First & best")
        #expect(chapter.type == .nonConsumable)
        #expect(
            chapter.texts == [
                MetadataText(
                    locale: "en-US", title: "Chapter 1", description: "The first & <only> one."),
                MetadataText(locale: "ja", title: "第一章", description: "最初"),
            ])
        #expect(
            chapter.reviewScreenshot
                == MetadataAttachment(
                    name: "a.png", size: 636132, md5: "20ac75d5adf15bcb0be75d952896cbe1"))
        #expect(chapter.content?.name == "chapter1.pkg")
        #expect(chapter.content?.size == 99)
        #expect(chapter.reviewNotes == "Tap Buy.")
        #expect(chapter.readOnly == ["iap-status": "Waiting for Screenshot"])
    }

    @Test func `sale and prices are by territory and day`() throws {
        let chapter = try #require(WholeMetadata(SampleMetadata.text).products.first)
        #expect(
            chapter.territories == [
                MetadataTerritory(
                    storefront: nil, isClearedForSale: true,
                    prices: [
                        MetadataPrice(tier: "1"),
                        MetadataPrice(
                            tier: "2", start: CalendarDay("2026-01-17"),
                            end: CalendarDay("2026-02-01")),
                        MetadataPrice(tier: "3", start: CalendarDay("2026-02-01")),
                    ]),
                MetadataTerritory(
                    storefront: .named("JPN"), isClearedForSale: true,
                    prices: [MetadataPrice(tier: "510")]),
                MetadataTerritory(storefront: .named("FRA"), isClearedForSale: false),
            ])
    }

    @Test func `what the file doesn't say is nothing, and not empty`() throws {
        let coins = try #require(WholeMetadata(SampleMetadata.text).products.last)
        #expect(coins.texts == nil)
        #expect(coins.territories == [])
        #expect(coins.reviewNotes == nil)
        #expect(coins.reviewScreenshot == nil)
        #expect(coins.content == nil)
    }

    @Test func `the file says for which app it is`() throws {
        let sheet = try WholeMetadata(SampleMetadata.text)
        #expect(sheet.header?.vendorID == "BOOK1")
        #expect(sheet.header?.vendorLine == 7)
        #expect(sheet.header?.appleID == 123456)
        #expect(sheet.header?.appleLine == 8)
        #expect(sheet.header?.provider == "Mapple")
        #expect(sheet.header?.teamID == "A1B2C3D4E5")
    }

    @Test func `elements remember their lines`() throws {
        let lines = try #require(WholeMetadata(SampleMetadata.text).products.first?.lines)
        #expect(lines.product == 12)
        #expect(lines.elements["reference_name"] == 14)
        #expect(lines.elements["review_notes"] == 37)
        #expect(lines.locales == ["en-US": 31, "ja": 33])
    }

    @Test func `parts of Apple's format that are not about products are passed over`() throws {
        let sheet = try WholeMetadata(SampleMetadata.text)
        #expect(sheet.passedOver == ["versions": 10])
    }

    @Test(arguments: [1, 7, 4096])
    func `how a file is cut into pieces changes nothing`(_ piece: Int) throws {
        let whole = try WholeMetadata(SampleMetadata.text)
        let cut = try WholeMetadata(Array(SampleMetadata.text.utf8), piece: piece)
        #expect(cut.products == whole.products)
        #expect(cut.header == whole.header)
    }

    @Test func `a file may list 10,000 products, and no more`() throws {
        let products = (0..<10_001).map { SampleMetadata.product("p\($0)") }
        let full = try WholeMetadata(
            SampleMetadata.file(products.dropLast().joined(separator: "\n")))
        #expect(full.problems == [])
        #expect(full.products.count == 10_000)
        let sheet = try WholeMetadata(SampleMetadata.file(products.joined(separator: "\n")))
        #expect(
            sheet.problems == [
                "line 10002: <in_app_purchases> holds more than 10000 <in_app_purchase>; "
                    + "split the file"
            ])
        #expect(sheet.products.count == 10_000)
    }
}
