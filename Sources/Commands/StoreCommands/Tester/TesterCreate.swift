import StoreCore
import StoreModel
import StoreServer
import StoreWire

/// `openstore tester create`
enum TesterCreate: Command {
    static let spec = CommandSpec(
        words: ["tester", "create"], summary: "Make a sandbox tester.",
        discussion: """
            With --first-name the tester is made over the API, as publishers make one in the
            portal; without, in the folder of a store on this machine.
            """,
        options: AccountCreation.account + [
            .value("first-name", "NAME", "The tester's first name."),
            .value("last-name", "NAME", "The tester's last name."),
            .value("question", "TEXT", "A question to which the tester alone knows the answer."),
            .value("answer", "TEXT", "The answer to it."),
            .value(
                "team", "NAME",
                "Without --first-name: whose tester; the store's only team unless given, or nobody's."
            ),
        ] + ConnectOptions.all)

    static func run(_ arguments: ParsedArguments, output: Output) async throws {
        guard arguments["first-name"] != nil else {
            return try await AccountCreation.run(
                arguments, environment: .sandbox, output: output)
        }
        guard arguments["team"] == nil else {
            throw UsageError(
                description: "--team does not go with --first-name: the tester becomes one of the "
                    + "team that you act for")
        }
        let email = try arguments.required("email")
        _ = try arguments.required("storefront")
        let attributes: [String: JSONValue] = [
            "firstName": .string(try arguments.required("first-name")),
            "lastName": .string(try arguments.required("last-name")),
            "email": .string(email), "territory": try TesterChoice.territory(arguments),
            "secretQuestion": .string(try arguments.required("question")),
            "secretAnswer": .string(try arguments.required("answer")),
            "password": .string(
                try PasswordPrompt.read(arguments, "Password of the tester \(email)")),
        ]
        let api = try await ConnectOptions.api(arguments)
        let tester = try await api.create(
            "sandboxTesters", at: ConnectContext.testers, attributes)
        ConnectRenderer(arguments, output).done(
            tester, "\(tester.attribute("email")) can sign in to the sandbox now.")
    }
}
