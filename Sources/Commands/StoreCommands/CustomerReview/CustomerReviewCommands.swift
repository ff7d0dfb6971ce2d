import StoreCore
import StoreWire

/// `openstore customer-review list`
enum CustomerReviewList: ConnectCommand {
    static let spec = CommandSpec.connect(
        ["customer-review", "list"], summary: "List what customers think of items.",
        discussion:
            "Publishers see the published reviews of their items; the store's staff sees all reviews.",
        options: [
            .value("item", "ITEM", "Only those of this item, by its number."),
            .value("state", "STATE", "PUBLISHED, HELD or REJECTED."),
            .value("rating", "STARS", "1 to 5."), .limit,
        ])

    static func run(_ connect: ConnectContext) async throws {
        var query = connect.query(["state": "filter[state]", "rating": "filter[rating]"])
        query["filter[item]"] = try connect.arguments["item"].map { try ItemSubject.number($0) }
        let reviews = try await connect.api.list(
            CustomerReviewSubject.path, query, limit: connect.limit())
        connect.show.list(
            reviews,
            [
                .id, .attribute("ITEM", "itemId"), .attribute("STARS", "rating"),
                .attribute("TITLE", "title"), .attribute("BY", "nickname"),
                .attribute("STATE", "state"), .attribute("HELD BECAUSE", "holdReason"),
                .attribute("ANSWER", "response"),
            ], empty: "There are no such reviews.")
    }
}

/// `openstore customer-review respond`
enum CustomerReviewRespond: ConnectCommand {
    static let spec = CommandSpec.connect(
        ["customer-review", "respond"], summary: "Answer a review of one of your items.",
        discussion: "Everybody reads the answer below the review. Another one takes its place.",
        arguments: [
            CustomerReviewSubject.review,
            .init(name: "TEXT", help: "The answer.", isOptional: true),
        ],
        options: [.flag("remove", "Take the answer away.")])

    static func run(_ connect: ConnectContext) async throws {
        let text = connect.arguments.optionalArgument(1)
        let isRemoval = connect.arguments.has("remove")
        guard isRemoval == (text == nil) else {
            throw UsageError(description: "say either the answer or --remove")
        }
        let review = try await connect.api.update(
            "customerReviews", at: try CustomerReviewSubject.reviewPath(connect),
            ["response": .text(text)])
        connect.show.done(review, isRemoval ? "The answer is removed." : "It is answered.")
    }
}

/// `openstore customer-review publish`
enum CustomerReviewPublish: ConnectCommand {
    static let spec = CommandSpec.connect(
        ["customer-review", "publish"], summary: "Let everybody see a review that is held.",
        arguments: [CustomerReviewSubject.review])

    static func run(_ connect: ConnectContext) async throws {
        try await CustomerReviewSubject.decide("PUBLISH", "", "is published", connect)
    }
}

/// `openstore customer-review reject`
enum CustomerReviewReject: ConnectCommand {
    static let spec = CommandSpec.connect(
        ["customer-review", "reject"], summary: "Hide a review from customers and publishers.",
        discussion: "Its stars don't count any more; publishing it brings them back.",
        arguments: [CustomerReviewSubject.review],
        options: [.value("reason", "TEXT", "Why, for whoever looks at it again.").asRequired])

    static func run(_ connect: ConnectContext) async throws {
        try await CustomerReviewSubject.decide(
            "REJECT", try connect.arguments.required("reason"), "is rejected", connect)
    }
}

/// The review that a command is about.
enum CustomerReviewSubject {
    static let path = "/openstore/v1/customerReviews"
    static let review = CommandSpec.Argument(
        name: "REVIEW", help: "Its number, as openstore customer-review list shows it.")

    static func reviewPath(_ connect: ConnectContext) throws -> String {
        "\(path)/\(try number(connect))"
    }

    static func decide(
        _ decision: String, _ reason: String, _ words: String, _ connect: ConnectContext
    ) async throws {
        let id = try number(connect)
        var attributes: [String: JSONValue] = ["decision": .string(decision)]
        if !reason.isEmpty { attributes["reason"] = .string(reason) }
        let decided = try await connect.api.create(
            "customerReviewDecisions", at: "/openstore/v1/customerReviewDecisions", attributes,
            relationships: ["review": ("customerReviews", id)])
        connect.show.done(decided, "Review \(id) \(words).")
    }

    private static func number(_ connect: ConnectContext) throws -> String {
        let text = connect.arguments.argument(0)
        guard let id = ReviewID(text) else {
            throw UsageError(
                description: "\"\(text)\" is no review; openstore customer-review list shows them")
        }
        return id.description
    }
}
