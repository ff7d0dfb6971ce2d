import StoreModel
import StoreWire

/// `openstore product update`
enum ProductUpdate: ConnectCommand {
    static let spec = CommandSpec.connect(
        ["product", "update"],
        summary: "Change an in-app purchase or a subscription, or its texts in a language.",
        discussion: """
            With --locale the texts of that language are added or changed. Customers read new texts
            when they are approved; testers read them at once.
            """,
        arguments: [.product],
        options: [
            .app, .value("name", "TEXT", "The reference name."),
            .value("review-note", "TEXT", "What reviewers should know."),
            .value("family-sharing", "yes|no", "Whether families share it."),
            .value(
                "duration", "PERIOD",
                "Of an auto-renewable subscription that was never on sale: "
                    + "\(SubscriptionProducts.periods)."),
            .value(
                "level", "NUMBER",
                "The level of service of an auto-renewable subscription in its group; 1 is the "
                    + "highest."),
            .value("title", "TEXT", "The display name in the language."),
            .value("description", "TEXT", "The description in the language."),
        ] + LocalizationChange.options)

    private static let texts: [LocalizationChange.Field] = [
        .init(option: "title", attribute: "name"),
        .init(option: "description", attribute: "description"),
    ]

    static func run(_ connect: ConnectContext) async throws {
        let arguments = connect.arguments
        var attributes = try attributes(arguments)
        let terms = try terms(arguments)
        guard
            !attributes.isEmpty || !terms.isEmpty
                || LocalizationChange.isAsked(arguments, texts)
        else {
            throw UsageError(description: "nothing is to be changed\nUsage: \(spec.usage)")
        }
        try LocalizationChange.check(arguments, texts)
        let named = try await connect.product()
        if !named.isSubscription,
            let option = ["duration", "level"].first(where: arguments.isGiven)
        {
            throw UsageError(option: option, "only an auto-renewable subscription has one")
        }
        attributes.merge(terms) { $1 }
        // What can't be done is found out before anything is.
        let change = try await LocalizationChange(
            type: named.localizations, list: "\(named.path)/\(named.localizations)",
            owner: .init(field: named.ownerField, type: named.type, id: named.number),
            fields: texts
        ).prepared(arguments, connect.api)
        if !attributes.isEmpty {
            _ = try await connect.api.update(named.type, at: named.path, attributes)
        }
        try await change?()
        let product = try await connect.api.show(named.path)
        connect.show.done(
            product,
            "\(product.attribute("productId")) is changed; it is \(product.attribute("state")).")
    }

    /// What any product has.
    private static func attributes(
        _ arguments: ParsedArguments
    ) throws -> [String: JSONValue] {
        var attributes: [String: JSONValue] = [:]
        if let name = arguments["name"] { attributes["name"] = .string(name) }
        if let note = arguments["review-note"] { attributes["reviewNote"] = .string(note) }
        if let isShared = try arguments.value("family-sharing", "yes or no", flag) {
            attributes["familySharable"] = .bool(isShared)
        }
        return attributes
    }

    /// What only subscriptions have.
    private static func terms(_ arguments: ParsedArguments) throws -> [String: JSONValue] {
        var terms: [String: JSONValue] = [:]
        let period = try arguments.value("duration", "one of \(SubscriptionProducts.periods)") {
            SubscriptionPeriod(iso8601: $0)?.connectName
        }
        if let period { terms["subscriptionPeriod"] = .string(period) }
        if let level = try SubscriptionProducts.level(arguments) {
            terms["groupLevel"] = .integer(level)
        }
        return terms
    }

    private static func flag(_ text: String) -> Bool? {
        switch text {
        case "yes", "true": true
        case "no", "false": false
        default: nil
        }
    }
}
