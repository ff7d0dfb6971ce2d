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
        let named = try await connect.product()
        let product =
            named.isSubscription
            ? try await SubscriptionProducts.show(named.number, connect.api)
            : try await connect.api.show(named.path)
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
        let texts = try await connect.api.list("\(named.path)/\(named.localizations)")
        connect.output.line("")
        connect.show.list(
            texts,
            [
                .attribute("LANGUAGE", "locale"), .attribute("NAME", "name"),
                .attribute("DESCRIPTION", "description"), .attribute("STATE", "state"),
            ], empty: "It has no texts yet.")
        let lines = status.missingLines(
            connect.arguments.argument(0), app: connect.arguments["app"],
            page: "\(connect.api.address)/connect/products/\(product.id)")
        for line in lines { connect.output.line(line) }
        let obstacle = status.obstacleLines
        if !obstacle.isEmpty { connect.output.line("") }
        for line in obstacle { connect.output.line(line) }
    }
}
