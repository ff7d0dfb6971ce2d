import StoreCore
import StoreModel
import StoreWire

extension ResourceType {
    /// What customers think of items. Publishers see what is published of their items, moderators
    /// everything.
    static let customerReviews = ResourceType(
        "customerReviews", at: "/openstore/v1/customerReviews", reading: .viewApps,
        shape: customerReviewShape,
        find: { call, id in
            Resource(
                try await call.services.customerReviews.review(review(id), by: call.actor))
        })

    /// What moderators decide.
    static let customerReviewDecisions = ResourceType(
        "customerReviewDecisions", at: "/openstore/v1/customerReviewDecisions",
        reading: .moderateReviews,
        shape: ResourceShape([
            "decision": .choice(["PUBLISH", "REJECT"]), "reason": .text(0...2000),
            "state": .choice(CustomerReviewState.allCases.map(\.rawValue)),
        ]),
        relationships: [
            .one("review", to: "customerReviews") { call, wanted in
                Resource(
                    try await call.services.customerReviews.review(
                        review(wanted.id), by: call.actor))
            }
        ])

    private static let customerReviewShape = ResourceShape([
        "itemId": .text(1...20), "environment": .choice(["PRODUCTION", "SANDBOX"]),
        "rating": .integer(1...5), "title": .text(0...400),
        "body": .text(0...20_000),
        "nickname": .text(1...100), "territory": .text(3...3),
        "version": .optional(.text(1...100)),
        "state": .choice(CustomerReviewState.allCases.map(\.rawValue)),
        "holdReason": .optional(.text(1...400)), "helpfulVotes": .integer(0...(1 << 31)),
        "votes": .integer(0...(1 << 31)), "response": .optional(.text(1...20_000)),
        "responseDate": .optional(.dateTime), "createdDate": .dateTime, "changedDate": .dateTime,
    ])

    /// - Throws: `ConnectRefusal.notFound` for text that is no identifier.
    static func review(_ text: String) throws -> ReviewID {
        guard let id = ReviewID(text) else {
            throw ConnectRefusal.notFound("review", String(text.prefix(40)))
        }
        return id
    }
}

extension Resource {
    init(_ review: CustomerReview) {
        self.init(
            .customerReviews, id: review.id.description,
            [
                "itemId": .string(review.item.description),
                "environment": .string(
                    review.environment == .sandbox ? "SANDBOX" : "PRODUCTION"),
                "rating": .integer(review.rating), "title": .string(review.title),
                "body": .string(review.body), "nickname": .string(review.nickname),
                "territory": .string(review.storefront.code), "version": .text(review.version),
                "state": .string(review.state.rawValue), "holdReason": .text(review.holdReason),
                "helpfulVotes": .integer(review.helpfulVotes), "votes": .integer(review.votes),
                "response": .text(review.response), "responseDate": .time(review.responseDate),
                "createdDate": .time(review.created), "changedDate": .time(review.changed),
            ])
    }
}

extension ConnectOperation {
    private static let reviewFilters: [String: AttributeForm] = [
        "state": .choice(CustomerReviewState.allCases.map(\.rawValue)),
        "rating": .choice((1...5).map(String.init)),
        "environment": .choice(["PRODUCTION", "SANDBOX"]),
    ]

    static let customerReviews: [ConnectOperation] =
        reading(.customerReviews) + [
            .list(
                .customerReviews, .viewApps, filters: reviewFilters,
                searches: ["item": .text(1...20)]
            ) { try await reviews($0) },
            .update(.customerReviews, .respondToReviews, changing: ["response"]) { call in
                let id = try ResourceType.review(call.id)
                let service = call.services.customerReviews
                guard let response = call.data.change("response") else {
                    return Resource(try await service.review(id, by: call.actor))
                }
                return Resource(try await service.respond(to: id, text: response, by: call.actor))
            },
            .create(
                .customerReviewDecisions, .moderateReviews, required: ["decision", "review"],
                optional: ["reason"]
            ) { call in
                let publishes = try call.data.text("decision") == "PUBLISH"
                let review = try await call.services.customerReviews.decide(
                    ResourceType.review(try call.data.one("review")), publish: publishes,
                    reason: call.data.optionalText("reason") ?? "", by: call.actor)
                return Resource(
                    .customerReviewDecisions, id: review.id.description,
                    [
                        "decision": .string(publishes ? "PUBLISH" : "REJECT"),
                        "reason": .string(call.data.optionalText("reason") ?? ""),
                        "state": .string(review.state.rawValue),
                    ],
                    links: [
                        "review": [
                            ResourceLink(type: "customerReviews", id: review.id.description)
                        ]
                    ])
            },
        ]

    private static func reviews(_ call: ConnectCall) async throws -> ListPage<Resource> {
        let states = (call.query.filter("state") ?? []).compactMap(
            CustomerReviewState.init(rawValue:))
        let environments = Set(call.query.filter("environment") ?? [])
        return try await call.services.customerReviews.page(
            states: Set(states),
            item: try call.query.one("item").map { try ResourceType.itemID($0) },
            rating: try call.query.one("rating").flatMap { Int($0) },
            environment: environments.count == 1
                ? environments.first == "SANDBOX" ? .sandbox : .production : nil,
            call.page(), by: call.actor
        ).map { Resource($0) }
    }
}
