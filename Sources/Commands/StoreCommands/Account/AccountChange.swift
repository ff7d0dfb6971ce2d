import Foundation
import StoreModel

/// `openstore tester change`
enum TesterChange: Command {
    static let spec = CommandSpec(
        words: ["tester", "change"], summary: "Change how a tester or customer buys.",
        discussion: """
            With Ask to Buy, somebody else approves what the account buys: see openstore purchase.
            Interrupted purchases fail at first, and are sold when openstore purchase approve
            settles them.
            """,
        options: [
            AccountSubject.email, AccountSubject.environment,
            .value("ask-to-buy", "on|off", "Whether somebody else approves what it buys."),
            .value("interrupt", "on|off", "Whether its purchases are interrupted."),
            StoreOpening.option,
            .flag("json", "Write JSON for programs."),
        ])

    private struct Result: Encodable {
        let email: String
        let asksToBuy: Bool
        let interruptsPurchases: Bool
    }

    static func run(_ arguments: ParsedArguments, output: Output) async throws {
        let asks = try arguments.value("ask-to-buy", "on or off", isOn)
        let interrupts = try arguments.value("interrupt", "on or off", isOn)
        let (email, settings) = try await StoreOpening.with(arguments) { store in
            let account = try await AccountSubject.account(arguments, in: store)
            let settings = try await store.services.accounts.change(account.id) { settings in
                settings.asksToBuy = asks ?? settings.asksToBuy
                settings.interruptsPurchases = interrupts ?? settings.interruptsPurchases
            }
            return (account.email, settings)
        }
        if arguments.has("json") {
            try output.json(
                Result(
                    email: email, asksToBuy: settings.asksToBuy,
                    interruptsPurchases: settings.interruptsPurchases))
        } else {
            output.line(
                "\(email): Ask to Buy \(settings.asksToBuy ? "on" : "off"), interrupted purchases "
                    + (settings.interruptsPurchases ? "on" : "off"))
        }
    }

    private static func isOn(_ text: String) -> Bool? {
        switch text {
        case "on": true
        case "off": false
        default: nil
        }
    }
}
