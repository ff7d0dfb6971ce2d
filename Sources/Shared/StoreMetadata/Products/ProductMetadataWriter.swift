import Foundation
import StoreModel

/// Writes products as the metadata XML of App Store Connect's Transporter, one after the
/// other. `ProductMetadataReader` reads it.
///
///     var writer = try ProductMetadataWriter(header) { try file.write(contentsOf: $0) }
///     for product in products { try writer.add(product) }
///     try writer.finish()
package struct ProductMetadataWriter {
    private var markup: MarkupWriter

    package init(_ header: MetadataHeader, sink: @escaping (Data) throws -> Void) throws {
        markup = MarkupWriter(sink: sink)
        try markup.begin(
            "package", [("xmlns", ProductMetadataReader.namespace), ("version", "software5.11")])
        if let provider = header.provider { try markup.text("provider", provider) }
        if let team = header.teamID { try markup.text("team_id", team) }
        try markup.begin("software")
        try markup.text("vendor_id", header.vendorID)
        if let number = header.appleID { try readOnly(["apple-id": String(number)]) }
        try markup.begin("software_metadata")
        try markup.begin("in_app_purchases")
    }

    package mutating func add(_ product: MetadataProduct) throws {
        try markup.begin(MetadataRule.productElement)
        for remark in product.remarks { try markup.comment(remark) }
        try markup.text("product_id", product.productID.text)
        try markup.text("reference_name", product.referenceName)
        guard let type = ProductElementParser.types.first(where: { $0.type == product.type }) else {
            preconditionFailure("a type without a name in the file")
        }
        try markup.text("type", type.name)
        try add(product.territories)
        try add(product.texts)
        if let screenshot = product.reviewScreenshot {
            try markup.begin("review_screenshot")
            try add(screenshot)
            try markup.end()
        }
        if let notes = product.reviewNotes { try markup.text("review_notes", notes) }
        if let content = product.content {
            for name in ["software_assets", "asset", "data_file"] { try markup.begin(name) }
            try add(content)
            for _ in 0..<3 { try markup.end() }
        }
        try readOnly(product.readOnly)
        try markup.end()
    }

    /// Ends the file.
    package mutating func finish() throws {
        for _ in 0..<4 { try markup.end() }
        try markup.finish()
    }

    private mutating func add(_ texts: [MetadataText]?) throws {
        guard let texts else { return }
        try markup.begin("locales")
        for text in texts {
            try markup.begin("locale", [("name", text.locale)])
            try markup.text("title", text.title)
            try markup.text("description", text.description)
            try markup.end()
        }
        try markup.end()
    }

    private mutating func add(_ territories: [MetadataTerritory]) throws {
        guard !territories.isEmpty else { return }
        try markup.begin("products")
        for territory in territories {
            try markup.begin("product")
            try markup.text("territory", territory.code)
            try markup.text("cleared_for_sale", territory.isClearedForSale ? "true" : "false")
            if territory.prices.count == 1, territory.prices[0].isUndated {
                try markup.text("wholesale_price_tier", territory.prices[0].tier)
            } else if !territory.prices.isEmpty {
                try add(territory.prices)
            }
            try markup.end()
        }
        try markup.end()
    }

    private mutating func add(_ prices: [MetadataPrice]) throws {
        try markup.begin("intervals")
        for price in prices {
            try markup.begin("interval")
            if let start = price.start { try markup.text("start_date", start.description) }
            if let end = price.end { try markup.text("end_date", end.description) }
            try markup.text("wholesale_price_tier", price.tier)
            try markup.end()
        }
        try markup.end()
    }

    private mutating func add(_ file: MetadataAttachment) throws {
        try markup.text("file_name", file.name)
        try markup.text("size", String(file.size))
        try markup.text("checksum", file.md5, [("type", "md5")])
    }

    private mutating func readOnly(_ values: [String: String]) throws {
        guard !values.isEmpty else { return }
        try markup.begin("read_only_info")
        for (key, value) in values.sorted(by: { $0.key < $1.key }) {
            try markup.text("read_only_value", value, [("key", key)])
        }
        try markup.end()
    }
}
