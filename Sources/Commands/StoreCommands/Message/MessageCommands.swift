import StoreCore
import StoreModel

/// `openstore message list`
enum MessageList: Command {
    static let spec = CommandSpec(
        words: ["message", "list"],
        summary: "List messages to subscribers, and their images, that wait for a decision.",
        discussion: """
            Publishers' servers send them (/inApps/v1/messaging). Those of the sandbox are approved
            at once.
            """,
        options: [
            StoreOpening.option, StoreOpening.database, .json,
        ])

    static func run(_ arguments: ParsedArguments, output: Output) async throws {
        let rows = try await StoreOpening.with(arguments) { store in
            try await store.services.retentionReview.waiting(by: .machine)
        }.map(MessageRow.init)
        if arguments.has("json") { return try output.json(rows) }
        guard !rows.isEmpty else { return output.line("Nothing waits for a decision.") }
        var table = Table(["NUMBER", "KIND", "ID", "APP", "ENVIRONMENT", "STATE", "SAYS"])
        table.rows = rows.map { row in
            [row.number, row.kind, row.id, row.app, row.environment, row.state, row.says]
        }
        output.write(table.text(on: output))
    }
}

/// `openstore message approve`
enum MessageApprove: Command {
    static let spec = CommandSpec(
        words: ["message", "approve"],
        summary: "Let customers see a message to subscribers, or an image of one.",
        arguments: [MessageRow.argument],
        options: [
            StoreOpening.option, StoreOpening.database, .json,
        ])

    static func run(_ arguments: ParsedArguments, output: Output) async throws {
        try await MessageRow.decide(.approved, arguments, output)
    }
}

/// `openstore message reject`
enum MessageReject: Command {
    static let spec = CommandSpec(
        words: ["message", "reject"],
        summary: "Keep customers from seeing a message to subscribers, or an image of one.",
        discussion: "Approving it later lets them see it again.",
        arguments: [MessageRow.argument],
        options: [
            StoreOpening.option, StoreOpening.database, .json,
        ])

    static func run(_ arguments: ParsedArguments, output: Output) async throws {
        try await MessageRow.decide(.rejected, arguments, output)
    }
}

/// A message or an image, as commands show it.
struct MessageRow: Encodable {
    static let argument = CommandSpec.Argument(
        name: "NUMBER", help: "The store's number of it, as openstore message list shows it.")

    /// The store's own, which tells it from what the publisher calls the same later.
    let number: String
    /// The publisher's name for it.
    let id: String
    let kind: String
    let app: String
    let environment: String
    let state: String
    /// What customers read; of an image its size.
    let says: String

    init(_ submission: RetentionSubmission) {
        number = submission.number.description
        id = submission.subject.id.text
        app = submission.bundleID.text
        environment = submission.scope.environment.word
        state = submission.subject.state.rawValue
        switch submission.subject {
        case .message(let message):
            kind = "message"
            let points = message.content.bulletPoints.map { "• \($0.text)" }
            says = ([message.content.header, message.content.body] + points)
                .joined(separator: " / ")
        case .image(let image):
            kind = "image"
            says = image.size.rawValue
        }
    }

    static func decide(
        _ state: RetentionState, _ arguments: ParsedArguments, _ output: Output
    ) async throws {
        guard let number = RetentionNumber(arguments.argument(0)) else {
            throw UsageError(
                description: "\"\(arguments.argument(0))\" is no number of a message or an image; "
                    + "openstore message list shows them")
        }
        let row = MessageRow(
            try await StoreOpening.with(arguments) { store in
                try await store.services.retentionReview.decide(number, state, by: .machine)
            })
        if arguments.has("json") { return try output.json(row) }
        output.line(
            "The \(row.kind) \(row.number) (\(row.id)) of \(row.app) is "
                + "\(row.state.lowercased()).")
    }
}
