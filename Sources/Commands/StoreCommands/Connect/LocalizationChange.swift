import StoreModel
import StoreWire

/// A change of texts in one language, of a product or of a group of subscriptions.
///
///     try LocalizationChange.check(arguments, fields)
///     let change = LocalizationChange(
///         type: "inAppPurchaseLocalizations", list: path, owner: owner, fields: fields)
///     let send = try await change.prepared(arguments, api)
///     try await send?()
struct LocalizationChange: Sendable {
    /// An attribute of the texts, and the option that has it.
    struct Field: Sendable {
        let option: String
        let attribute: String
    }

    /// What the texts belong to.
    struct Owner: Sendable {
        let field: String
        let type: String
        let id: String
    }

    static let options: [CommandSpec.Option] = [
        .value("locale", "LANGUAGE", "A language, for example en-US."),
        .flag("remove", "Take the texts of the language away."),
    ]

    /// The type of the API's resources, by which they are found at `/v1/`, too.
    let type: String
    /// The path that lists those of the owner.
    let list: String
    let owner: Owner
    /// The first one is what texts in a new language must have.
    let fields: [Field]

    /// Whether options say anything about texts.
    static func isAsked(_ arguments: ParsedArguments, _ fields: [Field]) -> Bool {
        arguments["locale"] != nil || hasText(arguments, fields)
    }

    private static func hasText(_ arguments: ParsedArguments, _ fields: [Field]) -> Bool {
        arguments.has("remove") || fields.contains { arguments[$0.option] != nil }
    }

    /// - Throws: `UsageError` for options that say nothing without, or against, one another.
    static func check(_ arguments: ParsedArguments, _ fields: [Field]) throws {
        let names = fields.map { "--\($0.option)" }
        guard arguments["locale"] != nil else {
            guard !hasText(arguments, fields) else {
                throw UsageError(
                    description: "\((names + ["--remove"]).formatted(as: "and")) need --locale")
            }
            return
        }
        guard hasText(arguments, fields) else {
            throw UsageError(
                description: "--locale needs \((names + ["--remove"]).formatted(as: "or"))")
        }
        guard !arguments.has("remove") || fields.allSatisfy({ arguments[$0.option] == nil }) else {
            throw UsageError(
                description: "--remove goes without \(names.formatted(as: "and"))")
        }
    }

    /// What is to be sent; `nil` if nothing is. That it can be done is found out before anything is.
    ///
    /// - Throws: `UsageError` and `ConnectFailure` where it can't be done.
    func prepared(
        _ arguments: ParsedArguments, _ api: ConnectAPI
    ) async throws -> (() async throws -> Void)? {
        guard let locale = arguments["locale"] else { return nil }
        let known = try await api.list(list).first { $0.attribute("locale") == locale }
        if arguments.has("remove") {
            guard let known else {
                throw ConnectFailure.notFound("--locale: there are no texts in \(locale).")
            }
            return { try await api.delete("/v1/\(type)/\(known.id)") }
        }
        var attributes: [String: JSONValue] = [:]
        for field in fields {
            if let text = arguments[field.option] { attributes[field.attribute] = .string(text) }
        }
        if let known {
            return { [attributes] in
                _ = try await api.update(type, at: "/v1/\(type)/\(known.id)", attributes)
            }
        }
        try arguments.demand(fields.prefix(1).map(\.option))
        attributes["locale"] = .string(locale)
        return { [attributes] in
            _ = try await api.create(
                type, at: "/v1/\(type)", attributes,
                relationships: [owner.field: (owner.type, owner.id)])
        }
    }
}
