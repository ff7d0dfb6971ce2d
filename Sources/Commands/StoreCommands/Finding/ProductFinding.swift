import StoreWire

extension CommandSpec.Argument {
    static let product = CommandSpec.Argument(
        name: "PRODUCT", help: "The product, by product identifier or number.")
}

/// A product as a text names it.
struct NamedProduct: Sendable {
    let number: String
    /// Whether it is known to be an auto-renewable subscription, which the API has elsewhere.
    var isSubscription = false
}

extension ConnectContext {
    /// The number of the in-app purchase that a text names: an identifier in the app of `--app`, or
    /// in the only app, or a number.
    ///
    /// - Throws: `ConnectFailure`, with what may have been meant; `UsageError` where it isn't said
    ///   of which app; `CommandFailure` for a subscription, with where it is changed.
    func productNumber(_ text: String) async throws -> String {
        let named = try await anyProduct(text)
        guard !named.isSubscription else {
            throw SubscriptionProducts.elsewhere(text, number: named.number, api)
        }
        return named.number
    }

    /// As `productNumber`, also for a subscription. A number may be either's.
    func anyProduct(_ text: String) async throws -> NamedProduct {
        // A number needs no app; an identifier may look like one.
        let isNumber = Int64(text) != nil
        if isNumber, arguments["app"] == nil { return NamedProduct(number: text) }
        let app = try await app()
        let path = "/v1/apps/\(app.id)/inAppPurchasesV2"
        let found = try await api.list(path, ["filter[productId]": text])
        if let product = found.first(where: { $0.attribute("productId") == text }) {
            return NamedProduct(number: product.id)
        }
        if let subscription = try await SubscriptionProducts.named(text, of: app.id, api) {
            return NamedProduct(number: subscription.id, isSubscription: true)
        }
        if isNumber { return NamedProduct(number: text) }
        let bundleID = app.attribute("bundleId")
        let all = try await api.list(path, limit: NotFound.limit)
        throw NotFound.failure(
            "in-app purchase", text, of: bundleID, in: all.map { $0.attribute("productId") },
            command: "product list --app \(bundleID)")
    }

    /// The one of the first argument.
    func productNumber() async throws -> String {
        try await productNumber(arguments.argument(0))
    }
}
