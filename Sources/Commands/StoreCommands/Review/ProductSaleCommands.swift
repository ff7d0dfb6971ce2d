import Foundation
import StoreWire

/// What the commands about sale have in common.
private enum SaleCommand {
    static func change(
        _ type: String, _ action: String, reason: String? = nil, _ connect: ConnectContext
    ) async throws {
        let text = connect.arguments.argument(0)
        let product = try await connect.productNumber(text)
        let changed = try await connect.api.create(
            type, at: "/openstore/v1/\(type)",
            ["action": .string(action), "reason": .text(reason)],
            relationships: ["inAppPurchase": ("inAppPurchases", product)])
        connect.show.done(changed, "\(text) is \(changed.attribute("state")).")
    }
}

/// `openstore product remove`
enum ProductRemove: ConnectCommand {
    static let spec = CommandSpec.connect(
        ["product", "remove"], summary: "Remove a product from sale.",
        discussion: "Who has bought it keeps it. It can be put on sale again without a review.",
        arguments: [.product], options: [.app])

    static func run(_ connect: ConnectContext) async throws {
        try await SaleCommand.change("saleChanges", "REMOVE", connect)
    }
}

/// `openstore product return`
enum ProductReturn: ConnectCommand {
    static let spec = CommandSpec.connect(
        ["product", "return"], summary: "Put a product on sale again.",
        arguments: [.product], options: [.app])

    static func run(_ connect: ConnectContext) async throws {
        try await SaleCommand.change("saleChanges", "RETURN", connect)
    }
}

/// `openstore product take-down`
enum ProductTakeDown: ConnectCommand {
    static let spec = CommandSpec.connect(
        ["product", "take-down"], summary: "Take anybody's product from sale (operators).",
        arguments: [.product],
        options: [
            .value("reason", "TEXT", "What its publisher is to know.").asRequired,
            .app,
        ])

    static func run(_ connect: ConnectContext) async throws {
        try await SaleCommand.change(
            "storeSaleChanges", "TAKE_DOWN", reason: try connect.arguments.required("reason"),
            connect)
    }
}

/// `openstore product reinstate`
enum ProductReinstate: ConnectCommand {
    static let spec = CommandSpec.connect(
        ["product", "reinstate"],
        summary: "Let a product be sold again that was taken down (operators).",
        arguments: [.product], options: [.app])

    static func run(_ connect: ConnectContext) async throws {
        try await SaleCommand.change("storeSaleChanges", "REINSTATE", connect)
    }
}
