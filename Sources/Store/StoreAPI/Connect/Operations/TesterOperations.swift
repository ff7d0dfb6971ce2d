import StoreCore
import StoreModel
import StoreWire

extension ResourceType {
    /// As App Store Connect has them: to be listed and changed.
    static let sandboxTesters = ResourceType(
        "sandboxTesters", at: "/v2/sandboxTesters", reading: .manageTesters)

    static let clearHistoryRequests = ResourceType("sandboxTestersClearPurchaseHistoryRequest")

    /// What App Store Connect's API can't do with testers: make and delete them, say how their
    /// payments go, and show what they bought.
    static let ownTesters = ResourceType(
        "sandboxTesters", at: "/openstore/v1/sandboxTesters", reading: .manageTesters,
        shape: ResourceShape([
            "firstName": .text(1...TesterRules.textLimit),
            "lastName": .text(1...TesterRules.textLimit), "email": .text(3...EmailAddress.longest),
            "password": .text(8...1024), "secretQuestion": .text(1...TesterRules.textLimit),
            "secretAnswer": .text(1...TesterRules.textLimit), "territory": .text(3...3),
            "state": .choice(["ACTIVE", "CONVERTED"]),
            "interruptPurchases": .flag, "askToBuy": .flag,
            "paymentFailure": .choice(PaymentFailure.allCases.map { $0.rawValue.uppercased() }),
            "subscriptionRenewalRate": .choice(
                SubscriptionRenewalRate.allCases.map(\.rawValue)),
            "createdDate": .dateTime, "historyClearedDate": .optional(.dateTime),
        ]),
        find: { call, id in
            Resource(
                own: try await call.services.testers.tester(tester(id), by: call.actor))
        },
        relationships: [
            .team { call, id in
                try await call.services.testers.tester(tester(id), by: call.actor).team
            },
            .one("guardian", to: "sandboxTesters", isOptional: true) { call, wanted in
                let ward = try await call.services.testers.tester(
                    tester(wanted.id), by: call.actor)
                guard let guardian = ward.settings.guardian else { return nil }
                return Resource(
                    own: try await call.services.testers.tester(guardian, by: call.actor))
            },
            .many("purchases", to: "sandboxPurchases") { call, wanted in
                try await call.services.testerPurchases.purchases(
                    of: tester(wanted.id), wanted.page, by: call.actor
                ).map { Resource($0) }
            },
            .many("waitingPurchases", to: "waitingPurchases") { call, wanted in
                let purchases = call.services.testerPurchases
                let attempts = try await purchases.attempts(
                    of: tester(wanted.id), by: call.actor)
                return try ListPage(of: attempts.waiting, wanted.page).map {
                    Resource($0, status: purchases.status(of: $0))
                }
            },
            .many("declinedPayments", to: "declinedPayments") { call, wanted in
                let attempts = try await call.services.testerPurchases.attempts(
                    of: tester(wanted.id), by: call.actor)
                return try ListPage(of: attempts.declined, wanted.page).map { Resource($0) }
            },
        ])

    /// - Throws: `ConnectRefusal.notFound` for text that is no identifier.
    static func tester(_ text: String) throws -> AccountID {
        guard let number = TransactionID(text)?.number else {
            throw ConnectRefusal.notFound("sandbox tester", String(text.prefix(40)))
        }
        return AccountID(number: number)
    }
}

extension Resource {
    init(_ tester: Tester) {
        self.init(
            .sandboxTesters, id: String(tester.account.number),
            [
                "firstName": .string(tester.firstName), "lastName": .string(tester.lastName),
                "acAccountName": .string(tester.email),
                "territory": .string(tester.territory.code),
                // The store takes no Apple Pay.
                "applePayCompatible": .bool(false),
                "interruptPurchases": .bool(tester.settings.interruptsPurchases),
                "subscriptionRenewalRate": .string(tester.renewalRate.rawValue),
            ])
    }

    /// The same tester as our own API shows it.
    init(own tester: Tester) {
        self.init(
            .ownTesters, id: String(tester.account.number),
            [
                "firstName": .string(tester.firstName), "lastName": .string(tester.lastName),
                "email": .string(tester.email), "territory": .string(tester.territory.code),
                "state": .string(tester.status.rawValue.uppercased()),
                "interruptPurchases": .bool(tester.settings.interruptsPurchases),
                "askToBuy": .bool(tester.settings.asksToBuy),
                "paymentFailure": .string(
                    tester.settings.paymentFailure.rawValue.uppercased()),
                "subscriptionRenewalRate": .string(tester.renewalRate.rawValue),
                "createdDate": .time(tester.creationDate),
                "historyClearedDate": .time(tester.clearingDate),
            ],
            links: [
                "guardian": tester.settings.guardian.map {
                    [ResourceLink(type: "sandboxTesters", id: String($0.number))]
                } ?? []
            ])
    }
}

