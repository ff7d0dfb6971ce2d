import StoreWire

/// `openstore product update`
enum ProductUpdate: ConnectCommand {
    static let spec = CommandSpec.connect(
        ["product", "update"], summary: "Change an in-app purchase, or its texts in a language.",
        discussion: """
            With --locale the texts of that language are added or changed. Customers read new texts
            when they are approved; testers read them at once.
            """,
        arguments: [.product],
        options: [
            .app, .value("name", "TEXT", "The reference name."),
            .value("review-note", "TEXT", "What reviewers should know."),
            .value("family-sharing", "yes|no", "Whether families share it."),
            .value("locale", "LANGUAGE", "A language, for example en-US."),
            .value("title", "TEXT", "The display name in the language."),
            .value("description", "TEXT", "The description in the language."),
            .flag("remove", "Take the texts of the language away."),
        ])

    static func run(_ connect: ConnectContext) async throws {
        let arguments = connect.arguments
        var attributes: [String: JSONValue] = [:]
        if let name = arguments["name"] { attributes["name"] = .string(name) }
        if let note = arguments["review-note"] { attributes["reviewNote"] = .string(note) }
        if let isShared = try arguments.value("family-sharing", "yes or no", Self.flag) {
            attributes["familySharable"] = .bool(isShared)
        }
        guard !attributes.isEmpty || arguments["locale"] != nil || hasText(arguments) else {
            throw UsageError(description: "nothing is to be changed\nUsage: \(spec.usage)")
        }
        try check(arguments)
        let id = try await connect.productNumber()
        let path = "/v2/inAppPurchases/\(id)"
        // What can't be done is found out before anything is.
        let change = try await textChange(of: id, connect)
        if !attributes.isEmpty {
            _ = try await connect.api.update("inAppPurchases", at: path, attributes)
        }
        try await change?()
        let product = try await connect.api.show(path)
        connect.show.done(
            product,
            "\(product.attribute("productId")) is changed; it is \(product.attribute("state")).")
    }

    private static func flag(_ text: String) -> Bool? {
        switch text {
        case "yes", "true": true
        case "no", "false": false
        default: nil
        }
    }

    private static func hasText(_ arguments: ParsedArguments) -> Bool {
        arguments["title"] != nil || arguments["description"] != nil || arguments.has("remove")
    }

    /// Options that say nothing without, or against, one another.
    private static func check(_ arguments: ParsedArguments) throws {
        guard arguments["locale"] != nil else {
            guard !hasText(arguments) else {
                throw UsageError(
                    description: "--title, --description and --remove need --locale")
            }
            return
        }
        guard hasText(arguments) else {
            throw UsageError(description: "--locale needs --title, --description or --remove")
        }
        guard
            !arguments.has("remove")
                || arguments["title"] == nil && arguments["description"] == nil
        else {
            throw UsageError(description: "--remove goes without --title and --description")
        }
    }

    /// What is to be done with the texts of the language; nil for nothing.
    ///
    /// - Throws: `UsageError` and `ConnectFailure` where it can't be done.
    private static func textChange(
        of product: String, _ connect: ConnectContext
    ) async throws -> (() async throws -> Void)? {
        let arguments = connect.arguments
        guard let locale = arguments["locale"] else { return nil }
        let type = "inAppPurchaseLocalizations"
        let texts = try await connect.api.list("/v2/inAppPurchases/\(product)/\(type)")
        let known = texts.first { $0.attribute("locale") == locale }
        if arguments.has("remove") {
            guard let known else {
                throw ConnectFailure.notFound("--locale: there are no texts in \(locale).")
            }
            return { try await connect.api.delete("/v1/\(type)/\(known.id)") }
        }
        var attributes: [String: JSONValue] = [:]
        if let title = arguments["title"] { attributes["name"] = .string(title) }
        if let description = arguments["description"] {
            attributes["description"] = .string(description)
        }
        if let known {
            return { [attributes] in
                _ = try await connect.api.update(type, at: "/v1/\(type)/\(known.id)", attributes)
            }
        }
        attributes["locale"] = .string(locale)
        attributes["name"] = .string(try arguments.required("title"))
        return { [attributes] in
            _ = try await connect.api.create(
                type, at: "/v1/\(type)", attributes,
                relationships: ["inAppPurchaseV2": ("inAppPurchases", product)])
        }
    }
}
