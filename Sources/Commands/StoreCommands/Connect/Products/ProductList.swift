import StoreModel
import StoreWire

/// `openstore product list`
enum ProductList: ConnectCommand {
    static let spec = CommandSpec.connect(
        ["product", "list"], summary: "List an app's in-app purchases and subscriptions.",
        options: [
            .app,
            .value("product-id", "ID", "Only the one with this product identifier."),
            .value("name", "TEXT", "Only those with this reference name."),
            .value("state", "STATE", "Only those in this state, for example READY_TO_SUBMIT."),
            .value(
                "type", "TYPE",
                "CONSUMABLE, NON_CONSUMABLE, NON_RENEWING_SUBSCRIPTION or "
                    + "\(SubscriptionProducts.type)."),
            .value("sort", "KEY", "name or inAppPurchaseType, with - before it for downwards."),
            .limit,
        ])

    static func run(_ connect: ConnectContext) async throws {
        let app = try await connect.app().id
        let limit = try connect.limit()
        let type = connect.arguments["type"]
        var products: [JSONValue] = []
        if type != SubscriptionProducts.type {
            products = try await connect.api.list(
                "/v1/apps/\(app)/inAppPurchasesV2",
                connect.query([
                    "product-id": "filter[productId]", "name": "filter[name]",
                    "state": "filter[state]", "type": "filter[inAppPurchaseType]", "sort": "sort",
                ]), limit: limit)
        }
        var subscriptions: [JSONValue] = []
        if type == nil || type == SubscriptionProducts.type {
            // Products have states that the API doesn't know of subscriptions.
            let state = connect.arguments["state"]
            subscriptions = try await SubscriptionProducts.list(
                of: app,
                connect.query(["product-id": "filter[productId]", "name": "filter[name]"]),
                connect.api
            ).filter { state == nil || $0.attribute("state") == state }
        }
        connect.show.list(
            Self.rows(products, subscriptions, sort: connect.arguments["sort"], limit: limit),
            ProductSubject.columns + (subscriptions.isEmpty ? [] : SubscriptionProducts.columns),
            empty: "There are no such products.")
    }

    /// Both together, as they are asked for.
    private static func rows(
        _ products: [JSONValue], _ subscriptions: [JSONValue], sort: String?, limit: Int?
    ) -> [JSONValue] {
        var rows = products + subscriptions
        if let sort, !subscriptions.isEmpty {
            let key = sort.dropping(prefix: "-").map { String($0) } ?? sort
            rows.sort { $0.attribute(key) < $1.attribute(key) }
            if key != sort { rows.reverse() }
        }
        return limit.map { Array(rows.prefix($0)) } ?? rows
    }
}
