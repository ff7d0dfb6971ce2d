import StoreWire

extension CommandSpec.Argument {
    static let product = CommandSpec.Argument(
        name: "PRODUCT", help: "The product, by product identifier or number.")
}

/// A product as a text names it, and where the API has it: auto-renewable subscriptions have types
/// and paths of their own.
struct NamedProduct: Sendable {
    let number: String
    var isSubscription = false

    /// The type of the API's resource.
    var type: String { isSubscription ? "subscriptions" : "inAppPurchases" }
    var path: String { "\(isSubscription ? "/v1/subscriptions" : "/v2/inAppPurchases")/\(number)" }
    /// The type of its texts.
    var localizations: String {
        isSubscription ? "subscriptionLocalizations" : "inAppPurchaseLocalizations"
    }
    /// The type of its screenshot for reviewers.
    var screenshots: String {
        isSubscription
            ? "subscriptionAppStoreReviewScreenshots" : "inAppPurchaseAppStoreReviewScreenshots"
    }
    /// The relationship by which texts and screenshots refer to it.
    var ownerField: String { isSubscription ? "subscription" : "inAppPurchaseV2" }
}

extension ConnectContext {
    /// The number of the product that a text names, whatever its type: an identifier in the app of
    /// `--app`, or in the only app, or a number.
    ///
    /// - Throws: `ConnectFailure`, with what may have been meant; `UsageError` where it isn't said
    ///   of which app.
    func productNumber(_ text: String) async throws -> String {
        try await namedProduct(text)?.number ?? text
    }

    /// The product that a text names, with where the API has it.
    ///
    /// - Throws: as `productNumber`.
    func product(_ text: String) async throws -> NamedProduct {
        if let named = try await namedProduct(text) { return named }
        let other = NamedProduct(number: text)
        do {
            _ = try await api.show(other.path)
            return other
        } catch let failure as ConnectFailure where failure.status == 404 {
            // A number may be a subscription's.
            let subscription = NamedProduct(number: text, isSubscription: true)
            guard (try? await api.show(subscription.path)) != nil else { throw failure }
            return subscription
        }
    }

    /// The one of the first argument.
    func product() async throws -> NamedProduct { try await product(arguments.argument(0)) }

    /// The subscription of the first argument.
    ///
    /// - Throws: as `product`, and `CommandFailure` for another product.
    func subscription() async throws -> NamedProduct {
        let text = arguments.argument(0)
        let named = try await product(text)
        guard named.isSubscription else {
            throw CommandFailure(
                description: "\(text) is no auto-renewable subscription; openstore product list "
                    + "--type \(SubscriptionProducts.type) lists those of the app",
                exitCode: .refused)
        }
        return named
    }

    /// The product with an identifier; `nil` if the text is a number.
    private func namedProduct(_ text: String) async throws -> NamedProduct? {
        // A number needs no app; an identifier may look like one.
        let isNumber = Int64(text) != nil
        if isNumber, arguments["app"] == nil { return nil }
        let app = try await app()
        let path = "/v1/apps/\(app.id)/inAppPurchasesV2"
        let found = try await api.list(path, ["filter[productId]": text])
        if let product = found.first(where: { $0.attribute("productId") == text }) {
            return NamedProduct(number: product.id)
        }
        if let subscription = try await SubscriptionProducts.named(text, of: app.id, api) {
            return NamedProduct(number: subscription.id, isSubscription: true)
        }
        if isNumber { return nil }
        let bundleID = app.attribute("bundleId")
        let all = try await api.list(path, limit: NotFound.limit)
        throw NotFound.failure(
            "in-app purchase", text, of: bundleID, in: all.map { $0.attribute("productId") },
            command: "product list --app \(bundleID)")
    }
}
