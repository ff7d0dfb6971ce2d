/// `openstore content host`
enum ContentHost: Command {
    static let spec = CommandSpec(
        words: ["content", "host"], summary: "Have the store host a product's content.",
        discussion: """
            For non-consumables that were never on sale. The product waits for its upload then, and
            is sold with content only.
            """,
        arguments: [ContentSubject.argument],
        options: [ContentSubject.app, StoreOpening.option, StoreOpening.database])

    static func run(_ arguments: ParsedArguments, output: Output) async throws {
        try await ContentSubject.run(arguments, output: output) { try await $0.host($1, of: $2) }
    }
}

/// `openstore content unhost`
enum ContentUnhost: Command {
    static let spec = CommandSpec(
        words: ["content", "unhost"], summary: "Take back the hosting of a product's content.",
        discussion: "Possible until the product was first on sale.",
        arguments: [ContentSubject.argument],
        options: [ContentSubject.app, StoreOpening.option, StoreOpening.database])

    static func run(_ arguments: ParsedArguments, output: Output) async throws {
        try await ContentSubject.run(arguments, output: output) { try await $0.unhost($1, of: $2) }
    }
}
