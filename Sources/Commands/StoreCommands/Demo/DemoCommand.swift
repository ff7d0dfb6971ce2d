import Foundation
import StoreCore
import StoreModel
import StoreServer

/// `openstore demo`
///
/// This side is the store and its publisher. The app runs in processes of its own, one
/// for each scenario (`DemoScenario`), and knows nothing but its provisioning profile.
enum DemoCommand: Command {
    static let spec = CommandSpec(
        words: ["demo"], summary: "Watch an app buy a book chapter from a fresh store.",
        discussion: """
            Starts a store on a free port over a new folder, imports the bookshop, and lets an app
            written against StoreKit look at the products, buy, download, install, finish and
            restore. Asks before buying where there is a terminal.

            With --serve the store belongs to a publisher who has been selling for six weeks, and
            its portal shows everything that it can show: sign in as any of the people that are
            listed at the end. The store listens on this machine only; the password is a new one
            each time. Whoever ends it takes its folder away with it.
            """,
        options: [
            .flag("yes", "Ask no questions."),
            .flag("serve", "Fill the portal, leave the store running, and say where it is."),
            .flag(
                "allow-local-notifications",
                "With --serve: also send notifications to this machine, to private networks, to any "
                    + "port and over HTTP."),
            .value(
                "shop", "DIR",
                "The shop to sell from; Examples/Bookshop here, or the package's, unless given."),
        ])

    static func run(_ arguments: ParsedArguments, output: Output) async throws {
        let shop = try findShop(arguments["shop"])
        let asks = !arguments.has("yes") && isatty(STDIN_FILENO) == 1 && output.isTerminal
        let folder = FileManager.default.temporaryDirectory
            .appendingPathComponent("openstore-demo-\(UUID().uuidString.prefix(8).lowercased())")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer {
            do { try FileManager.default.removeItem(at: folder) } catch CocoaError.fileNoSuchFile {
            } catch {
                output.error("the folder \(folder.path) can't be removed: \(error)")
            }
        }
        let store = try await DemoStore(
            folder: folder, asks: asks,
            notificationTargets: arguments.has("allow-local-notifications")
                ? .anywhere : .internet, output: output)
        let password = arguments.has("serve") ? try DemoPassword.make() : nil
        defer { store.close() }
        try await store.prepare(shop: shop, portalPassword: password)
        try await store.play()
        if let password {
            let signals = StopSignals()
            var note: LeftNote? = try await store.leaveNote()
            let jobs = Task { await store.work() }
            store.printAddresses(portalPassword: password)
            _ = await signals.first()
            if note != nil { note = nil }
            jobs.cancel()
            await jobs.value
        }
    }

    /// The shop's folder: where the option says, else below the current directory, else
    /// beside the build or the package that the program lies in.
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
        let current = URL(fileURLWithPath: FileManager.default.currentDirectoryPath)
        let executable = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath()
        let places = [
            (current, "Examples/Bookshop"), (executable, "Examples/Bookshop"),
            // Where packages have it: beside the folder bin.
            (executable, "share/openstore/Bookshop"),
        ]
        for (start, name) in places {
            var place = start
            while place.path != "/" {
                let folder = place.appendingPathComponent(name)
                let file = folder.appendingPathComponent(configuration).path
                if FileManager.default.fileExists(atPath: file) { return folder }
                place.deleteLastPathComponent()
            }
        }
        throw UsageError(
            description: "the demo sells the products of Examples/Bookshop, which is neither here "
                + "nor beside this program: go to the folder of the project's source and run it "
                + "there, install the package, which brings them, or name another folder that has "
                + "a \(configuration) and a folder Content with --shop DIR")
    }
}
