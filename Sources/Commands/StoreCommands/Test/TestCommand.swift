import Foundation
import StoreModel
import StoreServer

/// `openstore test`
enum TestCommand: Command {
    static let spec = CommandSpec(
        words: ["test"], summary: "Run a command, such as an app's tests, with a store of its own.",
        discussion: """
            Starts a fresh store on a free port of this machine, imports the products, signs the
            sandbox tester \(TemporaryStore.email) in, and runs the command, which finds the store by
            OPENSTORE_PROFILE; purchases are answered without a person. Ends with the exit code of
            the command, and leaves nothing behind, also when SIGINT or SIGTERM ends it; a second
            signal kills the command.

            Each process of the command is a device of its own, so that suites of tests run side by
            side; with --one-device what one process leaves the next one finds. Commands of
            openstore that the command calls work on this store: openstore tester update
            \(TemporaryStore.email) --payment-failure next.
            """,
        arguments: [.init(name: "FILE.storekit", help: "Xcode's StoreKit configuration.")],
        rest: CommandSpec.Argument(name: "COMMAND ...", help: "The command with its arguments."),
        options: [
            .value(
                "content", "DIR",
                "Hosted content: DIR/<product identifier>/ with ContentInfo.plist and Contents/."),
            .value(
                "bundle-id", "ID",
                "The app; what the product identifiers begin with in common unless given."),
            .value(
                "sheet", "accept|decline", "How purchases are answered; accept unless given.",
                standard: "accept"),
            .value(
                "storefront", "CODE", "The tester's country; USA unless given.", standard: "USA"),
            .flag("one-device", "Let all processes of the command be one device."),
            .flag("quiet", "Say nothing of the store."),
        ])

    /// What other stores are named by, which the command is not to work on.
    private static let strangers = [
        "OPENSTORE_API_KEY", "OPENSTORE_API_ISSUER", "OPENSTORE_DATABASE", "OPENSTORE_CONTENT",
        "OPENSTORE_DEVICES", "XDG_STATE_HOME", "XDG_CACHE_HOME",
    ]

    static func run(_ arguments: ParsedArguments, output: Output) async throws {
        let configuration = try CatalogImport.configuration(in: arguments.argument(0))
        let bundleID = try arguments.value("bundle-id", "a bundle identifier") { BundleID($0) }
        let storefront = try arguments.value(
            "storefront", "the code of a storefront", Storefront.named)
        let sheet = try arguments.value("sheet", "accept or decline") { text in
            ["accept", "decline"].contains(text) ? text : nil
        }
        // Caught before there is anything to be taken away.
        let signals = CaughtSignals()
        let store = try TemporaryStore()
        let code: Int32
        do {
            let (variables, report) = try await store.prepare(
                configuration: configuration,
                content: arguments["content"].map(ParsedArguments.url), bundleID: bundleID,
                storefront: storefront ?? .unitedStates, isOneDevice: arguments.has("one-device"))
            if !arguments.has("quiet") {
                for warning in report.warnings { output.error("note: \(warning)") }
                output.error(
                    "a store for \(report.app.bundleID) with \(report.products.count) products is at "
                        + "\(store.address); \(TemporaryStore.email) is signed in")
            }
            var environment = ProcessInfo.processInfo.environment
            let removed = removed(arguments.has("one-device"))
            for name in removed { environment[name] = nil }
            environment.merge(variables) { $1 }
            environment["OPENSTORE_SHEET"] = sheet ?? "accept"
            code = try await run(arguments.rest, environment, store, signals)
        } catch {
            store.remove()
            throw error
        }
        store.remove()
        // The command's own, which may be any.
        if code != 0 { exit(code) }
    }

    /// Variables that are taken away: folders of the user's caches are not for one device only.
    private static func removed(_ isOneDevice: Bool) -> [String] {
        isOneDevice ? strangers : strangers.filter { !$0.hasPrefix(scalars: "XDG_") }
    }

    private static func run(
        _ line: [String], _ environment: [String: String], _ store: TemporaryStore,
        _ signals: CaughtSignals
    ) async throws -> Int32 {
        if let signal = signals.first { return 128 + signal }
        let process = try CommandProcess(line, environment: environment)
        signals.forward(to: process)
        let jobs = Task { await store.work() }
        let code = await process.end()
        jobs.cancel()
        await jobs.value
        return code
    }
}
