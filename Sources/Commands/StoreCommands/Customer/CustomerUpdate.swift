import Foundation
import StoreCore
import StoreModel
import StoreServer

/// `openstore customer update`
enum CustomerUpdate: Command {
    static let spec = CommandSpec(
        words: ["customer", "update"], summary: "Change how a customer buys.",
        discussion: """
            With Ask to Buy, somebody else approves what the customer buys: a guardian on a page of
            the store, or you (see openstore purchase). The guardian is another customer and types
            its password on the page; without one, whoever has the page's address decides.
            Interrupted purchases fail at first, and are sold when openstore purchase approve
            settles them.
            """,
        options: [
            AccountSubject.email,
            .value("ask-to-buy", "on|off", "Whether somebody else approves what it buys."),
            .value("guardian", "ADDRESS|none", "Which customer approves what it buys."),
            .value("interrupt", "on|off", "Whether its purchases are interrupted."),
            StoreOpening.option, StoreOpening.database,
            .json,
        ])

    private struct Result: Encodable {
        let email: String
        let asksToBuy: Bool
        let interruptsPurchases: Bool
        let guardian: String?
    }

    static func run(_ arguments: ParsedArguments, output: Output) async throws {
        let asks = try arguments.value("ask-to-buy", "on or off", isOn)
        let interrupts = try arguments.value("interrupt", "on or off", isOn)
        guard asks != nil || interrupts != nil || arguments["guardian"] != nil else {
            throw UsageError(description: "nothing is to be changed\nUsage: \(spec.usage)")
        }
        let (email, settings, guardian) = try await StoreOpening.with(arguments) { store in
            let account = try await store.services.accounts.account(
                email: try arguments.required("email"), environment: .production)
            let chosen = try await chosenGuardian(arguments, of: account, in: store)
            let settings = try await store.services.accounts.change(account.id) { settings in
                if let chosen { settings.guardian = chosen }
                settings.asksToBuy = asks ?? settings.asksToBuy
                settings.interruptsPurchases = interrupts ?? settings.interruptsPurchases
            }
            let guardian = try await store.database.read { repositories in
                try settings.guardian.flatMap(repositories.accounts.account)?.email
            }
            return (account.email, settings, guardian)
        }
        if arguments.has("json") {
            try output.json(
                Result(
                    email: email, asksToBuy: settings.asksToBuy,
                    interruptsPurchases: settings.interruptsPurchases, guardian: guardian))
        } else {
            output.line(
                "\(email): Ask to Buy \(settings.asksToBuy ? "on" : "off"), interrupted purchases "
                    + (settings.interruptsPurchases ? "on" : "off")
                    + (guardian.map { ", guardian \($0)" } ?? ""))
        }
    }

    /// The guardian that is wanted, or that none is; nil where it is to stay.
    private static func chosenGuardian(
        _ arguments: ParsedArguments, of account: Account, in store: Store
    ) async throws -> AccountID?? {
        guard let email = arguments["guardian"] else { return nil }
        guard email != "none" else { return .some(nil) }
        return try await store.services.accounts.account(
            email: email, environment: account.environment
        ).id
    }

    private static func isOn(_ text: String) -> Bool? {
        switch text {
        case "on": true
        case "off": false
        default: nil
        }
    }
}
