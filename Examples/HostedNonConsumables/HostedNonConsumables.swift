import StoreKit

/// A reader for a story in two chapters, on a terminal. The store keeps the chapters.
///
/// `ChapterShop` sells, restores and downloads, `Library` keeps what is installed, `Reader`
/// shows it; this is the part that the customer operates.
@main
final class HostedNonConsumables {
    private static let help = """
        HostedNonConsumables sells chapters of a story, downloads them from the store, and shows
        them.

        Usage: HostedNonConsumables [--help]

        It looks for its store in embedded.storeprofile beside the program, or in the file that
        OPENSTORE_PROFILE names. The chapters are in
        \(Library.standardFolder.path).
        It can be stopped at any time, by Control-C too: a download goes on where it was at the
        next start.

        """

    private let shop: ChapterShop
    private let keyboard = Keyboard()
    private let bar = ProgressBar()

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
            let reader = HostedNonConsumables(
                library: try Library(folder: Library.standardFolder))
            reader.run()
            withExtendedLifetime(reader) { RunLoop.main.run() }
        } catch {
            Screen.fail("The library can't be read: \(error.localizedDescription)", code: 1)
        }
    }

    private init(library: Library) {
        shop = ChapterShop(library: library)
    }

    private func run() {
        keyboard.onLine = { [unowned self] line in choose(line) }
        keyboard.onKey = { [unowned self] key in press(key) }
        shop.onMessage = { [unowned self] in
            bar.hide()
            Screen.write($0 + "\n")
        }
        shop.onChange = { [unowned self] activity in show(activity) }
        shop.open()
    }

    private func show(_ activity: ChapterShop.Activity) {
        switch activity {
        case .idle:
            keyboard.mode = .lines
            showShelf()
        case .busy:
            // The terminal belongs to the framework's own questions, or there is nothing to choose.
            keyboard.mode = .off
        case .downloading(let downloads):
            keyboard.mode = .keys
            bar.show(downloads)
        }
    }

    private func showShelf() {
        Screen.write("\n")
        for (number, chapter) in shop.chapters.enumerated() {
            let state =
                switch chapter.state {
                case .forSale(let price): price
                case .owned: "yours"
                case .installed(let version): Screen.green("installed \(version)")
                case .outdated(let installed, let newest): Screen.green("\(installed) → \(newest)")
                }
            let size = ByteCountFormatter.string(fromByteCount: chapter.bytes, countStyle: .file)
            Screen.write(
                "  \(number + 1)  \(Screen.bold(chapter.product.localizedTitle))  \(state)  "
                    + "\(Screen.dim("\(chapter.product.localizedDescription), \(size)"))\n")
        }
        let updates = shop.hasUpdates ? "u updates, " : ""
        Screen.write("\nA number buys or opens, \(updates)r restores, q quits: ")
    }

    private func choose(_ line: String?) {
        switch line?.trimmingCharacters(in: .whitespaces) {
        case nil, "q":
            exit(0)
        case "u":
            shop.update()
        case "r":
            shop.restore()
        case let word?:
            guard let number = Int(word), shop.chapters.indices.contains(number - 1) else {
                return showShelf()
            }
            let chapter = shop.chapters[number - 1]
            if let folder = shop.library.folder(of: chapter.product.productIdentifier) {
                Reader.show(folder)
                showShelf()
            } else {
                shop.get(chapter)
            }
        }
    }

    private func press(_ key: Character?) {
        switch key {
        case "p": shop.pause()
        case "r": shop.resume()
        case "c": shop.cancel()
        case "q", nil:
            keyboard.mode = .off
            bar.hide()
            Screen.write("The download goes on at the next start.\n")
            exit(0)
        default: break
        }
    }
}
