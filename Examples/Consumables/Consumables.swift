import StoreKit

/// A shop for credits, on a terminal.
///
/// `CreditShop` sells them, `Wallet` keeps them; this is the part that the customer sees.
@main
final class Consumables {
    private static let help = """
        Consumables sells credits and keeps what the customer has of them.

        Usage: Consumables [--help]

        It looks for its store in embedded.storeprofile beside the program, or in the file that
        OPENSTORE_PROFILE names. The credits are in \(Wallet.standardFile.path).
        It can be stopped at any time, by Control-C too: what was paid for is delivered once,
        now or at the next start.

        """

    private let shop: CreditShop
    private let keyboard = Keyboard()

    static func main() {
        switch Array(CommandLine.arguments.dropFirst()) {
        case []: break
        case ["--help"], ["-h"]:
            Screen.write(help)
            return
        case let words:
            Screen.fail("I don't know \(words.joined(separator: " ")); see --help.", code: 64)
        }
        do {
            let consumables = Consumables(wallet: try Wallet(file: Wallet.standardFile))
            consumables.run()
            withExtendedLifetime(consumables) { RunLoop.main.run() }
        } catch {
            Screen.fail("The credits can't be read: \(error.localizedDescription)", code: 1)
        }
    }

    private init(wallet: Wallet) {
        shop = CreditShop(wallet: wallet)
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
        let width = shop.products.map(\.localizedTitle.count).max() ?? 0
        for (number, product) in shop.products.enumerated() {
            let price = shop.price(of: product)
            let title = product.localizedTitle
            Screen.write(
                "  \(number + 1)\(Screen.gap(9 - price.count))\(price)  \(title)"
                    + "\(Screen.gap(width - title.count))  "
                    + "\(Screen.dim(product.localizedDescription))\n")
        }
        let buying = shop.products.isEmpty ? "" : "A number buys, "
        Screen.write("\n\(buying)s spends a credit, q quits: ")
    }

    private func choose(_ line: String?) {
        switch line?.trimmingCharacters(in: .whitespaces) {
        case nil, "q":
            exit(0)
        case "s":
            shop.spend()
        case let word?:
            if let number = Int(word), shop.products.indices.contains(number - 1) {
                shop.buy(shop.products[number - 1])
            } else {
                showShelf()
            }
        }
    }
}
