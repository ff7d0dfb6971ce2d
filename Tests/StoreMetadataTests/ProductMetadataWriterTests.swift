import Foundation
import StoreModel
import StoreTestSupport
import Testing

@testable import StoreMetadata

@Suite("Metadata files, as they are written")
struct ProductMetadataWriterTests {
    private static let header = MetadataHeader(
        provider: "A & B \"Ltd\" <x>", teamID: "A1B2C3D4E5", vendorID: "BOOK<1>", appleID: 42)

    private func written(_ products: [MetadataProduct]) throws -> Data {
        var data = Data()
        var writer = try ProductMetadataWriter(Self.header) { data += $0 }
        for product in products { try writer.add(product) }
        try writer.finish()
        return data
    }

    /// What was read, as it was before it had lines.
    private func withoutLines(_ product: MetadataProduct) -> MetadataProduct {
        var product = product
        product.lines = MetadataLines(product: 0)
        return product
    }

    @Test func `what was read is written and read again alike`() throws {
        let products = try WholeMetadata(SampleMetadata.text).products
        let again = try WholeMetadata(Array(written(products)))
        #expect(again.problems == [])
        #expect(again.products.map(withoutLines) == products.map(withoutLines))
        #expect(again.header?.vendorID == "BOOK<1>")
        #expect(again.header?.provider == "A & B \"Ltd\" <x>")
        #expect(again.header?.appleID == 42)
    }

    @Test func `a file has the form that Transporter's have`() throws {
        var product = MetadataProduct(
            productID: ProductID("com.example.coins")!, type: .nonRenewingSubscription,
            referenceName: "Coins")
        product.territories = [
            MetadataTerritory(storefront: nil, isClearedForSale: true, prices: [.init(tier: "3")])
        ]
        product.texts = [MetadataText(locale: "en-US", title: "A & B", description: "")]
        product.remarks = ["two -- hyphens --\u{301}> end"]
        let text = String(decoding: try written([product]), as: UTF8.self)
        #expect(
            text == """
                <?xml version="1.0" encoding="UTF-8"?>
                <package xmlns="http://apple.com/itunes/importer" version="software5.11">
                 <provider>A &amp; B "Ltd" &lt;x&gt;</provider>
                 <team_id>A1B2C3D4E5</team_id>
                 <software>
                  <vendor_id>BOOK&lt;1&gt;</vendor_id>
                  <read_only_info>
                   <read_only_value key="apple-id">42</read_only_value>
                  </read_only_info>
                  <software_metadata>
                   <in_app_purchases>
                    <in_app_purchase>
                     <!-- two - hyphens -\u{301}> end -->
                     <product_id>com.example.coins</product_id>
                     <reference_name>Coins</reference_name>
                     <type>subscription</type>
                     <products>
                      <product>
                       <territory>WW</territory>
                       <cleared_for_sale>true</cleared_for_sale>
                       <wholesale_price_tier>3</wholesale_price_tier>
                      </product>
                     </products>
                     <locales>
                      <locale name="en-US">
                       <title>A &amp; B</title>
                       <description></description>
                      </locale>
                     </locales>
                    </in_app_purchase>
                   </in_app_purchases>
                  </software_metadata>
                 </software>
                </package>

                """)
    }

    @Test(arguments: 0..<20 as Range<UInt64>)
    func `texts with anything in them come back`(_ seed: UInt64) throws {
        var random = SeededRandom(seed: seed)
        let pieces = [
            "<", ">", "&", "\"", "'", "]]>", "&amp;", "--", "\r", "\n", "\t", " ", "x", "é", "章",
            "😀", "\u{85}", "\u{2028}", "\u{FFFD}", "<!--", "<![CDATA[", "?>",
        ]
        func text() -> String {
            "x" + (0..<random.below(40)).map { _ in pieces[random.below(pieces.count)] }.joined()
                + "x"
        }
        let products = (0..<5).map { number in
            var product = MetadataProduct(
                productID: ProductID("p\(number)")!, type: ProductType.allCases[number % 4],
                referenceName: text())
            product.texts = (0..<random.below(4)).map {
                MetadataText(locale: "l\($0)\t\n\"<&", title: text(), description: text())
            }
            product.reviewNotes = random.chance(50) ? text() : nil
            product.readOnly = ["iap-status": text()]
            product.remarks = [text()]
            return product
        }
        let again = try WholeMetadata(Array(written(products)))
        #expect(again.problems == [])
        let expected = products.map { product in
            var product = product
            product.remarks = []
            return product
        }
        #expect(again.products.map(withoutLines) == expected)
    }

    @Test func `what no XML can say becomes a mark, and the file stays one`() throws {
        let product = MetadataProduct(
            productID: ProductID("p")!, type: .consumable, referenceName: "a\u{0}\u{8}\u{FFFF}b")
        let again = try WholeMetadata(Array(written([product])))
        #expect(again.problems == [])
        #expect(again.products.first?.referenceName == "a\u{FFFD}\u{FFFD}\u{FFFD}b")
    }

    @Test func `a long file is handed over a piece at a time`() throws {
        var pieces: [Int] = []
        var writer = try ProductMetadataWriter(Self.header) { pieces.append($0.count) }
        for number in 0..<2000 {
            try writer.add(
                MetadataProduct(
                    productID: ProductID("p\(number)")!, type: .consumable, referenceName: "A name")
            )
        }
        try writer.finish()
        #expect(pieces.count > 3)
        #expect(pieces.allSatisfy { $0 < 1 << 17 })
    }
}
