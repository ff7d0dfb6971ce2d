import Foundation
import StoreCore
import StoreModel
import StoreWire

extension ResourceType {
    private static let states = AttributeForm.choice(SubmissionState.allCases.map(\.rawValue))
    private static let itemStates = AttributeForm.choice(
        SubmissionItemState.allCases.map(\.rawValue))

    /// Products and a version of an app that go through review together.
    static let reviewSubmissions = ResourceType(
        "reviewSubmissions", at: "/openstore/v1/reviewSubmissions", reading: .viewApps,
        shape: ResourceShape([
            "state": states, "submitter": .text(1...EmailAddress.longest),
            "reviewer": .optional(.text(1...EmailAddress.longest)),
            "submittedDate": .dateTime, "changedDate": .dateTime, "bundleId": .text(1...255),
            "appName": .text(1...255), "canceled": .flag,
        ]),
        find: { call, id in
            Resource(try await call.services.reviews.submission(submission(id), by: call.actor))
        },
        relationships: [
            .one("app", to: "apps") { call, wanted in
                let found = try await call.services.reviews.submission(
                    submission(wanted.id), by: call.actor)
                return Resource(.reviewedApp, id: String(found.app.number), [:])
            },
            .many("items", to: "reviewSubmissionItems") { call, wanted in
                let found = try await call.services.reviews.submission(
                    submission(wanted.id), by: call.actor)
                return try ListPage(of: found.items, wanted.page).map { Resource($0) }
            },
            .many("inAppPurchases", to: "inAppPurchases") { call, wanted in
                let found = try await call.services.reviews.submission(
                    submission(wanted.id), by: call.actor)
                return try ListPage(of: found.products, wanted.page).map {
                    Resource(.reviewedProduct, id: $0.description, [:])
                }
            },
            .one("appStoreVersion", to: "appStoreVersions") { call, wanted in
                let found = try await call.services.reviews.submission(
                    submission(wanted.id), by: call.actor)
                return found.version.map { Resource(.reviewedVersion, id: $0.text, [:]) }
            },
        ])

    /// One of the things that were submitted together.
    static let reviewSubmissionItems = ResourceType(
        "reviewSubmissionItems", at: "/openstore/v1/reviewSubmissionItems", reading: .viewApps,
        shape: ResourceShape([
            "state": itemStates, "name": .text(1...255), "contentVersion": .optional(.text(1...40)),
            "revision": .optional(.integer(1...(1 << 53))),
            "message": .optional(.text(1...ReviewDecision.longestMessage)),
            "decidedBy": .optional(.text(1...EmailAddress.longest)),
            "decidedDate": .optional(.dateTime),
            "changes": .list(
                .object([
                    "name": .text(1...255), "before": .optional(.text(0...100_000)),
                    "after": .optional(.text(0...100_000)),
                ])),
        ]),
        find: { call, id in
            let item = try item(id)
            let found = try await call.services.reviews.submission(with: item, by: call.actor)
            guard let known = found.items.first(where: { $0.id == item }) else {
                throw ConnectRefusal.notFound("review item", id)
            }
            let comparison = try await call.services.reviews.comparison(
                of: item, by: call.actor)
            return Resource(known, changes: comparison?.diff.changes)
        },
        relationships: [
            .one("submission", to: "reviewSubmissions") { call, wanted in
                Resource(
                    try await call.services.reviews.submission(
                        with: item(wanted.id), by: call.actor))
            }
        ])

    /// That a reviewer takes a submission on.
    static let reviewClaims = ResourceType(
        "reviewClaims", at: "/openstore/v1/reviewClaims", reading: .review,
        shape: ResourceShape([
            "state": states, "reviewer": .optional(.text(1...EmailAddress.longest)),
        ]),
        relationships: [.one("submission", to: "reviewSubmissions") { _, _ in nil }])

    /// What a reviewer decides about one thing.
    static let reviewDecisions = ResourceType(
        "reviewDecisions", at: "/openstore/v1/reviewDecisions", reading: .review,
        shape: ResourceShape([
            "decision": .choice(["APPROVE", "REJECT", "DEVELOPER_ACTION_NEEDED"]),
            "message": .optional(.text(1...ReviewDecision.longestMessage)),
            "itemState": itemStates, "submissionState": states,
        ]),
        relationships: [.one("item", to: "reviewSubmissionItems") { _, _ in nil }])

    // Types of other subjects, as relationships name them.
    fileprivate static let reviewedApp = ResourceType("apps")
    fileprivate static let reviewedProduct = ResourceType("inAppPurchases")
    fileprivate static let reviewedVersion = ResourceType("appStoreVersions")

    static func submission(_ id: String) throws -> SubmissionID {
        guard let number = SubmissionID(id) else {
            throw ConnectRefusal.notFound("submission", quoted(id))
        }
        return number
    }

    static func item(_ id: String) throws -> SubmissionItemID {
        guard let number = SubmissionItemID(id) else {
            throw ConnectRefusal.notFound("review item", quoted(id))
        }
        return number
    }
}

extension Resource {
    init(_ submission: Submission) {
        var links: [String: [ResourceLink]] = [
            "app": [ResourceLink(type: "apps", id: String(submission.app.number))],
            "items": submission.items.map {
                ResourceLink(type: "reviewSubmissionItems", id: $0.id.description)
            },
        ]
        if let version = submission.version {
            links["appStoreVersion"] = [ResourceLink(type: "appStoreVersions", id: version.text)]
        }
        self.init(
            .reviewSubmissions, id: submission.id.description,
            [
                "state": .text(submission.state.rawValue),
                "submitter": .text(submission.submitter.name),
                "reviewer": .text(submission.claimant?.name),
                "submittedDate": .time(submission.created),
                "changedDate": .time(submission.changed),
                "bundleId": .text(submission.bundleID.text), "appName": .text(submission.appName),
            ], links: links)
    }

