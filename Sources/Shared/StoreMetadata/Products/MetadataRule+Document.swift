// The elements of Apple's App Metadata Specification 5 that in-app purchases need. Elements
// may stand in any order.
extension MetadataRule {
    static let document = holding(.one("package", package))

    private static let package = holding(
        required: ["xmlns", "version"],
        .optional("metadata_token"), .optional("language"), .optional("provider"),
        .optional("team_id"), .one("software", software))

    private static let software = holding(
        .one("vendor_id"), .optional("read_only_info", readOnly),
        .one("software_metadata", softwareMetadata), .passedOver("software_assets"))

    private static let softwareMetadata = holding(
        optional: ["app_platform"],
        .optional("in_app_purchases", products), .passedOver("versions"),
        .passedOver("products"), .passedOver("game_center"), .passedOver("primary_locale"),
        .passedOver("accessibility_info"))

    private static let products = holding(
        .many(productElement, limit: MetadataLimits.products, product))

    /// The element that is one product.
    static let productElement = "in_app_purchase"

    private static let product = holding(
        .one("product_id"), .one("reference_name"), .one("type"),
        .optional("products", sales), .optional("locales", locales),
        .optional("review_screenshot", file()), .optional("review_notes"),
        .optional("software_assets", assets), .optional("read_only_info", readOnly))

    private static let sales = holding(
        .many(
            "product", limit: 300,
            holding(
                .optional("territory"), .one("cleared_for_sale"),
                .optional("wholesale_price_tier"), .optional("intervals", intervals))))

    private static let intervals = holding(
        .many(
            "interval", limit: 100,
            holding(
                .optional("start_date"), .optional("end_date"), .one("wholesale_price_tier"))))

    private static let locales = holding(
        .many(
            "locale", limit: 100,
            holding(required: ["name"], .one("title"), .optional("description"))))

    private static let assets = holding(
        .optional("asset", holding(optional: ["type"], .one("data_file", file()))))

    private static func file() -> MetadataRule {
        holding(.one("file_name"), .one("size"), .one("checksum", .text(required: "type")))
    }

    private static let readOnly = holding(
        .many("read_only_value", limit: 100, .text(required: "key")))
}
