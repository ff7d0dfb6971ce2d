import Foundation
import StoreCore
import StoreModel
import StoreServer

/// `openstore tester change`
enum TesterChange: Command {
    static let spec = CommandSpec(
        words: ["tester", "change"], summary: "Change how a tester or customer buys.",
        discussion: """
            With Ask to Buy, somebody else approves what the account buys: a guardian on a page of
            the store, or you (see openstore purchase). The guardian is another account of the same
            environment and types its password on the page; without one, whoever has the page's
            address decides.
            Interrupted purchases fail at first, and are sold when openstore purchase approve
            settles them.
            """,
        options: [
            AccountSubject.email, AccountSubject.environment,
            .value("ask-to-buy", "on|off", "Whether somebody else approves what it buys."),
            .value("guardian", "ADDRESS|none", "Which account approves what it buys."),
            .value("interrupt", "on|off", "Whether its purchases are interrupted."),
            StoreOpening.option, StoreOpening.database,
            .flag("json", "Write JSON for programs."),
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
        let (email, settings, guardian) = try await StoreOpening.with(arguments) { store in
            let account = try await AccountSubject.account(arguments, in: store)
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
