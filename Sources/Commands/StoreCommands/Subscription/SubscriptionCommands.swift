import Foundation
import StoreCore
import StoreModel
import StoreServer

/// `openstore subscription list`
enum SubscriptionList: Command {
    static let spec = CommandSpec(
        words: ["subscription", "list"], summary: "List what an account subscribes to.",
        options: [
            AccountSubject.email, AccountSubject.environment, StoreOpening.option,
            StoreOpening.database,
            .json,
        ])

    private struct Row: Encodable {
        let originalTransactionId: String
        let bundleId: String
        let productId: String
        let renewsWith: String
        let renews: Bool
        let state: String
        let expiresDate: Date
        let nextPrice: Money?
        /// The higher price that the customer must agree to; otherwise it ends with its period.
        let neededAgreement: Money?
    }

    static func run(_ arguments: ParsedArguments, output: Output) async throws {
        let rows = try await StoreOpening.with(arguments) { store in
            let account = try await AccountSubject.account(arguments, in: store)
            return try await store.services.subscriberChoices.subscriptions(of: account.id)
        }.map { managed in
            Row(
                originalTransactionId: managed.subscription.original.id.description,
                bundleId: managed.app.bundleID.text,
                productId: managed.subscription.product.text,
                renewsWith: managed.subscription.renewalProduct.text,
                renews: managed.subscription.isRenewing,
                state: managed.subscription.state.rawValue,
                expiresDate: managed.subscription.expiration, nextPrice: managed.renewalPrice,
                neededAgreement: managed.neededAgreement)
        }
        if arguments.has("json") { return try output.json(rows) }
        guard !rows.isEmpty else { return output.line("The account has no subscription.") }
        var table = Table(["ID", "APP", "PRODUCT", "STATE", "UNTIL", "THEN"])
        table.rows = rows.map { row in
            [
                row.originalTransactionId, row.bundleId, row.productId, row.state,
                row.expiresDate.formatted(.iso8601),
                row.renews
                    ? "\(row.renewsWith) "
                        + (row.nextPrice.map(SubscriptionSubject.text) ?? "not sold")
                        + SubscriptionSubject.condition(row.neededAgreement)
                    : "ends",
            ]
        }
        output.write(table.text(on: output))
    }
}

/// `openstore subscription cancel`
enum SubscriptionCancel: Command {
    static let spec = CommandSpec(
        words: ["subscription", "cancel"],
        summary: "Let a subscription end with its period, as a customer does.",
        arguments: [SubscriptionSubject.argument], options: SubscriptionSubject.options)

    static func run(_ arguments: ParsedArguments, output: Output) async throws {
        let changed = try await SubscriptionSubject.change(arguments) { service, id, account in
            _ = try await service.setRenews(false, of: id, by: account)
        }
        guard let end = changed.subscription.entitlementEnd else {
            return output.line("It has ended.")
        }
        output.line("It ends on \(end.formatted(.iso8601))")
    }
}

/// `openstore subscription resume`
enum SubscriptionResume: Command {
    static let spec = CommandSpec(
        words: ["subscription", "resume"],
        summary: "Resume a cancelled subscription that has not ended.",
        arguments: [SubscriptionSubject.argument], options: SubscriptionSubject.options)

    static func run(_ arguments: ParsedArguments, output: Output) async throws {
        let changed = try await SubscriptionSubject.change(arguments) { service, id, account in
            _ = try await service.setRenews(true, of: id, by: account)
        }
        guard changed.subscription.state == .active else {
            return output.line("It renews as soon as the payment goes through")
        }
        output.line(
            "It is renewed on \(changed.subscription.expiration.formatted(.iso8601))"
                + SubscriptionSubject.condition(changed.neededAgreement))
    }
}

/// `openstore subscription change`
enum SubscriptionChangeProduct: Command {
    static let spec = CommandSpec(
        words: ["subscription", "change"],
        summary: "Change a subscription to another product of its group.",
        discussion: """
            A better product begins at once, and the account is charged; another one begins when the
            running period ends.
            """,
        arguments: [SubscriptionSubject.argument],
        options: [.value("product-id", "ID", "The product of the same group.").asRequired]
            + SubscriptionSubject.options)

    static func run(_ arguments: ParsedArguments, output: Output) async throws {
        let product = try arguments.required("product-id", "a product identifier") {
            ProductID($0)
        }
        let changed = try await SubscriptionSubject.change(arguments) { service, id, account in
            _ = try await service.setRenewalProduct(product, of: id, by: account)
        }
        let subscription = changed.subscription
        let date = (subscription.entitlementEnd ?? subscription.expiration).formatted(.iso8601)
        let condition = SubscriptionSubject.condition(changed.neededAgreement)
        let sentence: String =
            switch subscription.state {
            case _ where !subscription.isRenewing:
                "\(product) is chosen, but the subscription ends on \(date): renewing is off"
            case .active where subscription.product == product:
                "It is \(product) now, and renews on \(date)" + condition
            case .active: "\(product) begins on \(date)" + condition
            default: "\(product) begins as soon as the payment goes through"
            }
        output.line(sentence)
    }
}

private enum SubscriptionSubject {
    static let argument = CommandSpec.Argument(
        name: "ID", help: "The original transaction, as openstore subscription list shows it.")
    static let options: [CommandSpec.Option] = [
        AccountSubject.email, AccountSubject.environment, StoreOpening.option,
        StoreOpening.database,
    ]

    static func text(_ price: Money) -> String { "\(price.decimal) \(price.currency)" }

    /// What a renewal depends on, as the end of a sentence.
    static func condition(_ neededAgreement: Money?) -> String {
        neededAgreement.map { ", if the customer agrees to \(text($0))" } ?? ""
    }

    /// - Returns: the subscription as it stands afterwards.
    static func change(
        _ arguments: ParsedArguments,
        _ change: (SubscriptionManagement, TransactionID, AccountID) async throws -> Void
    ) async throws -> ManagedSubscription {
        let text = arguments.argument(0)
        guard let id = TransactionID(text) else {
            throw UsageError(description: "\"\(text)\" is not a transaction identifier")
        }
        return try await StoreOpening.with(arguments) { store in
            let account = try await AccountSubject.account(arguments, in: store)
            let choices = store.services.subscriberChoices
            try await change(choices, id, account.id)
            guard let changed = try await choices.subscription(id, of: account.id) else {
                throw SubscriptionChangeRefusal.notFound
            }
            return changed
        }
    }
}
