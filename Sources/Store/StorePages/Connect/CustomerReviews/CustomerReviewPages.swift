import StoreCore
import StoreModel

extension PortalRouteTable {
    /// What customers think of items: publishers answer, moderators decide.
    static let customerReviews: [PortalRoute] = [
        .get("/customer-reviews", .viewApps, CustomerReviewPages.list),
        .get("/customer-reviews/{id}", .viewApps, CustomerReviewPages.show),
        .post("/customer-reviews/{id}/respond", .respondToReviews, CustomerReviewPages.respond),
        .post("/customer-reviews/{id}/decide", .moderateReviews, CustomerReviewPages.decide),
    ]
}

/// Customers' reviews: the list, and one with what can be done about it.
enum CustomerReviewPages {
    private static let root = PortalSection.customerReviews.path

    private static func isModerator(_ call: PortalCall) -> Bool {
        call.actor.team == nil && call.actor.allows(.moderateReviews)
    }

    // MARK: The list

    static func list(_ call: PortalCall) async throws -> PortalAnswer {
        let isModerator = isModerator(call)
        // Moderators come for what waits, unless they ask for something else.
        let state = call.request.query.first { $0.name == "state" }?.value
        let states: Set<CustomerReviewState> =
            isModerator && state == nil
            ? [.held]
            : Set([state.flatMap { CustomerReviewState(rawValue: $0) }].compactMap(\.self))
        let found = try await call.services.customerReviews.page(
            states: states, item: call.query("item").flatMap { ItemID($0) },
            rating: call.query("rating").flatMap { Int($0) }.flatMap {
                (1...5).contains($0) ? $0 : nil
            },
            PageRequest(limit: PortalPaging.size, cursor: call.query("page")), by: call.actor)
        let titles = try await call.titles(of: found.items.map(\.item))
        var page = PortalPage(
            PortalSection.customerReviews.title,
            [
                choice(call, states, isModerator),
                PortalTable(
                    "Reviews",
                    columns: [
                        .init("Review"), .init("Stars"), .init("Item"), .init("Storefront"),
                        .init("Written"), .init("State"),
                    ],
                    rows: found.items.map { review in
                        [
                            .group([
                                .link("\(root)/\(review.id)", [.foreign(heading(review))]),
                                .element(
                                    "span", class: "quiet under",
                                    [.foreign(beginning(review.body))]),
                            ]),
                            stars(review.rating), call.itemLink(review.item, titles),
                            .text(place(review)), PortalFormatting.day(review.changed),
                            badge(review).html,
                        ]
                    },
                    none: isModerator
                        ? ("Nothing waits", "Reviews that a rule holds back appear here.")
                        : ("No reviews", "Customers who have bought an item can review it.")
                ).html(),
                PortalCursorPaging(
                    total: found.total, shown: found.items.count,
                    isFirst: call.query("page") == nil, next: found.next
                ).html(call),
            ], in: .customerReviews)
        page.lead =
            isModerator
            ? "Reviews that a rule holds back wait for somebody to read them."
            : "What buyers think of your items, and what you say to it."
        return .page(page)
    }

    private static func choice(
        _ call: PortalCall, _ states: Set<CustomerReviewState>, _ isModerator: Bool
    ) -> HTML {
        func menu(_ name: String, _ label: String, _ options: [PortalOption], _ chosen: String)
            -> HTML
        {
            .element(
                "div", class: "filter",
                [
                    .element("label", [.init("for", "filter-\(name)")], label),
                    .element(
                        "select", [.init("name", name), .init("id", "filter-\(name)")],
                        options.map { option in
                            .element(
                                "option",
                                [.init("value", option.value)]
                                    + (option.value == chosen ? [.init("selected")] : []),
                                option.title)
                        }),
                ])
        }
        let all = [PortalOption("", "All")]
        return .element(
            "form",
            [.init("class", "search"), .init("method", "get"), .init("action", root)],
            [
                isModerator
                    ? menu(
                        "state", "State",
                        all
                            + CustomerReviewState.allCases.map {
                                PortalOption($0.rawValue, $0.title)
                            }, states.count == 1 ? states.first?.rawValue ?? "" : "") : .nothing,
                menu(
                    "rating", "Stars", all + (1...5).map { PortalOption(String($0), String($0)) },
                    call.query("rating") ?? ""),
                call.query("item").map { .hidden("item", $0) } ?? .nothing,
                PortalButton("Show").html,
            ])
    }

    // MARK: One

    static func show(_ call: PortalCall) async throws -> PortalAnswer {
        .page(try await page(call))
    }

    static func respond(_ call: PortalCall) async throws -> PortalAnswer {
        try await call.submit {
            let review = try await review(call)
            let text = call.form["responseBody"]
            _ = try await call.services.customerReviews.respond(
                to: review.id, text: text.isEmpty ? nil : text, by: call.actor)
            return .redirect(
                to: "\(root)/\(review.id)",
                notice: text.isEmpty ? "Your answer is removed." : "Your answer is published.")
        } again: {
            try await page(call, response: $0)
        }
    }

