import StoreModel
import StoreWire

/// `openstore product create`
enum ProductCreate: ConnectCommand {
    static let spec = CommandSpec.connect(
        ["product", "create"], summary: "Make an in-app purchase or a subscription.",
        discussion: """
            Its product identifier is never given again in the app, not even after a deletion.
            Give it texts with openstore product update, and a price with openstore price set;
            openstore product show says what is still missing. The group of a subscription has
            commands of its own (openstore subscription-group), as introductory offers have
            (openstore introductory-offer).
            """,
        options: [
            .app,
            .value("product-id", "ID", "Its product identifier.").asRequired,
            .value(
                "type", "TYPE",
                "CONSUMABLE, NON_CONSUMABLE, NON_RENEWING_SUBSCRIPTION or "
                    + "\(SubscriptionProducts.type)."
            ).asRequired,
            .value("name", "TEXT", "Its reference name, for lists and reports.").asRequired,
            .value(
                "duration", "PERIOD",
                "For an auto-renewable subscription: \(SubscriptionProducts.periods)."),
            .value(
                "group", "NAME",
                "For an auto-renewable subscription: its group, which is made where the app has "
                    + "none of the name. Customers have one subscription of a group at a time."),
            .value(
                "level", "NUMBER",
                "For an auto-renewable subscription: its level of service in the group; 1, the "
                    + "highest, unless given."),
            .value("review-note", "TEXT", "What reviewers should know."),
            .flag("family-sharing", "Let families share it."),
        ])

    static func run(_ connect: ConnectContext) async throws {
        let arguments = connect.arguments
        let type = try arguments.required("type").uppercased()
            .replacing(scalar: "-", with: "_")
        var attributes: [String: JSONValue] = [
            "productId": .string(try arguments.required("product-id")),
            "name": .string(try arguments.required("name")),
            "reviewNote": .text(arguments["review-note"]),
            "familySharable": .bool(arguments.has("family-sharing")),
        ]
        if type == SubscriptionProducts.type {
            return try await subscription(attributes, connect)
        }
        for option in ["duration", "group", "level"] where arguments[option] != nil {
            throw UsageError(
                option: option,
                "only an auto-renewable subscription has one "
                    + "(--type \(SubscriptionProducts.type))")
        }
        attributes["inAppPurchaseType"] = .string(type)
        let product = try await connect.api.create(
            "inAppPurchases", at: "/v2/inAppPurchases", attributes,
            relationships: ["app": ("apps", try await connect.app().id)])
        show(product, connect)
    }

    private static func subscription(
        _ attributes: [String: JSONValue], _ connect: ConnectContext
    ) async throws {
        let arguments = connect.arguments
        let period = try arguments.required("duration", "one of \(SubscriptionProducts.periods)") {
            SubscriptionPeriod(iso8601: $0)?.connectName
        }
        let level = try SubscriptionProducts.level(arguments)
        let name = try arguments.required("group")
        let app = try await connect.app().id
        let known = try await connect.api.list("/v1/apps/\(app)/subscriptionGroups")
            .first { $0.attribute("referenceName") == name }
        let group: JSONValue
        if let known {
            group = known
        } else {
            group = try await connect.api.create(
                "subscriptionGroups", at: "/v1/subscriptionGroups",
                ["referenceName": .string(name)], relationships: ["app": ("apps", app)])
        }
        let product = try await connect.api.create(
            "subscriptions", at: "/v1/subscriptions",
            attributes.merging([
                "subscriptionPeriod": .string(period),
                "groupLevel": level.map { .integer($0) } ?? .null,
            ]) { $1 },
            relationships: ["group": ("subscriptionGroups", group.id)])
        show(product, connect)
    }

    private static func show(_ product: JSONValue, _ connect: ConnectContext) {
        let id = product.attribute("productId")
        let app = connect.arguments["app"].map { " --app \(shellWord($0))" } ?? ""
        connect.show.done(
            product,
            "\(id) is made; its Apple ID is \(product.id). What it still needs is shown by openstore "
                + "product show \(id)\(app).")
    }
}
