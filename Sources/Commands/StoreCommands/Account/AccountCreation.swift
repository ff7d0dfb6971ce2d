import Foundation
import StoreCore
import StoreModel
import StoreServer

/// What `tester create` and `customer create` have in common.
enum AccountCreation {
    static let account: [CommandSpec.Option] = [
        .value("email", "ADDRESS", "The address to sign in with."),
        .value("password", "PASSWORD", "The password; read from standard input unless given."),
        TesterChoice.storefront,
    ]

    private struct Result: Encodable {
        let email: String
        let storefront: String
        let environment: String
    }

    static func run(
        _ arguments: ParsedArguments, environment: StoreEnvironment, output: Output
    ) async throws {
        let email = try arguments.required("email")
        _ = try arguments.required("storefront")
        let storefront = try arguments.value(
            "storefront", "the code of a storefront", Storefront.named)!
        guard let password = arguments["password"] ?? readLine() else {
            throw UsageError(description: "there is no password; give one line on standard input")
        }
        let account = try await StoreOpening.with(arguments, begins: true) { store in
            let team = environment == .sandbox ? try await team(arguments, in: store) : nil
            let account = try await store.services.accounts.create(
                email: email, password: password, storefront: storefront,
                environment: environment)
            if let team {
                _ = try await store.services.testers.adopt(
                    account.id, for: team.id, by: .machine)
            }
            return account
        }
        if arguments.has("json") {
            try output.json(
                Result(
                    email: account.email, storefront: storefront.code,
                    environment: environment.word))
        } else {
            output.line(
                "\(account.email): \(environment.word), \(storefront.name) "
                    + "(\(storefront.currency), \(storefront.locale))")
        }
    }
}

extension AccountCreation {
    /// The team whose publisher sees the tester; nil where nobody says, and there are several.
    private static func team(
        _ arguments: ParsedArguments, in store: Store
    ) async throws -> Team? {
        guard let name = arguments["team"] else {
            return try await store.database.read { try $0.catalog.onlyTeam() }
        }
        guard let team = try await store.database.read({ try $0.catalog.team(named: name) })
        else { throw CommandFailure(description: "the store has no team \"\(name)\"") }
        return team
    }
}

/// `openstore customer create`
enum CustomerCreate: Command {
    static let spec = CommandSpec(
        words: ["customer", "create"], summary: "Make a customer of the production store.",
        options: AccountCreation.account + [
            StoreOpening.option, StoreOpening.database, .flag("json", "Write JSON for programs."),
        ])

    static func run(_ arguments: ParsedArguments, output: Output) async throws {
        try await AccountCreation.run(arguments, environment: .production, output: output)
    }
}
