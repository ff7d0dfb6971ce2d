import StoreModel
import StoreWire

/// `openstore product show`
enum ProductShow: ConnectCommand {
    static let spec = CommandSpec.connect(
        ["product", "show"],
        summary: "Show an in-app purchase or a subscription with its price and texts.",
        discussion: """
            Says what is missing before it can be submitted, and why nobody can buy it where that
            does not depend on the product.
            """,
        arguments: [.product], options: [.app])

    static func run(_ connect: ConnectContext) async throws {
        let named = try await connect.anyProduct(connect.arguments.argument(0))
        if named.isSubscription {
            return try await show(
                try await SubscriptionProducts.show(named.number, connect.api),
                texts: "/v1/subscriptions/\(named.number)/subscriptionLocalizations", connect)
        }
        let path = "/v2/inAppPurchases/\(named.number)"
        let product: JSONValue
        do { product = try await connect.api.show(path) } catch let failure as ConnectFailure
            where failure.status == 404
        {
            // An Apple ID may be a subscription's.
            guard let found = try? await SubscriptionProducts.show(named.number, connect.api) else {
                throw failure
            }
            return try await show(
                found, texts: "/v1/subscriptions/\(named.number)/subscriptionLocalizations", connect
            )
        }
        try await show(product, texts: "\(path)/inAppPurchaseLocalizations", connect)
    }

    private static func show(
        _ product: JSONValue, texts path: String, _ connect: ConnectContext
    ) async throws {
        let status = try await ProductStatus.load(product.id, connect.api)
        connect.show.one(
            status.added(to: product),
            ProductSubject.columns + SubscriptionProducts.columns + [
                ProductStatus.price, .attribute("LEVEL", "groupLevel"),
                .attribute("FAMILY SHARING", "familySharable"),
                .attribute("HOSTS CONTENT", "contentHosting"),
                .attribute("NOTE", "reviewNote"),
            ])
        guard connect.show.isForPeople else { return }
        let texts = try await connect.api.list(path)
        connect.output.line("")
        connect.show.list(
            texts,
            [
                .attribute("LANGUAGE", "locale"), .attribute("NAME", "name"),
                .attribute("DESCRIPTION", "description"), .attribute("STATE", "state"),
            ], empty: "It has no texts yet.")
        let lines = status.missingLines(
            connect.arguments.argument(0), app: connect.arguments["app"],
            isSubscription: path.hasPrefix(scalars: "/v1/subscriptions/"),
            page: "\(connect.api.address)/connect/products/\(product.id)")
        for line in lines { connect.output.line(line) }
        let obstacle = status.obstacleLines
        if !obstacle.isEmpty { connect.output.line("") }
        for line in obstacle { connect.output.line(line) }
    }
}
