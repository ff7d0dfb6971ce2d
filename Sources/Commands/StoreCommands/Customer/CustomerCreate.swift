import StoreCore
import StoreModel
import StoreServer

/// What `tester create` and `customer create` have in common.
enum AccountCreation {
    static let account: [CommandSpec.Option] = [
        .value("email", "ADDRESS", "The address to sign in with.").asRequired,
        .value("password", "PASSWORD", "The password; read from standard input unless given."),
        TesterChoice.storefront.asRequired,
    ]
}

/// `openstore customer create`
enum CustomerCreate: Command {
    static let spec = CommandSpec(
        words: ["customer", "create"], summary: "Make a customer of the production store.",
        discussion: "Customers make accounts on the store's pages.",
        options: AccountCreation.account + [StoreOpening.option, StoreOpening.database, .json])

    private struct Result: Encodable {
        let email: String
        let storefront: String
        let environment: String
    }

    static func run(_ arguments: ParsedArguments, output: Output) async throws {
        let email = try arguments.required("email")
        let storefront = try arguments.required(
            "storefront", "the code of a storefront", Storefront.named)
        let password = try PasswordPrompt.read(arguments, "Password of \(email)")
        let account = try await StoreOpening.with(arguments) { store in
            try await store.services.accounts.create(
                email: email, password: password, storefront: storefront,
                environment: .production)
        }
        let environment = StoreEnvironment.production.word
        if arguments.has("json") {
            return try output.json(
                Result(
                    email: account.email, storefront: storefront.code, environment: environment))
        }
        output.line(
            "\(account.email): \(environment), \(storefront.name) (\(storefront.currency), "
                + "\(storefront.locale))")
    }
}
