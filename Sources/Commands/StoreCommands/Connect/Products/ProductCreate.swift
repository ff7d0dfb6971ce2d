import StoreModel
import StoreWire

/// `openstore product create`
enum ProductCreate: ConnectCommand {
    static let spec = CommandSpec.connect(
        ["product", "create"], summary: "Make an in-app purchase.",
        discussion: """
            Its product identifier is never given again in the app, not even after a deletion.
            Give it texts with openstore product update, and a price with openstore price set.
            """,
        options: [
            .app,
            .value("product-id", "ID", "Its product identifier.").asRequired,
            .value("type", "TYPE", "CONSUMABLE, NON_CONSUMABLE or NON_RENEWING_SUBSCRIPTION.")
                .asRequired,
            .value("name", "TEXT", "Its reference name, for lists and reports.").asRequired,
            .value("review-note", "TEXT", "What reviewers should know."),
            .flag("family-sharing", "Let families share it."),
        ])

    static func run(_ connect: ConnectContext) async throws {
        let arguments = connect.arguments
        let type = try arguments.required("type").uppercased()
            .replacing(scalar: "-", with: "_")
        guard type != SubscriptionProducts.type else {
            throw UsageError(
                option: "type",
                "an auto-renewable subscription has a group and a period, which this command does "
                    + "not know: make it in the portal "
                    + "(\(connect.api.address)/connect, the app, In-App Purchases, New), or import it "
                    + "with openstore product import FILE.storekit")
        }
        let attributes: [String: JSONValue] = [
            "productId": .string(try arguments.required("product-id")),
            "name": .string(try arguments.required("name")),
            "inAppPurchaseType": .string(type),
            "reviewNote": .text(arguments["review-note"]),
            "familySharable": .bool(arguments.has("family-sharing")),
        ]
        let product = try await connect.api.create(
            "inAppPurchases", at: "/v2/inAppPurchases", attributes,
            relationships: ["app": ("apps", try await connect.app().id)])
        connect.show.done(
            product,
            "\(product.attribute("productId")) is made; its Apple ID is \(product.id).")
    }
}
