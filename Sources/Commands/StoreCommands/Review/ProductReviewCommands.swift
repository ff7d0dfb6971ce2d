import Foundation
import StoreWire

/// `openstore product submit`
enum ProductSubmit: ConnectCommand {
    static let spec = CommandSpec.connect(
        ["product", "submit"], summary: "Submit a product for review.",
        discussion: "It goes with whatever is new of it: texts, content, or both.",
        arguments: [ReviewSubject.product], options: [ReviewSubject.app])

    static func run(_ connect: ConnectContext) async throws {
        let product = try await ReviewSubject.product(connect.arguments.argument(0), connect)
        let made = try await SubmissionCreate.submit([product], version: nil, connect)
        connect.show.done(made, "Submission \(made.id) waits for review.")
    }
}

/// `openstore product withdraw`
enum ProductWithdraw: ConnectCommand {
    static let spec = CommandSpec.connect(
        ["product", "withdraw"], summary: "Take back a product that waits for review.",
        arguments: [ReviewSubject.product], options: [ReviewSubject.app])

    static func run(_ connect: ConnectContext) async throws {
        let product = try await ReviewSubject.product(connect.arguments.argument(0), connect)
        let items = try await connect.api.list(
            "/openstore/v1/reviewSubmissionItems", ["filter[inAppPurchase]": product], limit: 1)
        guard let item = items.first else {
            throw UsageError(description: "the product was never submitted")
        }
        try await connect.api.delete("/openstore/v1/reviewSubmissionItems/\(item.id)")
        connect.show.done(id: item.id, "\(item.attribute("name")) is taken back.")
    }
}

/// What the commands about sale have in common.
private enum SaleCommand {
    static func change(
        _ type: String, _ action: String, reason: String? = nil, _ connect: ConnectContext
    ) async throws {
        let text = connect.arguments.argument(0)
        let product = try await ReviewSubject.product(text, connect)
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
        arguments: [ReviewSubject.product], options: [ReviewSubject.app])

    static func run(_ connect: ConnectContext) async throws {
        try await SaleCommand.change("saleChanges", "REMOVE", connect)
    }
}

/// `openstore product return`
enum ProductReturn: ConnectCommand {
    static let spec = CommandSpec.connect(
        ["product", "return"], summary: "Put a product on sale again.",
        arguments: [ReviewSubject.product], options: [ReviewSubject.app])

    static func run(_ connect: ConnectContext) async throws {
        try await SaleCommand.change("saleChanges", "RETURN", connect)
    }
}

/// `openstore product take-down`
enum ProductTakeDown: ConnectCommand {
    static let spec = CommandSpec.connect(
        ["product", "take-down"], summary: "Take anybody's product from sale (operators).",
        arguments: [ReviewSubject.product],
        options: [
            .value("reason", "TEXT", "What its publisher is to know."), ReviewSubject.app,
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
        arguments: [ReviewSubject.product], options: [ReviewSubject.app])

    static func run(_ connect: ConnectContext) async throws {
        try await SaleCommand.change("storeSaleChanges", "REINSTATE", connect)
    }
}
