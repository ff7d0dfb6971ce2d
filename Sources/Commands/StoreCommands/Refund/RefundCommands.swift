import Foundation
import StoreCore
import StoreModel

/// `openstore refund request`
enum RefundRequestCommand: Command {
    static let spec = CommandSpec(
        words: ["refund", "request"], summary: "Ask for a refund, as a customer does.",
        discussion: """
            The publisher's server is asked how the purchase was used (CONSUMPTION_REQUEST) and has
            twelve hours to say so, in the sandbox two minutes. Then the store decides.
            """,
        arguments: [RefundSubject.argument],
        options: [
            .value(
                "reason", RefundReason.allCases.map(\.rawValue).joined(separator: "|"),
                "Why; OTHER unless given."),
            .value("comment", "TEXT", "What the customer says."),
            StoreOpening.option, StoreOpening.database, .json,
        ])

    static func run(_ arguments: ParsedArguments, output: Output) async throws {
        let id = try RefundSubject.transaction(arguments.argument(0))
        let reason =
            try arguments.value("reason", "a reason") { RefundReason(rawValue: $0) } ?? .other
        let comment = arguments["comment"] ?? ""
        let request = try await StoreOpening.with(arguments) { store in
            try await store.services.refunds.ask(id, of: nil, reason: reason, comment: comment)
        }.get()
        if arguments.has("json") { return try output.json(RefundRow(request)) }
        output.line(
            "Asked for a refund of \(id), request \(request.id); decided by "
                + request.deadline.formatted(.iso8601))
    }
}

/// `openstore refund list`
enum RefundList: Command {
    static let spec = CommandSpec(
        words: ["refund", "list"], summary: "List requests for refunds, the newest first.",
        options: [
            .flag("waiting", "Only those that are not decided."), StoreOpening.option,
            StoreOpening.database,
            .json,
        ])

    private static let limit = 200

    static func run(_ arguments: ParsedArguments, output: Output) async throws {
        let rows = try await StoreOpening.with(arguments) { store in
            try await store.services.refunds.requests(
                team: nil, waiting: arguments.has("waiting"), limit: limit)
        }.map(RefundRow.init)
        if arguments.has("json") { return try output.json(rows) }
        guard !rows.isEmpty else { return output.line("There is no request for a refund.") }
        var table = Table(
            ["ID", "TRANSACTION", "ENVIRONMENT", "REASON", "SINCE", "STATE", "GROUNDS"],
            rightAligned: [0])
        table.rows = rows.map { row in
            [
                "\(row.id)", row.transactionId, row.environment, row.reason,
                row.date.formatted(.iso8601), row.state, row.grounds ?? "",
            ]
        }
        output.write(table.text(on: output))
    }
}

/// `openstore refund approve`
enum RefundApprove: Command {
    static let spec = CommandSpec(
        words: ["refund", "approve"], summary: "Give money back that a customer asked for.",
        discussion: """
            What was bought is taken back; the app, and the publisher's server, hear of it.
            """,
        arguments: [.init(name: "ID", help: "The request, as openstore refund list shows it.")],
        options: [
            .value("percent", "NUMBER", "How much of it, 1 to 100; all unless given."),
            .value("grounds", "TEXT", "Why; the customer reads it."), StoreOpening.option,
            StoreOpening.database,
        ])

    static func run(_ arguments: ParsedArguments, output: Output) async throws {
        let percent =
            try arguments.value("percent", "a number from 1 to 100") {
                Int($0).flatMap { (1...100).contains($0) ? $0 : nil }
            } ?? 100
        let request = try await RefundSubject.decide(
            arguments, .refunded(percentage: percent * 1000),
            grounds: arguments["grounds"] ?? "The operator grants it.")
        if let decision = request.decision, decision.outcome == .declined {
            output.line("Nothing is refunded of \(request.transaction): \(decision.grounds)")
        } else {
            output.line("Refunded \(request.transaction)")
        }
    }
}

/// `openstore refund decline`
enum RefundDecline: Command {
    static let spec = CommandSpec(
        words: ["refund", "decline"], summary: "Decline a request for a refund.",
        arguments: [.init(name: "ID", help: "The request, as openstore refund list shows it.")],
        options: [
            .value("grounds", "TEXT", "Why; the customer reads it."), StoreOpening.option,
            StoreOpening.database,
        ])

    static func run(_ arguments: ParsedArguments, output: Output) async throws {
        let request = try await RefundSubject.decide(
            arguments, .declined, grounds: arguments["grounds"] ?? "The operator declines it.")
        output.line("Declined \(request.id)")
    }
}

/// `openstore refund reverse`
enum RefundReverse: Command {
    static let spec = CommandSpec(
        words: ["refund", "reverse"],
        summary: "Take a refund back: the customer has the purchase again.",
        arguments: [RefundSubject.argument],
        options: [StoreOpening.option, StoreOpening.database])

    static func run(_ arguments: ParsedArguments, output: Output) async throws {
        let id = try RefundSubject.transaction(arguments.argument(0))
        let entry = try await StoreOpening.with(arguments) { store in
            try await store.services.refunds.reverse(id)
        }
        output.line("Reversed the refund of \(entry.details.productID), transaction \(id)")
    }
}

private enum RefundSubject {
    static let argument = CommandSpec.Argument(
        name: "TRANSACTION", help: "The transaction's identifier, or its order's number.")

    static func transaction(_ text: String) throws -> TransactionID {
        guard let id = TransactionID(text) ?? OrderID(text)?.transaction else {
            throw UsageError(
                description: "\"\(text)\" is neither a transaction identifier nor an order")
        }
        return id
    }

    static func decide(
        _ arguments: ParsedArguments, _ outcome: RefundRequest.Decision.Outcome, grounds: String
    ) async throws -> RefundRequest {
        let text = arguments.argument(0)
        guard let number = Int64(text) else {
            throw UsageError(description: "\"\(text)\" is not a number")
        }
        return try await StoreOpening.with(arguments) { store in
            try await store.services.refunds.decide(
                RefundRequestID(number: number), outcome, grounds: grounds)
        }
    }
}

private struct RefundRow: Encodable {
    let id: Int64
    let transactionId: String
    let orderId: String
    let environment: String
    let reason: String
    let comment: String
    let date: Date
    let deadline: Date
    let state: String
    /// Per cent of what was charged.
    let percentage: Double?
    let grounds: String?

    init(_ request: RefundRequest) {
        id = request.id.number
        transactionId = request.transaction.description
        orderId = OrderID(request.transaction).description
        environment = request.environment.word
        reason = request.reason.rawValue
        comment = request.comment
        date = request.date
        deadline = request.deadline
        grounds = request.decision?.grounds
        switch request.decision?.outcome {
        case nil:
            state = "waiting"
            percentage = nil
        case .declined?:
            state = "declined"
            percentage = nil
        case .refunded(let part)?:
            state = "refunded"
            percentage = Double(part) / 1000
        }
    }
}
