import StoreWire

private let groupArgument = CommandSpec.Argument(
    name: "GROUP", help: "The group, by its reference name or identifier.")

extension [ConnectRenderer.Column] {
    fileprivate static var groups: [ConnectRenderer.Column] {
        [.id, .attribute("NAME", "referenceName")]
    }
}

extension ConnectContext {
    /// The group of the first argument, in the app of `--app` or the only one.
    ///
    /// - Throws: `ConnectFailure`, with what may have been meant.
    fileprivate func subscriptionGroup() async throws -> JSONValue {
        let text = arguments.argument(0)
        let app = try await app()
        let all = try await api.list("/v1/apps/\(app.id)/subscriptionGroups")
        if let group = all.first(where: { $0.attribute("referenceName") == text || $0.id == text })
        {
            return group
        }
        let bundleID = app.attribute("bundleId")
        throw NotFound.failure(
            "subscription group", text, of: bundleID,
            in: all.map { $0.attribute("referenceName") },
            command: "subscription-group list --app \(bundleID)")
    }
}

/// `openstore subscription-group list`
enum SubscriptionGroupList: ConnectCommand {
    static let spec = CommandSpec.connect(
        ["subscription-group", "list"], summary: "List the groups of an app's subscriptions.",
        options: [.app, .limit])

    static func run(_ connect: ConnectContext) async throws {
        let app = try await connect.app().id
        let groups = try await connect.api.list(
            "/v1/apps/\(app)/subscriptionGroups", ["sort": "referenceName"],
            limit: connect.limit())
        connect.show.list(groups, .groups, empty: "The app has no subscription groups.")
    }
}

/// `openstore subscription-group show`
enum SubscriptionGroupShow: ConnectCommand {
    static let spec = CommandSpec.connect(
        ["subscription-group", "show"],
        summary: "Show a group with its texts and subscriptions, the highest level first.",
        arguments: [groupArgument], options: [.app])

    static func run(_ connect: ConnectContext) async throws {
        let group = try await connect.subscriptionGroup()
        connect.show.one(group, .groups)
        guard connect.show.isForPeople else { return }
        let path = "/v1/subscriptionGroups/\(group.id)"
        connect.output.line("")
        connect.show.list(
            try await connect.api.list("\(path)/\(SubscriptionGroupUpdate.texts)"),
            [
                .attribute("LANGUAGE", "locale"), .attribute("NAME", "name"),
                .attribute("APP NAME", "customAppName"),
            ], empty: "It has no texts: apps show the reference name.")
        connect.output.line("")
        connect.show.list(
            try await connect.api.list("\(path)/subscriptions").sorted { level($0) < level($1) },
            [
                .id, .attribute("LEVEL", "groupLevel"), .attribute("PRODUCT", "productId"),
                .attribute("NAME", "name"), .attribute("PERIOD", "subscriptionPeriod"),
                .attribute("STATE", "state"),
            ],
            empty: "It has no subscriptions (openstore product create --type "
                + "\(SubscriptionProducts.type)).")
    }

    private static func level(_ subscription: JSONValue) -> Int {
        subscription["attributes"]?["groupLevel"]?.integer ?? 0
    }
}

/// `openstore subscription-group create`
enum SubscriptionGroupCreate: ConnectCommand {
    static let spec = CommandSpec.connect(
        ["subscription-group", "create"],
        summary: "Make a group of subscriptions, of which a customer has one at a time.",
        options: [
            .app, .value("name", "TEXT", "Its reference name, once in the app.").asRequired,
        ])

    static func run(_ connect: ConnectContext) async throws {
        let name = try connect.arguments.required("name")
        let app = try await connect.app()
        let group = try await connect.api.create(
            "subscriptionGroups", at: "/v1/subscriptionGroups", ["referenceName": .string(name)],
            relationships: ["app": ("apps", app.id)])
        connect.show.done(
            group,
            "The group \(name) is made. Give it subscriptions with openstore product create --type "
                + "\(SubscriptionProducts.type) --group \(shellWord(name)).")
    }
}

/// `openstore subscription-group update`
enum SubscriptionGroupUpdate: ConnectCommand {
    static let spec = CommandSpec.connect(
        ["subscription-group", "update"],
        summary: "Rename a group, or change its texts in a language.",
        discussion: """
            With --locale the texts of that language are added or changed. Nobody reviews them.
            """,
        arguments: [groupArgument],
        options: [
            .app, .value("name", "TEXT", "The reference name."),
            .value("title", "TEXT", "The display name in the language."),
            .value("app-name", "TEXT", "What the app is called beside it in the language."),
        ] + LocalizationChange.options)

    /// The type of a group's texts.
    static let texts = "subscriptionGroupLocalizations"
    private static let fields: [LocalizationChange.Field] = [
        .init(option: "title", attribute: "name"),
        .init(option: "app-name", attribute: "customAppName"),
    ]

    static func run(_ connect: ConnectContext) async throws {
        let arguments = connect.arguments
        let name = arguments["name"]
        guard name != nil || LocalizationChange.isAsked(arguments, fields) else {
            throw UsageError(description: "nothing is to be changed\nUsage: \(spec.usage)")
        }
        try LocalizationChange.check(arguments, fields)
        let group = try await connect.subscriptionGroup()
        let path = "/v1/subscriptionGroups/\(group.id)"
        let change = try await LocalizationChange(
            type: texts, list: "\(path)/\(texts)",
            owner: .init(field: "subscriptionGroup", type: "subscriptionGroups", id: group.id),
            fields: fields
        ).prepared(arguments, connect.api)
        if let name {
            _ = try await connect.api.update(
                "subscriptionGroups", at: path, ["referenceName": .string(name)])
        }
        try await change?()
        connect.show.done(
            try await connect.api.show(path),
            "The group \(name ?? group.attribute("referenceName")) is changed.")
    }
}

/// `openstore subscription-group delete`
enum SubscriptionGroupDelete: ConnectCommand {
    static let spec = CommandSpec.connect(
        ["subscription-group", "delete"], summary: "Delete a group that has no subscriptions.",
        arguments: [groupArgument], options: [.app])

    static func run(_ connect: ConnectContext) async throws {
        let group = try await connect.subscriptionGroup()
        try await connect.api.delete("/v1/subscriptionGroups/\(group.id)")
        connect.show.done(
            id: group.id, "The group \(group.attribute("referenceName")) is deleted.")
    }
}
