import StoreWire

/// `openstore product show`
enum ProductShow: ConnectCommand {
    static let spec = CommandSpec.connect(
        ["product", "show"], summary: "Show an in-app purchase with its texts.",
        arguments: [ProductSubject.product], options: [ProductSubject.app])

    static func run(_ connect: ConnectContext) async throws {
        let path = "/v2/inAppPurchases/\(try await ProductSubject.product(connect))"
        let product = try await connect.api.show(path)
        connect.show.one(
            product,
            ProductSubject.columns + [
                .attribute("FAMILY SHARING", "familySharable"),
                .attribute("HOSTS CONTENT", "contentHosting"),
                .attribute("NOTE", "reviewNote"),
            ])
        guard connect.show.isForPeople else { return }
        let texts = try await connect.api.list("\(path)/inAppPurchaseLocalizations")
        connect.output.line("")
        connect.show.list(
            texts,
            [
                .attribute("LANGUAGE", "locale"), .attribute("NAME", "name"),
                .attribute("DESCRIPTION", "description"), .attribute("STATE", "state"),
            ], empty: "It has no texts yet (openstore product update --locale).")
    }
}
