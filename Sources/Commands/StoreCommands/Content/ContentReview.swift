/// `openstore content submit`
enum ContentSubmit: Command {
    static let spec = CommandSpec(
        words: ["content", "submit"], summary: "Submit a product's newest content for review.",
        discussion: "A product that was never approved is submitted with it.",
        arguments: [ContentSubject.argument],
        options: [ContentSubject.app, StoreOpening.option, StoreOpening.database])

    static func run(_ arguments: ParsedArguments, output: Output) async throws {
        try await ContentSubject.run(arguments, output: output) { try await $0.submit($1, of: $2) }
    }
}

/// `openstore content review`
enum ContentReview: Command {
    static let spec = CommandSpec(
        words: ["content", "review"], summary: "Begin the review of submitted content.",
        arguments: [ContentSubject.argument],
        options: [ContentSubject.app, StoreOpening.option, StoreOpening.database])

    static func run(_ arguments: ParsedArguments, output: Output) async throws {
        try await ContentSubject.run(arguments, output: output) {
            try await $0.beginReview($1, of: $2)
        }
    }
}

/// `openstore content approve`
enum ContentApprove: Command {
    static let spec = CommandSpec(
        words: ["content", "approve"], summary: "Approve the content in review.",
        discussion: "Customers get it from now on.",
        arguments: [ContentSubject.argument],
        options: [ContentSubject.app, StoreOpening.option, StoreOpening.database])

    static func run(_ arguments: ParsedArguments, output: Output) async throws {
        try await ContentSubject.run(arguments, output: output) { try await $0.approve($1, of: $2) }
    }
}

/// `openstore content reject`
enum ContentReject: Command {
    static let spec = CommandSpec(
        words: ["content", "reject"], summary: "Reject the content in review.",
        discussion: "The publisher can upload a higher version in its place.",
        arguments: [ContentSubject.argument],
        options: [
            .value("message", "TEXT", "What the publisher is to know."), ContentSubject.app,
            StoreOpening.option, StoreOpening.database,
        ])

    static func run(_ arguments: ParsedArguments, output: Output) async throws {
        let message = try arguments.required("message")
        try await ContentSubject.run(arguments, output: output) {
            try await $0.reject($1, of: $2, message: message)
        }
    }
}
