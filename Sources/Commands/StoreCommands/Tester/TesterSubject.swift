import Foundation
import StoreCore
import StoreModel
import StoreWire

extension CommandSpec.Argument {
    static let tester = CommandSpec.Argument(
        name: "TESTER", help: "The tester's address or identifier.")
}

extension ConnectRenderer.Column {
    static let testers: [ConnectRenderer.Column] = [
        .id, .attribute("EMAIL", "email"),
        ConnectRenderer.Column("NAME") {
            [$0.attribute("firstName"), $0.attribute("lastName")].filter { !$0.isEmpty }
                .joined(separator: " ")
        },
        .attribute("TERRITORY", "territory"), .attribute("STATE", "state"),
    ]
    static let testerDetails: [ConnectRenderer.Column] =
        testers + [
            .attribute("ASK TO BUY", "askToBuy"), .link("GUARDIAN", "guardian"),
            .attribute("INTERRUPTED", "interruptPurchases"),
            .attribute("PAYMENTS FAIL", "paymentFailure"),
            .attribute("RENEWAL RATE", "subscriptionRenewalRate"),
            .attribute("MADE", "createdDate"), .attribute("HISTORY CLEARED", "historyClearedDate"),
        ]
}

extension ConnectContext {
    static let testers = "/openstore/v1/sandboxTesters"

    /// The tester of the first argument.
    func tester() async throws -> JSONValue { try await tester(arguments.argument(0)) }

    /// The tester that a text names: an address or an identifier.
    func tester(_ text: String) async throws -> JSONValue {
        let text = text.trimmingCharacters(in: .whitespaces)
        guard text.contains(scalar: "@") else {
            return try await api.show("\(Self.testers)/\(text)")
        }
        let found = try await api.list(Self.testers, ["filter[search]": text])
        if let tester = found.first(where: { $0.attribute("email") == text.lowercased() }) {
            return tester
        }
        let all = try await api.list(Self.testers, limit: NotFound.limit)
        throw NotFound.failure(
            "tester with the address", text, in: all.map { $0.attribute("email") },
            command: "tester list")
    }
}

/// How commands take what the API names otherwise.
enum TesterChoice {
    static let storefront: CommandSpec.Option = .value(
        "storefront", "CODE",
        "The country's code, such as USA or JP; sets currency and language.")

    /// The code of a territory as the API has it.
    static func territory(_ arguments: ParsedArguments) throws -> JSONValue {
        .text(
            try arguments.value("storefront", "the code of a storefront", Storefront.named)?.code)
    }

    static func flag(_ arguments: ParsedArguments, _ option: String) throws -> JSONValue {
        .flag(
            try arguments.value(option, "on or off") { text -> Bool? in
                switch text {
                case "on": true
                case "off": false
                default: nil
                }
            })
    }

    /// How long a month lasts, from minutes.
    static func renewalRate(_ arguments: ParsedArguments) throws -> JSONValue {
        let rates: [String: SubscriptionRenewalRate] = [
            "3": .threeMinutes, "5": .fiveMinutes, "15": .fifteenMinutes, "30": .thirtyMinutes,
            "60": .oneHour,
        ]
        return .text(
            try arguments.value("month", "3, 5, 15, 30 or 60") { rates[$0] }?.rawValue)
    }

    static func paymentFailure(_ arguments: ParsedArguments) throws -> JSONValue {
        .text(
            try arguments.value("payment-failure", "none, next or all") {
                PaymentFailure(rawValue: $0)
            }?.rawValue.uppercased())
    }
}
