import Foundation
import StoreModel

/// Writes the metadata XML that `MetadataReader` reads, piece by piece.
package struct MetadataWriter {
    /// What stands above the products.
    package static func beginning(
        teamPrefix: String, sku: String, appID: String, name: String
    ) -> String {
        """
        <?xml version="1.0" encoding="UTF-8"?>
        <package xmlns="\(MetadataReader.namespace)" version="software5.11">
          <provider>\(XMLText.escape(teamPrefix))</provider>
          <team_id>\(XMLText.escape(teamPrefix))</team_id>
          <software>
            <vendor_id>\(XMLText.escape(sku))</vendor_id>
            <read_only_info>
              <read_only_value key="apple-id">\(XMLText.escape(appID))</read_only_value>
              <read_only_value key="app-name">\(XMLText.escape(name))</read_only_value>
            </read_only_info>
            <software_metadata>
              <in_app_purchases>

        """
    }

    /// What stands below them.
    package static let end = """
              </in_app_purchases>
            </software_metadata>
          </software>
        </package>

        """

    private static let types: [ProductType: String] = [
        .consumable: "consumable", .nonConsumable: "non-consumable",
        .autoRenewableSubscription: "auto-renewable", .nonRenewingSubscription: "subscription",
    ]

    /// A product.
    ///
    /// - Parameter status: the state, for readers only.
    package static func element(_ product: MetadataProduct, status: String) -> String {
        var lines = Lines()
        lines.open("in_app_purchase", 4)
        lines.add("product_id", product.productID)
        if let name = product.referenceName { lines.add("reference_name", name) }
        if let type = product.type, let word = types[type] { lines.add("type", word) }
        if let offers = product.offers {
            lines.open("products")
            for offer in offers { write(offer, to: &lines) }
            lines.close("products")
        }
        if let texts = product.texts, !texts.isEmpty {
            lines.open("locales")
            for (locale, text) in texts.sorted(by: { $0.key < $1.key }) {
                lines.open("locale name=\"\(XMLText.escape(locale))\"")
                lines.add("title", text.title)
                lines.add("description", text.description)
                lines.close("locale")
            }
            lines.close("locales")
        }
        if let notes = product.reviewNotes, !notes.isEmpty { lines.add("review_notes", notes) }
        lines.open("read_only_info")
        lines.text +=
            lines.indent
            + "<read_only_value key=\"iap-status\">\(XMLText.escape(status))</read_only_value>\n"
        lines.close("read_only_info")
        lines.close("in_app_purchase")
        return lines.text
    }

    private static func write(_ offer: MetadataProduct.Offer, to lines: inout Lines) {
        lines.open("product")
        lines.add("territory", offer.territory?.country ?? "WW")
        lines.add("cleared_for_sale", offer.isClearedForSale ? "true" : "false")
        if let only = offer.prices.first, offer.prices.count == 1, only.start == nil,
            only.end == nil
        {
            lines.add("wholesale_price_tier", only.tier)
        } else if !offer.prices.isEmpty {
            lines.open("intervals")
            for price in offer.prices {
                lines.open("interval")
                if let start = price.start { lines.add("start_date", MetadataDay.text(start)) }
                if let end = price.end { lines.add("end_date", MetadataDay.text(end)) }
                lines.add("wholesale_price_tier", price.tier)
                lines.close("interval")
            }
            lines.close("intervals")
        }
        lines.close("product")
    }

    /// Elements in their lines.
    private struct Lines {
        var text = ""
        private var depth = 0
        var indent: String { String(repeating: "  ", count: depth) }

        mutating func open(_ tag: String, _ depth: Int? = nil) {
            if let depth { self.depth = depth }
            text += "\(indent)<\(tag)>\n"
            self.depth += 1
        }

        mutating func add(_ name: String, _ content: String) {
            text += "\(indent)<\(name)>\(XMLText.escape(content))</\(name)>\n"
        }

        mutating func close(_ name: String) {
            depth -= 1
            text += "\(indent)</\(name)>\n"
        }
    }
}
