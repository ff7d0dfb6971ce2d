import Foundation
import StoreCore
import StoreModel
import StoreWire

extension ResourceType {
    /// What customers want their money back for. Publishers learn the reason; who asks, and what
    /// they write, only the store's staff.
    static let refundRequests = ResourceType(
        "refundRequests", at: "/openstore/v1/refundRequests", reading: .viewRefunds,
        shape: ResourceShape([
            "bundleId": .text(1...255), "productId": .text(1...255),
            "transactionId": .text(1...40), "environment": .choice(["PRODUCTION", "SANDBOX"]),
            "territory": .text(3...3), "price": .text(1...40), "currency": .text(3...3),
            "purchaseDate": .dateTime, "reason": .choice(RefundReason.allCases.map(\.rawValue)),
            "state": .choice(RefundCase.State.allCases.map(\.rawValue)), "createdDate": .dateTime,
            "deadline": .dateTime, "consumption": .optional(consumption),
            "decision": .choice(["REFUND", "DECLINE"]),
            "grounds": .text(1...RefundService.groundsLength),
            "refundedAmount": .optional(.text(1...40)),
            "refundPercentage": .optional(.integer(1...Revocation.everything)),
            "decidedDate": .optional(.dateTime),
            "customer": .optional(.text(1...EmailAddress.longest)),
            "comment": .optional(.text(0...RefundRules.commentLimit)),
        ]),
        find: { call, id in
            Resource(try await call.services.refunds.refundCase(refund(id), by: call.actor))
        })

    private static let consumption: AttributeForm = .object([
        "customerConsented": .flag,
        "consumptionPercentage": .optional(.integer(0...Revocation.everything)),
        "delivered": .flag, "sampleContentProvided": .flag,
        "refundPreference": .optional(
            .choice(ConsumptionInformation.Preference.allCases.map(\.rawValue))),
    ])

    /// Refunds that are taken back.
    static let refundReversals = ResourceType(
        "refundReversals", at: "/openstore/v1/refundReversals", reading: .decideRefunds,
        shape: ResourceShape(["transactionId": .text(1...40), "productId": .text(1...255)]))

    /// - Throws: `ConnectRefusal.notFound` for text that is no identifier.
    static func refund(_ text: String) throws -> RefundRequestID {
        guard let number = TransactionID(text)?.number else {
            throw ConnectRefusal.notFound("request for a refund", String(text.prefix(40)))
        }
        return RefundRequestID(number: number)
    }
}

extension Resource {
    init(_ refund: RefundCase) {
        let details = refund.entry.details
        var attributes: [String: JSONValue] = [
            "bundleId": .string(details.bundleID.text),
            "productId": .string(details.productID.text),
            "transactionId": .string(refund.entry.id.description),
            "environment": .string(
                details.environment == .sandbox ? "SANDBOX" : "PRODUCTION"),
            "territory": .string(details.storefront.code),
            "price": .string("\(details.charged.decimal)"),
            "currency": .string(details.charged.currency), "purchaseDate": .time(details.date),
            "reason": .string(refund.reason.rawValue), "state": .string(refund.state.rawValue),
            "createdDate": .time(refund.date), "deadline": .time(refund.deadline),
            "grounds": .text(refund.decision?.grounds),
            "refundedAmount": .text(refund.amount.map { "\($0.decimal)" }),
            "decidedDate": .time(refund.decision?.date),
            "customer": .text(refund.customer?.email), "comment": .text(refund.customer?.comment),
        ]
        switch refund.decision?.outcome {
        case .refunded(let percentage)?:
            attributes["decision"] = .string("REFUND")
            attributes["refundPercentage"] = .integer(percentage)
        case .declined?: attributes["decision"] = .string("DECLINE")
        case nil: break
        }
        if let information = refund.information {
            attributes["consumption"] = .object(Self.consumption(information))
        }
        self.init(.refundRequests, id: refund.id.description, attributes)
    }

    /// Without what is not known.
    private static func consumption(_ information: ConsumptionInformation) -> [String: JSONValue] {
        var members: [String: JSONValue] = [
            "customerConsented": .bool(information.customerConsented),
            "delivered": .bool(information.wasDelivered),
            "sampleContentProvided": .bool(information.sampleProvided),
        ]
        members["consumptionPercentage"] = information.consumed.map { .integer($0) }
        members["refundPreference"] = information.preference.map { .string($0.rawValue) }
        return members
    }
}

extension ConnectOperation {
    static let refunds: [ConnectOperation] =
        reading(.refundRequests) + [
            .list(
                .refundRequests, .viewRefunds,
                filters: [
                    "state": .choice(["WAITING", "DECIDED"]),
                    "environment": .choice(["PRODUCTION", "SANDBOX"]),
                ], searches: ["app": .text(1...40), "team": .teamFilter]
            ) { try await refundRequests($0) },
            .update(.refundRequests, .decideRefunds, changing: ["decision", "grounds"]) { call in
                let id = try ResourceType.refund(call.id)
                guard let decision = call.data.optionalText("decision") else {
                    return Resource(
                        try await call.services.refunds.refundCase(id, by: call.actor))
                }
                return Resource(
                    try await call.services.refunds.decide(
                        id,
                        decision == "REFUND"
                            ? .refunded(percentage: Revocation.everything) : .declined,
                        grounds: call.data.optionalText("grounds") ?? "", by: call.actor))
            },
            .create(.refundReversals, .decideRefunds, required: ["transactionId"]) { call in
                let id = try call.data.value(
                    "transactionId", "a transaction identifier", { TransactionID($0) })
                let entry = try await call.services.refunds.reverse(id, by: call.actor)
                return Resource(
                    .refundReversals, id: entry.revocable.description,
                    [
                        "transactionId": .string(entry.revocable.description),
                        "productId": .string(entry.details.productID.text),
                    ])
            },
        ]

    private static func refundRequests(_ call: ConnectCall) async throws -> ListPage<Resource> {
        let environments = Set(call.query.filter("environment") ?? [])
        let states = Set(call.query.filter("state") ?? [])
        let app = try call.query.one("app").map { text in
            guard let number = TransactionID(text)?.number else {
                throw ConnectRefusal.notFound("app", text)
            }
            return AppID(number: number)
        }
        return try await call.services.refunds.cases(
            RefundQuery(
                team: try call.namedTeam(), app: app,
                environment: environments.count == 1
                    ? environments.first == "SANDBOX" ? .sandbox : .production : nil,
                isWaiting: states.count == 1 ? states.first == "WAITING" : nil),
            call.page(), by: call.actor
        ).map { Resource($0) }
    }
}
