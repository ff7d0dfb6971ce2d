/// `openstore product list`
enum ProductList: ConnectCommand {
    static let spec = CommandSpec.connect(
        ["product", "list"], summary: "List an app's in-app purchases.",
        options: [
            ProductSubject.app,
            .value("product-id", "ID", "Only the one with this product identifier."),
            .value("name", "TEXT", "Only those with this reference name."),
            .value("state", "STATE", "Only those in this state, for example READY_TO_SUBMIT."),
            .value("type", "TYPE", "CONSUMABLE, NON_CONSUMABLE or NON_RENEWING_SUBSCRIPTION."),
            .value("sort", "KEY", "name or inAppPurchaseType, with - before it for downwards."),
            .limit,
        ])

    static func run(_ connect: ConnectContext) async throws {
        let app = try await ProductSubject.app(connect)
        let products = try await connect.api.list(
            "/v1/apps/\(app)/inAppPurchasesV2",
            connect.query([
                "product-id": "filter[productId]", "name": "filter[name]",
                "state": "filter[state]", "type": "filter[inAppPurchaseType]", "sort": "sort",
            ]), limit: connect.limit())
        connect.show.list(
            products, ProductSubject.columns, empty: "There are no such in-app purchases.")
    }
}
