import StoreKit

/// A shop for credits, on a terminal.
///
/// `CreditShop` sells them, or `CreditStore` with StoreKit 2; `Wallet` keeps them. This is the part
/// that the customer sees.
@main
final class Consumables {
    private static let help = """
        Consumables sells credits and keeps what the customer has of them.

        Usage: Consumables [--storekit2] [--help]

        With --storekit2 it uses StoreKit 2, otherwise the original interface. Both know the same
        purchases and the same credits.

        It looks for its store in embedded.storeprofile beside the program, or in the file that
        OPENSTORE_PROFILE names. The credits are in \(Wallet.standardFile.path).
        It can be stopped at any time, by Control-C too: what was paid for is delivered once,
        now or at the next start.

        """

    private let shop: any CreditSeller
    private let keyboard = Keyboard()

    static func main() {
        let usesStoreKit2: Bool
        switch Array(CommandLine.arguments.dropFirst()) {
        case []: usesStoreKit2 = false
        case ["--storekit2"]: usesStoreKit2 = true
        case ["--help"], ["-h"]:
            Screen.write(help)
            return
        case let words:
            Screen.fail("I don't know \(words.joined(separator: " ")); see --help.", code: 64)
        }
        do {
            let wallet = try Wallet(file: Wallet.standardFile)
            let consumables = Consumables(
                shop: usesStoreKit2 ? CreditStore(wallet: wallet) : CreditShop(wallet: wallet))
            consumables.run()
            withExtendedLifetime(consumables) { RunLoop.main.run() }
        } catch {
            Screen.fail("The credits can't be read: \(error.localizedDescription)", code: 1)
        }
    }

    private init(shop: any CreditSeller) {
        self.shop = shop
    }

    private func run() {
        keyboard.onLine = { [unowned self] line in choose(line) }
        shop.onMessage = { Screen.write($0 + "\n") }
        // While a payment is under way, the terminal belongs to the framework's own questions.
        shop.onBusy = { [unowned self] in keyboard.isListening = false }
        shop.onIdle = { [unowned self] in
            showShelf()
            keyboard.isListening = true
        }
        shop.open()
    }

    private func showShelf() {
        Screen.write("\n\(Screen.bold("Credits"))  \(shop.credits)\n\n")
        let width = shop.packs.map(\.title.count).max() ?? 0
        for (number, pack) in shop.packs.enumerated() {
            Screen.write(
                "  \(number + 1)\(Screen.gap(9 - pack.price.count))\(pack.price)  \(pack.title)"
                    + "\(Screen.gap(width - pack.title.count))  "
                    + "\(Screen.dim(pack.description))\n")
        }
        let buying = shop.packs.isEmpty ? "" : "A number buys, "
        Screen.write("\n\(buying)s spends a credit, q quits: ")
    }

    private func choose(_ line: String?) {
        switch line?.trimmingCharacters(in: .whitespaces) {
        case nil, "q":
            exit(0)
        case "s":
            shop.spend()
        case let word?:
            if let number = Int(word), shop.packs.indices.contains(number - 1) {
                shop.buy(shop.packs[number - 1])
            } else {
                showShelf()
            }
        }
    }
}
