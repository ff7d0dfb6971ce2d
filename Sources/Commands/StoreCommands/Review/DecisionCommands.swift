import Foundation
import StoreWire

/// `openstore review list`
enum ReviewList: ConnectCommand {
    static let spec = CommandSpec.connect(
        ["review", "list"], summary: "List what waits for a decision, the oldest first.",
        options: [.limit])

    static func run(_ connect: ConnectContext) async throws {
        let queue = try await connect.api.list(
            "/openstore/v1/reviewQueue", limit: connect.limit())
        connect.show.list(
            queue, ConnectRenderer.Column.submission, empty: "Nothing waits for review.")
    }
}

/// `openstore review show`
enum ReviewShow: ConnectCommand {
    static let spec = CommandSpec.connect(
        ["review", "show"], summary: "Show what has changed in one part of a submission.",
        arguments: [.init(name: "ITEM", help: "The part, as openstore submission show lists it.")])

    static func run(_ connect: ConnectContext) async throws {
        let item = try await connect.api.show(
            "/openstore/v1/reviewSubmissionItems/\(connect.arguments.argument(0))")
        connect.show.one(
            item,
            ConnectRenderer.Column.item + [
                ConnectRenderer.Column("CHANGES") { item in
                    (item["attributes"]?["changes"]?.elements ?? []).map { change in
                        let before = change["before"]?.text.map { "\"\($0)\"" } ?? "nothing"
                        let after = change["after"]?.text.map { "\"\($0)\"" } ?? "nothing"
                        return "\n  \(change["name"]?.text ?? ""): \(before) → \(after)"
                    }.joined()
                }
            ])
    }
}

/// `openstore review claim`
enum ReviewClaim: ConnectCommand {
    static let spec = CommandSpec.connect(
        ["review", "claim"], summary: "Begin the review of a submission, or take it over.",
        arguments: [.init(name: "ID", help: "The submission.")])

    static func run(_ connect: ConnectContext) async throws {
        let id = connect.arguments.argument(0)
        let claimed = try await connect.api.create(
            "reviewClaims", at: "/openstore/v1/reviewClaims", [:],
            relationships: ["submission": ("reviewSubmissions", id)])
        connect.show.done(
            claimed,
            "You review submission \(id) now. Decide about each part with openstore review approve "
                + "ITEM, reject or ask:")
        guard connect.show.isForPeople else { return }
        let items = try await connect.api.list("/openstore/v1/reviewSubmissions/\(id)/items")
        connect.show.list(items, ConnectRenderer.Column.item, empty: "There is nothing in it.")
    }
}

/// What the commands that decide have in common.
private enum Deciding {
    static let item = CommandSpec.Argument(
        name: "ITEM", help: "The part, as openstore submission show lists it.")
    static let message: CommandSpec.Option = .value(
        "message", "TEXT", "What the publisher is to know.")

    static func decide(
        _ decision: String, message: String?, _ connect: ConnectContext
    ) async throws {
        let id = connect.arguments.argument(0)
        let decided = try await connect.api.create(
            "reviewDecisions", at: "/openstore/v1/reviewDecisions",
            ["decision": .string(decision), "message": .text(message)],
            relationships: ["item": ("reviewSubmissionItems", id)])
        connect.show.done(
            decided,
            "It is \(decided.attribute("itemState")); the submission is "
                + "\(decided.attribute("submissionState")).")
    }
}

/// `openstore review approve`
enum ReviewApprove: ConnectCommand {
    static let spec = CommandSpec.connect(
        ["review", "approve"], summary: "Approve one part of a submission.",
        arguments: [Deciding.item])

    static func run(_ connect: ConnectContext) async throws {
        try await Deciding.decide("APPROVE", message: nil, connect)
        guard connect.show.isForPeople else { return }
        // All products of a submission are of one team, whose agreement it is about.
        let item = "/openstore/v1/reviewSubmissionItems/\(connect.arguments.argument(0))"
        let submission = try await connect.api.show("\(item)/submission").id
        let products = try await connect.api.list(
            "/openstore/v1/reviewSubmissions/\(submission)/inAppPurchases", limit: 1)
        if let product = products.first { try await connect.showObstacle(to: product.id) }
    }
}

/// `openstore review reject`
enum ReviewReject: ConnectCommand {
    static let spec = CommandSpec.connect(
        ["review", "reject"], summary: "Reject one part of a submission.",
        arguments: [Deciding.item], options: [Deciding.message.asRequired])

    static func run(_ connect: ConnectContext) async throws {
        try await Deciding.decide(
            "REJECT", message: try connect.arguments.required("message"), connect)
    }
}

/// `openstore review ask`
enum ReviewAsk: ConnectCommand {
    static let spec = CommandSpec.connect(
        ["review", "ask"], summary: "Send a product back with something its developer must do.",
        arguments: [Deciding.item], options: [Deciding.message.asRequired])

    static func run(_ connect: ConnectContext) async throws {
        try await Deciding.decide(
            "DEVELOPER_ACTION_NEEDED", message: try connect.arguments.required("message"),
            connect)
    }
}