    /// - Parameter changes: what is different from what was approved; nil where that was not
    ///   asked for.
    init(_ item: SubmissionItem, changes: [ProductDiff.Change]? = nil) {
        self.init(
            .reviewSubmissionItems, id: item.id.description,
            [
                "state": .text(item.state.rawValue), "name": .text(item.name),
                "contentVersion": .text(item.content?.text),
                "revision": item.revision.map { JSONValue.integer($0) } ?? .null,
                "message": .text(item.message), "decidedBy": .text(item.decider?.name),
                "decidedDate": .time(item.decided),
                "changes": changes.map { changes in
                    .array(
                        changes.map { change in
                            [
                                "name": .string(change.name), "before": .text(change.before),
                                "after": .text(change.after),
                            ]
                        })
                } ?? .null,
            ],
            links: [
                "submission": [
                    ResourceLink(type: "reviewSubmissions", id: item.submission.description)
                ]
            ])
    }
}

extension ConnectOperation {
    static let reviews: [ConnectOperation] =
        reading(.reviewSubmissions) + reading(.reviewSubmissionItems) + [
            .list(
                .reviewSubmissions, .viewApps,
                filters: [
                    "app": .text(1...20),
                    "state": .choice(SubmissionState.allCases.map(\.rawValue)),
                ]
            ) { call in
                try await call.services.reviews.submissions(
                    of: try call.query.one("app").map(app),
                    states: (call.query.filter("state") ?? []).compactMap {
                        SubmissionState(rawValue: $0)
                    }, call.page(), by: call.actor
                ).map { Resource($0) }
            },
            .create(
                .reviewSubmissions, .submit, required: [],
                optional: ["inAppPurchases", "appStoreVersion"]
            ) { call in
                Resource(
                    try await call.services.reviews.submit(
                        numbers: try call.data.many("inAppPurchases").map { try product($0.id) },
                        version: try call.data.optionalOne("appStoreVersion").map(version),
                        by: call.actor))
            },
            .update(.reviewSubmissions, .submit, changing: ["canceled"]) { call in
                let id = try ResourceType.submission(call.id)
                guard call.data.flag("canceled") == true else {
                    throw ConnectRefusal(
                        .invalid, rule: "canceled", field: "canceled",
                        "A submission is changed by taking it back only.",
                        help: "Send canceled = true.")
                }
                return Resource(try await call.services.reviews.withdraw(id, by: call.actor))
            },
            .list(
                .reviewSubmissionItems, .viewApps, filters: ["inAppPurchase": .text(1...20)]
            ) { call in
                guard let id = try call.query.one("inAppPurchase") else {
                    throw JSONAPIErrors.parameter(
                        "filter[inAppPurchase]", "The list needs filter[inAppPurchase].")
                }
                let items = try await call.services.reviews.history(
                    of: product(id), by: call.actor)
                return try ListPage(of: items, call.page()).map { Resource($0) }
            },
            .delete(.reviewSubmissionItems, .submit) { call in
                try await call.services.reviews.withdraw(
                    ResourceType.item(call.id), by: call.actor)
            },
            ConnectOperation(
                .get, "/openstore/v1/reviewQueue", .review,
                own: .list(of: .reviewSubmissions, filters: [:], sorts: [])
            ) { call in
                .list(
                    try await call.services.reviews.queue(call.page(), by: call.actor)
                        .map { Resource($0) })
            },
            .create(.reviewClaims, .review, required: ["submission"]) { call in
                let claimed = try await call.services.reviews.claim(
                    ResourceType.submission(call.data.one("submission")), by: call.actor)
                return Resource(
                    .reviewClaims, id: claimed.id.description,
                    [
                        "state": .text(claimed.state.rawValue),
                        "reviewer": .text(claimed.claimant?.name),
                    ])
            },
            .create(
                .reviewDecisions, .review, required: ["decision", "item"], optional: ["message"],
                decide),
        ]

    @Sendable private static func decide(_ call: ConnectCall) async throws -> Resource {
        let item = try ResourceType.item(call.data.one("item"))
        let message = call.data.optionalText("message") ?? ""
        let name = try call.data.text("decision")
        let decision: ReviewDecision =
            switch name {
            case "APPROVE": .approve
            case "REJECT": .reject(message)
            default: .askDeveloper(message)
            }
        let decided = try await call.services.reviews.decide(decision, on: item, by: call.actor)
        let found = decided.items.first { $0.id == item }
        return Resource(
            .reviewDecisions, id: item.description,
            [
                "decision": .string(name), "message": .text(found?.message),
                "itemState": .text(found?.state.rawValue),
                "submissionState": .text(decided.state.rawValue),
            ])
    }

    private static func app(_ id: String) throws -> AppID {
        guard let number = Int64(id), number > 0 else {
            throw ConnectRefusal.notFound("app", quoted(id))
        }
        return AppID(number: number)
    }

    static func product(_ id: String) throws -> ProductNumber {
        guard let number = ProductNumber(id) else {
            throw ConnectRefusal.notFound("product", quoted(id))
        }
        return number
    }

    private static func version(_ id: String) throws -> AppVersionID {
        guard let version = AppVersionID(id) else {
            throw ConnectRefusal.notFound("version", quoted(id))
        }
        return version
    }
}