    static func decide(_ call: PortalCall) async throws -> PortalAnswer {
        try await call.submit {
            let review = try await review(call)
            let publishes: Bool
            switch call.form["decision"] {
            case "publish": publishes = true
            case "reject": publishes = false
            default:
                throw ConnectRefusal(
                    .invalid, rule: "decisionMissing", field: "decision", "Nothing is decided.",
                    help: "Choose what is to become of the review.")
            }
            _ = try await call.services.customerReviews.decide(
                review.id, publish: publishes,
                reason: call.form["reason"], by: call.actor)
            return .redirect(
                to: root, notice: publishes ? "The review is published." : "It is rejected.")
        } again: {
            try await page(call, decision: $0)
        }
    }

    private static func review(_ call: PortalCall) async throws -> CustomerReview {
        guard let id = ReviewID(call.id) else {
            throw ConnectRefusal.notFound("review", String(call.id.prefix(40)))
        }
        return try await call.services.customerReviews.review(id, by: call.actor)
    }

    /// - Parameters:
    ///   - response: the form with the publisher's answer, where that was refused.
    ///   - decision: the form with the moderator's, where that was refused.
    private static func page(
        _ call: PortalCall, response: PortalForm? = nil, decision: PortalForm? = nil
    ) async throws -> PortalPage {
        let review = try await review(call)
        let titles = try await call.titles(of: [review.item])
        var facts: [(name: String, value: HTML)] = [
            ("Item", call.itemLink(review.item, titles)), ("Stars", stars(review.rating)),
            ("By", .foreign(review.nickname)), ("Storefront", .text(place(review))),
            ("Written", PortalFormatting.time(review.changed)),
            ("Found helpful", .text("by \(review.helpfulVotes) of \(review.votes)")),
        ]
        if let version = review.version { facts.append(("Version", .foreign(version))) }
        if let reason = review.holdReason { facts.append(("Held because", .foreign(reason))) }
        var page = PortalPage(
            heading(review),
            [
                PortalFacts(facts).html,
                PortalPanel(
                    "Review",
                    review.body.split(scalar: "\n").map {
                        .element("p", [], [.foreign(String($0))])
                    }
                ).html,
                answer(review, call, response),
                isModerator(call) ? form(review, decision ?? PortalForm(call)) : .nothing,
            ], in: .customerReviews)
        page.kind = "Customer review"
        page.badge = badge(review).html
        page.trail = [.init(PortalSection.customerReviews.title, root)]
        return page
    }

    private static func answer(
        _ review: CustomerReview, _ call: PortalCall, _ form: PortalForm?
    ) -> HTML {
        let text: HTML =
            review.response.map { response in
                .group([
                    .element("p", [], [.foreign(response)]),
                    review.responseDate.map {
                        .element("p", class: "quiet", [PortalFormatting.time($0)])
                    } ?? .nothing,
                ])
            } ?? .nothing
        guard call.actor.allows(.respondToReviews), review.state == .published else {
            return review.response == nil ? .nothing : PortalPanel("Answer", [text]).html
        }
        let form = form ?? PortalForm(call)
        return PortalPanel(
            "Answer",
            [
                form.html(
                    "\(root)/\(review.id)/respond",
                    [
                        form.area(
                            "responseBody", "Your answer", review.response ?? "",
                            hint: "Everybody reads it below the review. Empty takes it away.",
                            limit: CustomerReviewService.responseLength, rows: 5),
                        form.actions("Publish Answer"),
                    ])
            ]
        ).html
    }

    private static func form(_ review: CustomerReview, _ form: PortalForm) -> HTML {
        PortalPanel(
            "Decision",
            [
                form.html(
                    "\(root)/\(review.id)/decide",
                    [
                        form.radios(
                            "decision", "Decision",
                            [
                                PortalOption("publish", "Publish", hint: "Everybody reads it."),
                                PortalOption(
                                    "reject", "Reject",
                                    hint:
                                        "Nobody but its writer sees it, and its stars don’t count."
                                ),
                            ], chosen: nil),
                        form.area(
                            "reason", "Why it is rejected",
                            hint: "For staff who look at it again. Required to reject.",
                            limit: CustomerReviewService.reasonLength, rows: 2),
                        form.actions("Decide"),
                    ])
            ]
        ).html
    }

    // MARK: Words

    private static func heading(_ review: CustomerReview) -> String {
        review.title.isEmpty ? "Without a title" : review.title
    }

    private static func place(_ review: CustomerReview) -> String {
        review.storefront.name + (review.environment == .sandbox ? ", sandbox" : "")
    }

    private static func beginning(_ text: String) -> String {
        text.count > 120 ? text.prefix(120) + "…" : text
    }

    private static func stars(_ rating: Int) -> HTML {
        .group([
            .element(
                "span", [.init("aria-hidden", "true")],
                String(repeating: "★", count: rating) + String(repeating: "☆", count: 5 - rating)),
            .element("span", class: "unseen", "\(rating) of 5"),
        ])
    }

    private static func badge(_ review: CustomerReview) -> PortalBadge {
        switch review.state {
        case .published: PortalBadge(review.state.title, .good)
        case .held: PortalBadge(review.state.title, .busy)
        case .rejected: PortalBadge(review.state.title, .bad)
        }
    }
}

extension CustomerReviewState {
    fileprivate var title: String {
        switch self {
        case .published: "Published"
        case .held: "Held"
        case .rejected: "Rejected"
        }
    }
}
