import StoreWire

/// Commands about shared secrets.
enum SharedSecretCommands {
    static let app = CommandSpec.Option.value(
        "app", "APP", "The app whose receipts it opens: bundle identifier or number.")
}

extension ConnectContext {
    /// Whose secret is meant, as a relationship; the team's where no app is named.
    fileprivate func secretOwner() async throws -> [String: (type: String, id: String)] {
        guard let text = arguments["app"] else { return try await teamLink() }
        guard arguments["team"] == nil else {
            throw UsageError(description: "a secret is an app's or a team's: --app or --team")
        }
        return ["app": ("apps", try await app(text).id)]
    }
}

/// `openstore shared-secret show`
enum SharedSecretShow: ConnectCommand {
    static let spec = CommandSpec.connect(
        ["shared-secret", "show"],
        summary: "Show the secret with which a server has receipts verified.",
        discussion: "With --quiet it is all that is written.",
        options: [SharedSecretCommands.app, .team])

    static func run(_ connect: ConnectContext) async throws {
        let owner = try await connect.secretOwner()
        var filter: [String: String] = [:]
        for (name, link) in owner { filter["filter[\(name)]"] = link.id }
        let secrets = try await connect.api.list(
            "/openstore/v1/sharedSecrets", filter, limit: 1)
        guard let secret = secrets.first else {
            throw CommandFailure(
                description: "there is no secret yet; openstore shared-secret create makes one",
                exitCode: .notFound)
        }
        connect.show.one(
            secret,
            [.attribute("SECRET", "secret"), .attribute("MADE", "createdDate")],
            quiet: secret.attribute("secret"))
    }
}

/// `openstore shared-secret create`
enum SharedSecretCreate: ConnectCommand {
    static let spec = CommandSpec.connect(
        ["shared-secret", "create"],
        summary: "Make the secret with which a server has receipts verified.",
        discussion: """
            A server sends it as password to /verifyReceipt. One that there was is worth nothing
            any more. With --app it opens the receipts of the one app, else those of all of the
            team's apps.
            """,
        options: [SharedSecretCommands.app, .team])

    static func run(_ connect: ConnectContext) async throws {
        let secret = try await connect.api.create(
            "sharedSecrets", at: "/openstore/v1/sharedSecrets", [:],
            relationships: try await connect.secretOwner())
        let text = secret.attribute("secret")
        connect.show.done(secret, text, quiet: text)
    }
}
