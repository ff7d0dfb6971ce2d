import Foundation
import StoreCore
import StoreModel
import StoreServer

/// `openstore purchase list`
enum PurchaseList: Command {
    static let spec = CommandSpec(
        words: ["purchase", "list"],
        summary: "List purchases that wait: for approval, or because they were interrupted.",
        discussion: """
            What waits for approval has a page on which the guardian decides, or whoever has its
            address where the account has none. Its path lies below the base URL of the
            environment; where --store says at which address guardians reach the store, the whole
            address is written.
            """,
        options: [
            StoreAddress.option(otherwise: "none, for a path"),
            StoreOpening.option, StoreOpening.database, .json,
        ])

    private struct Row: Encodable {
        let id: Int64
        let waitsFor: String
        let email: String
        let environment: String
        let productId: String
        let quantity: Int
        let price: Money
        let date: Date
        let approvalPage: String?
    }

    static func run(_ arguments: ParsedArguments, output: Output) async throws {
        let address = try StoreAddress.named(arguments)
        let rows = try await StoreOpening.with(arguments) { store in
            let waiting = try await store.services.pending.waiting()
            var pages: [PendingPurchaseID: String] = [:]
            for purchase in waiting {
                let base = address.map { $0 + purchase.order.environment.pathPrefix }
                pages[purchase.id] = try await store.services.approvals.path(
                    of: purchase, address: base
                ).map { (base ?? "") + $0 }
            }
            let known = pages
            return try await store.database.read { repositories in
                try waiting.map { purchase in
                    Row(
                        id: purchase.id.number, waitsFor: purchase.kind.rawValue,
                        email: try repositories.accounts.account(purchase.order.account)?.email
                            ?? "", environment: purchase.order.environment.word,
                        productId: purchase.order.productID.text,
                        quantity: purchase.order.quantity, price: purchase.order.charged,
                        date: purchase.order.date, approvalPage: known[purchase.id])
                }
            }
        }
        if arguments.has("json") { return try output.json(rows) }
        guard !rows.isEmpty else { return output.line("No purchase waits.") }
        var table = Table(
            ["ID", "WAITS FOR", "ACCOUNT", "PRODUCT", "QTY", "PRICE", "SINCE", "PAGE"],
            rightAligned: [0, 4, 5])
        table.rows = rows.map { row in
            [
                "\(row.id)", row.waitsFor, row.email, row.productId, "\(row.quantity)",
                "\(row.price.decimal) \(row.price.currency)", row.date.formatted(.iso8601),
                row.approvalPage ?? "",
            ]
        }
        output.write(table.text(on: output))
    }
}

/// `openstore purchase approve`
enum PurchaseApprove: Command {
    static let spec = CommandSpec(
        words: ["purchase", "approve"], summary: "Approve or settle a purchase that waits.",
        arguments: [.init(name: "ID", help: "Its number, as openstore purchase list shows it.")],
        options: [StoreOpening.option, StoreOpening.database])

    static func run(_ arguments: ParsedArguments, output: Output) async throws {
        let id = try PurchaseDecision.id(arguments)
        let sold = try await StoreOpening.with(arguments) { store in
            try await store.services.pending.approve(id)
        }
        output.line("Sold \(sold.details.productID), transaction \(sold.id)")
    }
}

/// `openstore purchase decline`
enum PurchaseDecline: Command {
    static let spec = CommandSpec(
        words: ["purchase", "decline"], summary: "Decline a purchase that waits.",
        arguments: [.init(name: "ID", help: "Its number, as openstore purchase list shows it.")],
        options: [StoreOpening.option, StoreOpening.database])

    static func run(_ arguments: ParsedArguments, output: Output) async throws {
        let id = try PurchaseDecision.id(arguments)
        try await StoreOpening.with(arguments) { store in
            try await store.services.pending.decline(id)
        }
        output.line("Declined \(id)")
    }
}

private enum PurchaseDecision {
    static func id(_ arguments: ParsedArguments) throws -> PendingPurchaseID {
        guard let number = Int64(arguments.argument(0)) else {
            throw UsageError(description: "\"\(arguments.argument(0))\" is not a number")
        }
        return PendingPurchaseID(number: number)
    }
}

/// `openstore purchase revoke`
enum PurchaseRevoke: Command {
    static let spec = CommandSpec(
        words: ["purchase", "revoke"],
        summary: "Refund a purchase, and end the right to use what was bought.",
        discussion: """
            The customer gets the money back, the app hears of it, and what families share of it
            ends too. openstore refund reverse takes it back.
            """,
        arguments: [.init(name: "TRANSACTION", help: "The transaction's identifier.")],
        options: [
            .value(
                "reason", "developerIssue|other", "Why; other unless given."),
            StoreOpening.option, StoreOpening.database,
        ])

    static func run(_ arguments: ParsedArguments, output: Output) async throws {
        let text = arguments.argument(0)
        guard let id = TransactionID(text) else {
            throw UsageError(description: "\"\(text)\" is not a transaction identifier")
        }
        let reason =
            try arguments.value("reason", "developerIssue or other") {
                Revocation.Reason(rawValue: $0)
            } ?? .other
        let entry = try await StoreOpening.with(arguments) { store in
            try await store.services.purchases.revoke(id, reason: reason)
        }
        guard let entry else {
            throw CommandFailure(
                description: "the ledger has no transaction \(id)", exitCode: .notFound)
        }
        output.line(
            "Refunded and revoked \(entry.details.productID), transaction \(entry.revocable)")
    }
}

/// `openstore purchase promote`
enum PurchasePromote: Command {
    static let spec = CommandSpec(
        words: ["purchase", "promote"],
        summary: "Lead a customer into the app to buy a promoted product.",
        discussion: """
            What happens when a customer taps a promoted in-app purchase in the store: the app is
            asked whether it takes the payment up (shouldAddStorePayment).
            """,
        options: [AccountSubject.email, AccountSubject.environment] + AccountSubject.product
            + [StoreOpening.option, StoreOpening.database])

    static func run(_ arguments: ParsedArguments, output: Output) async throws {
        let (email, id) = try await StoreOpening.with(arguments) { store in
            let account = try await AccountSubject.account(arguments, in: store)
            let (app, product) = try await AccountSubject.product(arguments, in: store)
            let id = product.details.productID
            try await store.services.offers.beginStorePayment(of: id, by: account.id, in: app.id)
            return (account.email, id)
        }
        output.line("\(email) is offered \(id)")
    }
}
