import Foundation
import StoreModel
import StoreWire
import Testing

@Suite struct MetadataTests {
    private static let sample = """
        <?xml version="1.0" encoding="UTF-8"?>
        <package xmlns="http://apple.com/itunes/importer" version="software5.11">
         <metadata_token>1</metadata_token><provider>TEAM</provider><team_id>TEAM</team_id>
         <software>
          <vendor_id>SKU</vendor_id>
          <read_only_info><read_only_value key="apple-id">1</read_only_value></read_only_info>
          <software_metadata app_platform="ios">
           <in_app_purchases>
            <in_app_purchase>
             <product_id>com.example.x</product_id>
             <reference_name>The X</reference_name>
             <type>non-consumable</type>
             <products>
              <product><cleared_for_sale>true</cleared_for_sale>
               <intervals>
                <interval><start_date/><end_date>2026-03-01</end_date>
                 <wholesale_price_tier>3</wholesale_price_tier></interval>
                <interval><start_date>2026-03-01</start_date>
                 <wholesale_price_tier>4</wholesale_price_tier></interval>
               </intervals></product>
              <product><territory>JP</territory><cleared_for_sale>false</cleared_for_sale></product>
             </products>
             <locales><locale name="en-US"><title>X &amp; Y</title>
              <description>Two
        lines</description></locale></locales>
             <review_screenshot><size>6</size><file_name>a.png</file_name>
              <checksum type="md5">0</checksum></review_screenshot>
             <review_notes>Tap it.</review_notes>
             <software_assets><asset><data_file><file_name>c.pkg</file_name><size>1</size>
              <checksum type="md5">0</checksum></data_file></asset></software_assets>
             <read_only_info><read_only_value key="iap-status">Ready</read_only_value></read_only_info>
            </in_app_purchase>
            <in_app_purchase><product_id>y</product_id><type>subscription</type></in_app_purchase>
           </in_app_purchases>
          </software_metadata>
         </software>
        </package>
        """

    private func read(_ text: String) throws -> ([MetadataProduct], MetadataReader) {
        var reader = MetadataReader(Data(text.utf8))
        var products: [MetadataProduct] = []
        while let product = try reader.next() { products.append(product) }
        return (products, reader)
    }

    @Test func `a file of the Transporter is read whole`() throws {
        let (products, reader) = try read(Self.sample)
        #expect(reader.problems == [])
        #expect(reader.vendorID == Located("SKU", line: 5))
        var x = MetadataProduct(line: 9, productID: "com.example.x")
        x.referenceName = "The X"
        x.type = .nonConsumable
        let march = MetadataDay.date("2026-03-01")!
        #expect(march == Date(timeIntervalSince1970: 1_772_323_200))
        x.offers = [
            .init(
                territory: nil, isClearedForSale: true,
                prices: [.init(tier: "3", end: march), .init(tier: "4", start: march)], line: 14),
            .init(
                territory: Storefront.named("JPN"), isClearedForSale: false, prices: [], line: 21),
        ]
        x.texts = ["en-US": .init(title: "X & Y", description: "Two\nlines")]
        x.reviewNotes = "Tap it."
        x.files = [Located("a.png", line: 25), Located("c.pkg", line: 28)]
        #expect(products.count == 2)
        #expect(products.first == x)
        #expect(products.last?.type == .nonRenewingSubscription)
        #expect(products.last?.texts == nil && products.last?.offers == nil)
    }

    @Test func `what is written is read as it was`() throws {
        let (products, _) = try read(Self.sample)
        let text =
            MetadataWriter.beginning(
                teamPrefix: "ABCDEFGHIJ", sku: "A&B", appID: "7", name: "<App>")
            + products.map { MetadataWriter.element($0, status: "Ready <to> Submit") }.joined()
            + MetadataWriter.end
        let (again, reader) = try read(text)
        #expect(reader.problems == [] && reader.vendorID?.value == "A&B")
        func plain(_ products: [MetadataProduct]) -> [MetadataProduct] {
            products.map { product in
                var product = product
                product.line = 0
                product.files = []
                product.offers = product.offers?.map {
                    var offer = $0
                    offer.line = 0
                    return offer
                }
                return product
            }
        }
        #expect(plain(again) == plain(products))
    }

    /// A change of the sample, and what is told of it.
    static let wrong: [(old: String, new: String, line: Int, message: String)] = [
        ("version=\"software5.11\"", "version=\"1\"", 2, "version such as software5.11"),
        ("http://apple.com/itunes/importer", "urn:x", 2, "xmlns"),
        ("<type>non-consumable</type>", "<type>thing</type>", 12, "\"thing\" in <type>"),
        ("<type>non-consumable</type>", "<typ>x</typ>", 12, "<typ> does not belong into"),
        ("<reference_name>The X", "<reference_name><b/>The X", 11, "<b> does not belong"),
        (">true<", ">yes<", 14, "true or false"), (">JP<", ">XX<", 21, "a territory"),
        (">JP<", ">WW<", 21, "twice"), ("tier>3<", "tier>999<", 17, "price list"),
        ("2026-03-01</end", "2026-02-30</end", 16, "a day such as"),
        ("name=\"en-US\"", "", 23, "<locale> has no name"),
        ("<title>", "<titel/><title>", 23, "<titel> does not belong"),
        ("<product_id>y</product_id>", "", 31, "has no <product_id>"),
        ("<product_id>y", "stray<product_id>y", 31, "\"stray\""),
        ("<type>subscription", "<type>consumable</type><type>subscription", 31, "twice"),
        ("<software_metadata app", "<versions/><software_metadata app", 7, "<versions> does not"),
        ("<file_name>a.png</file_name>", "", 25, "no <file_name>"),
    ]

    @Test(arguments: wrong)
    func `every wrong element is named with its line`(
        old: String, new: String, line: Int, message: String
    ) throws {
        let text = Self.sample.replacing(old, with: new, maxReplacements: 1)
        #expect(text != Self.sample)
        let (_, reader) = try read(text)
        #expect(
            reader.problems.contains { $0.line == line && $0.message.contains(message) },
            "\(reader.problems)")
    }

    @Test func `all problems are told at once, up to a limit`() throws {
        let many = String(repeating: "<x/>", count: 600)
        let (products, reader) = try read(
            Self.sample.replacing("<product_id>y", with: "\(many)<product_id>y"))
        #expect(reader.problems.count == 500 && reader.furtherProblems == 100)
        #expect(products.count == 2)
    }

    @Test(arguments: [
        "2026-13-01", "2026-02-29", "26-01-01", "2026-1-1", "2026/01/01", "２０２６-01-01",
    ])
    func `a day is one of the calendar`(text: String) {
        #expect(MetadataDay.date(text) == nil)
    }
}