extension ConnectOperation {
    static let sandboxTesters: [ConnectOperation] =
        reading(.ownTesters) + [
            .list("/v2/sandboxTesters", .manageTesters) { call in
                try await call.services.testers.testers(call.page(), by: call.actor)
                    .map { Resource($0) }
            },
            .update("/v2/sandboxTesters/{id}", .manageTesters) { call in
                Resource(
                    try await call.services.testers.change(
                        ResourceType.tester(call.id), try TesterChange(call.data),
                        by: call.actor))
            },
            .create("/v2/sandboxTestersClearPurchaseHistoryRequest", .manageTesters) { call in
                let ids = try call.data.many("sandboxTesters").map {
                    try ResourceType.tester($0.id)
                }
                guard let first = ids.first else {
                    throw ConnectRefusal(
                        .invalid, rule: "testersMissing", field: "sandboxTesters",
                        "The request names no tester.", help: "Name one or more.")
                }
                try await call.services.testers.clearHistory(of: ids, by: call.actor)
                // Nothing is kept of the request that one could ask for.
                return Resource(.clearHistoryRequests, id: String(first.number), [:])
            },
            .list(.ownTesters, .manageTesters, searches: ["search": .text(1...200)]) { call in
                try await call.services.testers.testers(
                    matching: try call.query.one("search") ?? "",
                    includesConverted: true, call.page(), by: call.actor
                ).map { Resource(own: $0) }
            },
            .create(
                .ownTesters, .manageTesters,
                required: ["email", "password", "territory"],
                optional: ["firstName", "lastName", "secretQuestion", "secretAnswer", "team"]
            ) { call in
                Resource(
                    own: try await call.services.testers.create(
                        TesterDraft(call.data), by: call.actor))
            },
            .update(
                .ownTesters, .manageTesters,
                changing: [
                    "territory", "interruptPurchases", "askToBuy", "paymentFailure",
                    "subscriptionRenewalRate", "guardian",
                ]
            ) { call in
                Resource(
                    own: try await call.services.testers.change(
                        ResourceType.tester(call.id), try TesterChange(call.data),
                        by: call.actor))
            },
            .delete(.ownTesters, .manageTesters) { call in
                try await call.services.testers.delete(
                    ResourceType.tester(call.id), by: call.actor)
            },
        ]
}

extension TesterDraft {
    fileprivate init(_ data: RequestResource) throws {
        self.init(
            team: try data.optionalOne("team").map(ConnectCall.teamNumber),
            firstName: data.optionalText("firstName") ?? "",
            lastName: data.optionalText("lastName") ?? "",
            email: try data.text("email"), password: try data.text("password"),
            secretQuestion: data.optionalText("secretQuestion") ?? "",
            secretAnswer: data.optionalText("secretAnswer") ?? "",
            territory: try data.value("territory", "the code of a territory", Storefront.alpha3))
    }
}

extension TesterChange {
    /// What is null stays as it is.
    fileprivate init(_ data: RequestResource) throws {
        func value<Value>(
            _ name: String, _ form: String, _ make: (String) -> Value?
        ) throws -> Value? {
            try data.optionalText(name).map { _ in try data.value(name, form, make) }
        }
        self.init(
            territory: try value("territory", "the code of a territory", Storefront.alpha3),
            renewalRate: try value("subscriptionRenewalRate", "a renewal rate") {
                SubscriptionRenewalRate(rawValue: $0)
            }, interruptsPurchases: data.flag("interruptPurchases"),
            asksToBuy: data.flag("askToBuy"),
            paymentFailure: try value("paymentFailure", "NONE, NEXT or ALL") {
                PaymentFailure(rawValue: $0.lowercased())
            },
            guardian: try data.hasRelationship("guardian")
                ? data.optionalOne("guardian").map { .tester(try ResourceType.tester($0)) }
                    ?? .nobody : nil)
    }
}

extension Storefront {
    /// The storefront of a code such as `JPN`, written as the API writes it.
    fileprivate static func alpha3(_ code: String) -> Storefront? {
        guard let storefront = named(code), storefront.code == code else { return nil }
        return storefront
    }
}
