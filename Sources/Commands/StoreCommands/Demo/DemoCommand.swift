import Foundation
import StoreModel
import StoreServer

/// `openstore demo`
///
/// This side is the store and its publisher. The app runs in processes of its own, one
/// for each scene (`DemoScene`), and knows nothing but its provisioning profile.
enum DemoCommand: Command {
    static let spec = CommandSpec(
        words: ["demo"], summary: "Watch an app buy a book chapter from a fresh store.",
        discussion: """
            Starts a store on a free port over a new folder, imports the bookshop, and lets an app
            written against StoreKit look at the products, buy, download, install, finish and
            restore. Asks before buying where there is a terminal.
            """,
        options: [
            .flag("yes", "Ask no questions."),
            .flag("serve", "Leave the store running at the end, and print its addresses."),
            .value("shop", "DIR", "The shop to sell from; Examples/Bookshop unless given."),
        ])

    static func run(_ arguments: ParsedArguments, output: Output) async throws {
        let shop = try findShop(arguments["shop"])
        let asks = !arguments.has("yes") && isatty(STDIN_FILENO) == 1 && output.isTerminal
        let folder = FileManager.default.temporaryDirectory
            .appendingPathComponent("openstore-demo-\(UUID().uuidString.prefix(8).lowercased())")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        let stage = try DemoStage(folder: folder, asks: asks, output: output)
        do {
            try await stage.prepare(shop: shop)
            try await stage.play()
        } catch {
            stage.close()
            try? FileManager.default.removeItem(at: folder)
            throw error
        }
        if arguments.has("serve") {
            let signals = StopSignals()
            stage.printAddresses()
            _ = await signals.first()
        }
        stage.close()
        if !arguments.has("serve") { try FileManager.default.removeItem(at: folder) }
    }

    /// The shop's folder: where the option says, else below the current directory, else
    /// beside the build that the program lies in.
    private static func findShop(_ path: String?) throws -> URL {
        let configuration = "Bookshop.storekit"
        if let path {
            let folder = ParsedArguments.url(path)
            let file = folder.appendingPathComponent(configuration).path
            guard FileManager.default.fileExists(atPath: file) else {
                throw UsageError(description: "--shop: there is no \(file)")
            }
            return folder
        }
        var place = URL(fileURLWithPath: FileManager.default.currentDirectoryPath)
        let executable = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath()
        for start in [place, executable] {
            place = start
            while place.path != "/" {
                let folder = place.appendingPathComponent("Examples/Bookshop")
                let file = folder.appendingPathComponent(configuration).path
                if FileManager.default.fileExists(atPath: file) { return folder }
                place.deleteLastPathComponent()
            }
        }
        throw UsageError(
            description: "the shop Examples/Bookshop is not here; run the demo from the project's "
                + "folder, or say where it is with --shop DIR")
    }
}
