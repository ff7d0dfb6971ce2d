import StoreKit

/// Finds items of the store and shows them, on a terminal.
///
/// `Catalog` searches, `ProductWindow` shows an item and asks for a rating; this is the part
/// that the customer operates.
@main
final class ProductView {
    private static let help = """
        ProductView finds apps, books, music and films of the store, and shows them.

        Usage: ProductView [--help]

        It looks for its store in embedded.storeprofile beside the program, or in the file that
        OPENSTORE_PROFILE names. OPENSTORE_SHEET=browser shows items in the browser.

        """

    private let catalog: Catalog
    private let keyboard = Keyboard()
    private let window = ProductWindow()
    private var items: [Catalog.Item] = []
    private var wasAsked = false

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
            let view = ProductView(catalog: try Catalog())
            view.run()
            withExtendedLifetime(view) { RunLoop.main.run() }
        } catch {
            Screen.fail(error.localizedDescription, code: 1)
        }
    }

    private init(catalog: Catalog) {
        self.catalog = catalog
    }

    private func run() {
        keyboard.onLine = { [unowned self] line in choose(line) }
        window.onDone = { Screen.write("The customer is done.\n") }
        if !SKPaymentQueue.canMakePayments() {
            Screen.write(
                "Purchases are switched off on this device: items can only be looked at.\n")
        }
        ask()
        keyboard.isListening = true
    }

    private func ask() {
        Screen.write("\nWords search, a number or an Apple ID shows an item, q quits: ")
    }

    private func choose(_ line: String?) {
        let words = line?.trimmingCharacters(in: .whitespaces)
        guard let words, words != "q" else { exit(0) }
        // Until it is over, the terminal belongs to the framework's own questions.
        keyboard.isListening = false
        Task {
            if let number = Int64(words), number > 0 {
                await show(number)
            } else if !words.isEmpty {
                await search(words)
            }
            ask()
            keyboard.isListening = true
        }
    }

    private func search(_ words: String) async {
        do {
            items = try await catalog.items(matching: words)
            if items.isEmpty { Screen.write("Nothing was found.\n") }
            for (number, item) in items.enumerated() {
                let details = [item.artistName, item.kind, item.formattedPrice]
                    .compactMap { $0 }.joined(separator: ", ")
                Screen.write("  \(number + 1)  \(Screen.bold(item.name))  \(Screen.dim(details))\n")
            }
        } catch {
            Screen.write("The store can't be searched: \(error.localizedDescription)\n")
        }
    }

    /// Shows the item of a line that was found, else the one of an Apple ID; where it can't be
    /// shown, opens its page in a browser.
    private func show(_ number: Int64) async {
        let found = Int(exactly: number - 1).flatMap {
            items.indices.contains($0) ? items[$0] : nil
        }
        let identifier = found?.identifier ?? number
        do {
            try await window.show(identifier, campaign: "ProductView")
            // Whoever has seen what the app is for may be asked, once in a run.
            if !wasAsked {
                wasAsked = true
                await window.askForRating()
            }
        } catch {
            Screen.write("It can't be shown: \(ProductWindow.sentence(for: error))\n")
            guard let found, let page = found.page else { return }
            Screen.write("Its page is \(page.absoluteString)\n")
            await window.open(page, titled: found.name)
        }
    }
}
