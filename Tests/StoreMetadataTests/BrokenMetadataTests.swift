import Testing

@testable import StoreMetadata

/// One change to a file that is right, and what must be said about it.
struct MetadataBreakage: Sendable, CustomTestStringConvertible {
    let part: String
    let replacement: String
    let problem: String

    init(_ part: String, _ replacement: String, _ problem: String) {
        self.part = part
        self.replacement = replacement
        self.problem = problem
    }

    var testDescription: String { problem }

    static let structure: [MetadataBreakage] = [
        .init(
            "<package xmlns=\"http://apple.com/itunes/importer\"", "<package xmlns=\"urn:other\"",
            "line 2: xmlns is \"urn:other\"; it must be \"http://apple.com/itunes/importer\""),
        .init(
            "version=\"software5.11\"", "version=\"music5.0\"",
            "line 2: the version is \"music5.0\"; in-app purchases are in \"software5.0\" to "
                + "\"software5.12\""),
        .init(
            " version=\"software5.11\"", "", "line 2: <package> lacks the attribute version"),
        .init(
            "<software>\n", "<software kind=\"app\">\n",
            "line 6: <software> can't have the attribute kind; it has none"),
        .init("<vendor_id>BOOK1</vendor_id>", "", "line 6: <software> lacks <vendor_id>"),
        .init("<vendor_id>BOOK1</vendor_id>", "<vendor_id/>", "line 7: <vendor_id> is empty"),
        .init(
            ">123456</read_only_value>", ">x</read_only_value>",
            "line 8: the apple-id is \"x\"; it is a number"),
        .init(
            "<reference_name>First &amp; best</reference_name>", "<referencename>x</referencename>",
            "line 14: <in_app_purchase> can't hold <referencename>; it holds <product_id>, "
                + "<reference_name>, <type>, <products>, <locales>, <review_screenshot>, "
                + "<review_notes>, <software_assets>, <read_only_info>"),
        .init(
            "<type>non-consumable</type>", "<type>non-consumable</type>\n<type>x</type>",
            "line 16: <in_app_purchase> holds <type> twice; it holds one"),
        .init("<type>non-consumable</type>", "", "line 12: <in_app_purchase> lacks <type>"),
        .init(
            "<type>non-consumable</type>", "<type><b/>consumable</type>",
            "line 15: <type> can't hold <b>; it holds text only"),
        .init(
            "<locales>\n", "<locales>text\n",
            "line 30: <locales> can't hold the text \"text\"; it holds <locale>"),
        .init(
            "<locale name=\"ja\">", "<locale>", "line 33: <locale> lacks the attribute name"),
        .init(
            "<title>第一章</title>", "<name>第一章</name>",
            "line 33: <locale> can't hold <name>; it holds <title>, <description>"),
        .init(
            "<checksum type=\"md5\">20AC75D5ADF15BCB0BE75D952896CBE1</checksum>", "",
            "line 35: <review_screenshot> lacks <checksum>"),
    ]

    static let values: [MetadataBreakage] = [
        .init(
            "com.example.chapter1", "com example",
            "line 13: <product_id> is \"com example\"; allowed: letters, digits, _, . and -"),
        .init(
            "<type>non-consumable</type>", "<type>free-subscription</type>",
            "line 15: <type> is \"free-subscription\"; allowed: consumable, non-consumable, "
                + "auto-renewable, subscription"),
        .init(
            "<cleared_for_sale>false", "<cleared_for_sale>no",
            "line 28: <cleared_for_sale> is \"no\"; allowed: true or false"),
        .init(
            "<territory>FR</territory>", "<territory>XX</territory>",
            "line 28: <territory> is \"XX\"; allowed: WW, or the code of one of the store's"),
        .init(
            "<territory>FR</territory>", "<territory>JPN</territory>",
            "line 28: the territory JP stands here twice"),
        .init(
            "<territory>FR</territory>", "", "line 28: the territory WW stands here twice"),
        .init(
            "<wholesale_price_tier>510", "<wholesale_price_tier>88",
            "line 27: <wholesale_price_tier> is \"88\"; allowed: a tier of the price list"),
        .init(
            "<wholesale_price_tier>510", "<wholesale_price_tier>0.99",
            "line 27: <wholesale_price_tier> is \"0.99\"; allowed: a tier of the price list"),
        .init(
            "<wholesale_price_tier>510</wholesale_price_tier>",
            "<wholesale_price_tier>510</wholesale_price_tier><intervals/>",
            "line 27: <product> holds both <wholesale_price_tier> and <intervals>; give one"),
        .init(
            "<start_date>2026-01-17", "<start_date>2026-01-32",
            "line 20: <start_date> is \"2026-01-32\"; allowed: a day, as in 2016-01-17"),
        .init(
            "<end_date>2026-02-01", "<end_date>2026-01-17",
            "line 20: the interval ends on 2026-01-17, which is not after its start on 2026-01-17"),
        .init(
            "<end_date>2026-02-01", "<end_date>2026-02-02",
            "line 23: the interval begins on 2026-02-01, before the one before it ends on 2026-02"),
        .init(
            "<interval><start_date>2026-02-01", "<interval><start_date>2026-01-17",
            "line 23: the interval begins on 2026-01-17, which is not after 2026-01-17, where the"),
        .init(
            "<interval><start_date>2026-02-01</start_date>", "<interval>",
            "line 23: the interval lacks <start_date>; only the first can"),
        .init(
            "<locale name=\"ja\">", "<locale name=\"en-US\">",
            "line 33: the locale \"en-US\" stands here twice"),
        .init(
            "<file_name>a.png", "<file_name>../a.png",
            "line 35: <file_name> is \"../a.png\"; allowed: a name without folders"),
        .init(
            "<file_name>a.png", "<file_name>C:\\a.png",
            "line 35: <file_name> is \"C:\\a.png\"; allowed: a name without folders"),
        .init(
            "<file_name>a.png", "<file_name>.hidden",
            "line 35: <file_name> is \".hidden\"; allowed: a name without folders"),
        .init(
            "<size>636132", "<size>-1",
            "line 35: <size> is \"-1\"; allowed: a number of bytes"),
        .init(
            "<size>636132", "<size>99999999999999999999",
            "line 35: <size> is \"99999999999999999999\"; allowed: a number of bytes"),
        .init(
            "type=\"md5\">20AC", "type=\"sha1\">20AC",
            "line 36: the checksum is of the type \"sha1\"; it must be \"md5\""),
        .init(
            ">20AC", ">20AG", "line 36: <checksum> is \"20AG75D5ADF15BCB0BE75D952896CBE1\"; allowed"
        ),
        .init(
            "com.example.coins", "com.example.chapter1",
            "line 46: the product com.example.chapter1 stands in line 12 already; list it once"),
    ]
}

