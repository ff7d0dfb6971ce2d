import StoreWire

/// `openstore content host`
enum ContentHost: ConnectCommand {
    static let spec = CommandSpec.connect(
        ["content", "host"], summary: "Have the store host a product's content.",
        discussion: """
            For non-consumables that were never on sale. The product waits for its upload then, and
            is sold with content only.
            """,
        arguments: [.product], options: [.app])

    static func run(_ connect: ConnectContext) async throws {
        let changed = try await connect.setHosting(true)
        let product = changed.attribute("productId")
        connect.show.done(
            changed,
            "The store hosts the content of \(product): bring it with openstore content upload.")
    }
}

/// `openstore content unhost`
enum ContentUnhost: ConnectCommand {
    static let spec = CommandSpec.connect(
        ["content", "unhost"], summary: "Take back the hosting of a product's content.",
        discussion: "Possible until the product was first on sale.",
        arguments: [.product], options: [.app])

    static func run(_ connect: ConnectContext) async throws {
        let changed = try await connect.setHosting(false)
        connect.show.done(
            changed, "The store hosts no content of \(changed.attribute("productId")).")
    }
}

extension ConnectContext {
    fileprivate func setHosting(_ isHosted: Bool) async throws -> JSONValue {
        let product = try await product()
        guard !product.isSubscription else {
            throw CommandFailure(
                description:
                    "\(arguments.argument(0)) is an auto-renewable subscription: the store "
                    + "hosts content for non-consumables only", exitCode: .refused)
        }
        return try await api.update(
            "contentHostings", at: "/openstore/v1/contentHostings/\(product.number)",
            ["isHosted": .bool(isHosted)])
    }
}
