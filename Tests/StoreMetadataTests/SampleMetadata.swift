import StoreModel

@testable import StoreMetadata

/// A metadata file with everything in it that products can have, for tests that change a part.
enum SampleMetadata {
    static let text = """
        <?xml version="1.0" encoding="UTF-8"?>
        <package xmlns="http://apple.com/itunes/importer" version="software5.11">
          <metadata_token>1448-abc</metadata_token>
          <provider>Mapple</provider>
          <team_id>A1B2C3D4E5</team_id>
          <software>
            <vendor_id>BOOK1</vendor_id>
            <read_only_info><read_only_value key="apple-id">123456</read_only_value></read_only_info>
            <software_metadata app_platform="ios">
              <versions><version string="1.0"><locales/></version></versions>
              <in_app_purchases>
                <in_app_purchase>
                  <product_id>com.example.chapter1</product_id>
                  <reference_name>First &amp; best</reference_name>
                  <type>non-consumable</type>
                  <products>
                    <product><cleared_for_sale>true</cleared_for_sale>
                      <intervals>
                        <interval><wholesale_price_tier>1</wholesale_price_tier></interval>
                        <interval><start_date>2026-01-17</start_date>
                          <end_date>2026-02-01</end_date>
                          <wholesale_price_tier>2</wholesale_price_tier></interval>
                        <interval><start_date>2026-02-01</start_date>
                          <wholesale_price_tier>3</wholesale_price_tier></interval>
                      </intervals></product>
                    <product><territory>JP</territory><cleared_for_sale>true</cleared_for_sale>
                      <wholesale_price_tier>510</wholesale_price_tier></product>
                    <product><territory>FR</territory><cleared_for_sale>false</cleared_for_sale></product>
                  </products>
                  <locales>
                    <locale name="en-US"><title>Chapter 1</title>
                      <description>The <![CDATA[first & <only>]]> one.</description></locale>
                    <locale name="ja"><title>第一章</title><description>最初</description></locale>
                  </locales>
                  <review_screenshot><size>636132</size><file_name>a.png</file_name>
                    <checksum type="md5">20AC75D5ADF15BCB0BE75D952896CBE1</checksum></review_screenshot>
                  <review_notes>Tap Buy.</review_notes>
                  <software_assets><asset><data_file><file_name>chapter1.pkg</file_name>
                    <size>99</size><checksum type="md5">00000000000000000000000000000000</checksum>
                  </data_file></asset></software_assets>
                  <read_only_info>
                    <read_only_value key="iap-status">Waiting for Screenshot</read_only_value>
                  </read_only_info>
                </in_app_purchase>
                <in_app_purchase>
                  <product_id>com.example.coins</product_id>
                  <reference_name>Coins</reference_name>
                  <type>consumable</type>
                </in_app_purchase>
              </in_app_purchases>
            </software_metadata>
          </software>
        </package>
        """

    /// Products around which stands what every file has; the first begins in line 2.
    static func file(_ products: String) -> String {
        """
        <package xmlns="http://apple.com/itunes/importer" version="software5.11"><software>\
        <vendor_id>BOOK1</vendor_id><software_metadata><in_app_purchases>
        \(products)
        </in_app_purchases></software_metadata></software></package>
        """
    }

    static func product(_ id: String, _ more: String = "") -> String {
        "<in_app_purchase><product_id>\(id)</product_id><reference_name>A name</reference_name>"
            + "<type>consumable</type>\(more)</in_app_purchase>"
    }
}

/// Everything that a file gives.
struct WholeMetadata {
    var products: [MetadataProduct] = []
    var problems: [String] = []
    var header: MetadataHeader?
    var passedOver: [String: Int] = [:]

    init(_ bytes: [UInt8], limits: MarkupLimits = MarkupLimits(), piece: Int = .max) throws {
        var rest = bytes[...]
        let markup = MarkupReader(limits: limits) {
            defer { rest = rest.dropFirst(piece) }
            return Array(rest.prefix(piece))
        }
        var reader = ProductMetadataReader(markup)
        while let product = try reader.next() { products.append(product) }
        problems = reader.problems.map(\.description)
        header = reader.header
        passedOver = reader.passedOver
    }

    init(_ text: String) throws {
        try self.init(Array(text.utf8))
    }
}