@Suite("Broken metadata files")
struct BrokenMetadataTests {
    @Test(arguments: MetadataBreakage.structure + MetadataBreakage.values)
    func `what is wrong is named with its line and with what is allowed`(
        _ breakage: MetadataBreakage
    ) throws {
        let parts = SampleMetadata.text.components(separatedBy: breakage.part)
        try #require(parts.count == 2, "the part stands in the file once")
        let sheet = try WholeMetadata(parts.joined(separator: breakage.replacement))
        let count = sheet.problems.count { $0.hasPrefix(breakage.problem) }
        #expect(count == 1, "\(sheet.problems)")
    }

    @Test func `a product with something wrong is not given out, the others are`() throws {
        let sheet = try WholeMetadata(
            SampleMetadata.file(
                [
                    SampleMetadata.product("one"), SampleMetadata.product("two", "<typo/>"),
                    SampleMetadata.product("three"),
                ].joined(separator: "\n")))
        #expect(sheet.products.map(\.productID.text) == ["one", "three"])
        #expect(sheet.problems.count == 1)
    }

    @Test func `several problems are named at once`() throws {
        let broken = SampleMetadata.text
            .replacing("<type>non-consumable</type>", with: "<type>other</type>")
            .replacing("<territory>JP</territory>", with: "<territory>Japan</territory>")
            .replacing("<title>第一章</title>", with: "")
        let sheet = try WholeMetadata(broken)
        #expect(
            sheet.problems.map { $0.prefix { $0 != ":" } } == ["line 33", "line 15", "line 26"],
            "\(sheet.problems)")
    }

    @Test func `reading stops after a hundred problems`() throws {
        let products = (0..<200).map { SampleMetadata.product("p\($0)", "<typo/>") }
        let sheet = try WholeMetadata(SampleMetadata.file(products.joined(separator: "\n")))
        #expect(sheet.problems.count == 101)
        #expect(
            sheet.problems.last
                == "line 101: reading stopped here after 100 problems; there may be more")
    }

    @Test func `a product with more problems than that names a hundred of them`() throws {
        let entry =
            "<product><territory>x</territory><cleared_for_sale>true</cleared_for_sale></product>"
        let entries = "<products>" + String(repeating: entry, count: 150) + "</products>"
        let sheet = try WholeMetadata(SampleMetadata.file(SampleMetadata.product("one", entries)))
        #expect(sheet.problems.count == 101)
        #expect(
            sheet.problems.last?.contains("reading stopped here after 100 problems") == true,
            "\(sheet.problems.suffix(2))")
    }

    @Test func `problems that stand before a break are named with it`() throws {
        let sheet = try WholeMetadata(
            "<package xmlns=\"http://apple.com/itunes/importer\" version=\"x\">\n<!ENTITY a>")
        #expect(sheet.problems.count == 2)
        #expect(sheet.problems.last?.hasPrefix("line 2: this is no XML") == true)
    }

    @Test func `a product that never ends is not gathered`() throws {
        let entry =
            "<product><territory>JP</territory><cleared_for_sale>true</cleared_for_sale>"
            + "</product>"
        let endless = "<products>" + String(repeating: entry, count: 200_000)
        let sheet = try WholeMetadata(SampleMetadata.file(SampleMetadata.product("one", endless)))
        #expect(sheet.products == [])
        #expect(
            sheet.problems.last == "line 2: a product takes more than 512 KB of the file",
            "\(sheet.problems.suffix(2))")
    }

    @Test func `another document is not one of products`() throws {
        #expect(
            try WholeMetadata("<html><p>no</p></html>").problems == [
                "line 1: the outermost element is <html>; it must be <package>"
            ])
    }
}
