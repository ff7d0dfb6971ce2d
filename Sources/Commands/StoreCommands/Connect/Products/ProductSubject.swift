import StoreWire

/// Finds the app and the in-app purchase that a command is about.
enum ProductSubject {
    static let app: CommandSpec.Option = .value(
        "app", "APP", "The app, by bundle identifier or Apple ID.")
    static let product = CommandSpec.Argument(
        name: "PRODUCT",
        help: "The in-app purchase, by Apple ID; with --app also by product identifier.")

    /// The Apple ID of the app of `--app`.
    static func app(_ connect: ConnectContext) async throws -> String {
        let text = try connect.arguments.required("app")
        guard Int64(text) == nil else { return text }
        let found = try await connect.api.list("/v1/apps", ["filter[bundleId]": text])
        guard let app = found.first(where: { $0.attribute("bundleId") == text }) else {
            throw ConnectFailure.notFound("--app: there is no app \(text), or not for you.")
        }
        return app.id
    }

    /// The Apple ID of the in-app purchase that the first argument names.
    static func product(_ connect: ConnectContext) async throws -> String {
        let text = connect.arguments.argument(0)
        guard connect.arguments["app"] != nil else {
            guard Int64(text) != nil else {
                throw UsageError(
                    description: "\(text) is a product identifier: name its app with --app")
            }
            return text
        }
        let app = try await app(connect)
        let found = try await connect.api.list(
            "/v1/apps/\(app)/inAppPurchasesV2", ["filter[productId]": text])
        if let product = found.first(where: { $0.attribute("productId") == text }) {
            return product.id
        }
        guard Int64(text) != nil else {
            throw ConnectFailure.notFound("The app has no in-app purchase \(text).")
        }
        return text
    }

    static let columns: [ConnectRenderer.Column] = [
        .id, .attribute("PRODUCT", "productId"), .attribute("NAME", "name"),
        .attribute("TYPE", "inAppPurchaseType"), .attribute("STATE", "state"),
    ]
}
