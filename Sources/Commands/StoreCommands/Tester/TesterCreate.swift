import StoreWire

/// `openstore tester create`
enum TesterCreate: ConnectCommand {
    static let spec = CommandSpec.connect(
        ["tester", "create"], summary: "Make a sandbox tester.",
        discussion: """
            The tester belongs to the team that you act for. Names, and a question that only the
            tester can answer, may be left out.
            """,
        options: AccountCreation.account + [
            .value("first-name", "NAME", "The tester's first name."),
            .value("last-name", "NAME", "The tester's last name."),
            .value("question", "TEXT", "A question to which the tester alone knows the answer."),
            .value("answer", "TEXT", "The answer to it."), .team,
        ])

    static func run(_ connect: ConnectContext) async throws {
        let arguments = connect.arguments
        let email = try arguments.required("email")
        let attributes: [String: JSONValue] = [
            "firstName": .text(arguments["first-name"]), "lastName": .text(arguments["last-name"]),
            "email": .string(email), "territory": try TesterChoice.territory(arguments),
            "secretQuestion": .text(arguments["question"]),
            "secretAnswer": .text(arguments["answer"]),
            "password": .string(
                try PasswordPrompt.read(arguments, "Password of the tester \(email)")),
        ]
        let tester = try await connect.api.create(
            "sandboxTesters", at: ConnectContext.testers, attributes,
            relationships: connect.teamLink())
        connect.show.done(
            tester,
            "\(tester.attribute("email")) can sign in to the sandbox now: an app asks, or openstore "
                + "account sign-in.")
    }
}
