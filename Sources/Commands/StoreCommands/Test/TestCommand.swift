import Foundation
import StoreModel
import StoreServer
import StoreWire

/// `openstore test`
enum TestCommand: Command {
    static let spec = CommandSpec(
        words: ["test"],
        summary: "Start a store for the tests of an app or a backend, and run them.",
        discussion: """
            Starts a fresh store on a free port of this machine, imports the products, signs the
            sandbox tester \(TemporaryStore.email) in, and runs the command, which finds the store by
            OPENSTORE_PROFILE; purchases are answered without a person. Ends with the exit code of
            the command, and leaves nothing behind, also when SIGINT, SIGTERM or SIGHUP ends it; a
            second signal kills the command. When the process that started openstore test ends, the
            command gets SIGTERM, unless nohup started it.

            Each process of the command is a device of its own, so that suites of tests run side by
            side; with --one-device what one process leaves the next one finds. Commands of
            openstore that the command calls work on this store: openstore tester update
            \(TemporaryStore.email) --payment-failure next.

            Without a command, openstore test runs until a signal ends it, or until its parent process
            ends. With --json it writes one line that says what a test needs: addresses, root
            certificate, API key, and the address that takes purchases, refunds, renewals and changes
            of the clock. A command finds the same line in OPENSTORE_TEST.
            """,
        arguments: [
            .init(
                name: "FILE.storekit", help: "Xcode's StoreKit configuration.", isOptional: true)
        ],
        rest: CommandSpec.Argument(
            name: "COMMAND ...", help: "The command with its arguments.", isOptional: true),
        options: [
            .value(
                "storekit", "FILE",
                "The configuration, where it is not given as an argument."),
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
                "storefront", "CODE",
                "The tester's country; that of the file unless given, or else USA."),
            .value(
                "notifications", "URL", "Where the app's server takes notifications of the sandbox."
            ),
            .flag(
                "sandbox-periods",
                "Let subscriptions renew every few minutes and twelve times, as in the sandbox."),
            .flag("json", "Write what a test needs to know as one line of JSON."),
            .flag("one-device", "Let all processes of the command be one device."),
            .flag("quiet", "Say nothing of the store."),
        ])

    /// What other stores are named by, which the command is not to work on.
    private static let strangers = [
        "OPENSTORE_API_KEY", "OPENSTORE_API_ISSUER", "OPENSTORE_DATABASE", "OPENSTORE_CONTENT",
        "OPENSTORE_DEVICES", "XDG_STATE_HOME", "XDG_CACHE_HOME",
    ]

    static func run(_ arguments: ParsedArguments, output: Output) async throws {
        let file = try file(arguments)
        EphemeralStore.prepare()
        let configuration = try CatalogImport.configuration(in: file)
        let bundleID = try arguments.value("bundle-id", "a bundle identifier") { BundleID($0) }
        let storefront = try arguments.value(
            "storefront", "the code of a storefront", Storefront.named)
        let sheet = try arguments.value("sheet", "accept or decline") { text in
            ["accept", "decline"].contains(text) ? text : nil
        }
        // Caught before there is anything to be taken away.
        let signals = CaughtSignals()
        let store = try await TemporaryStore(
            // What is wrong with the file the import says.
            storefront: storefront
                ?? (try? StoreKitConfiguration(data: configuration).storefront) ?? .unitedStates,
            schedule: arguments.has("sandbox-periods") ? nil : .calendar,
            hostsContent: arguments["content"] != nil)
        let code: Int32
        do {
            let prepared = try await store.prepare(
                configuration: configuration,
                content: arguments["content"].map(ParsedArguments.url), bundleID: bundleID,
                isOneDevice: arguments.has("one-device"),
                notifications: arguments["notifications"])
            defer { prepared.control.stop() }
            tell(prepared, store, arguments, output)
            if arguments.has("json") { output.json(text: try prepared.description.json()) }
            code = try await store.working {
                if arguments.rest.isEmpty {
                    await signals.untilFirst()
                    return 0
                }
                var environment = ProcessInfo.processInfo.environment
                for name in removed(arguments.has("one-device")) { environment[name] = nil }
                environment.merge(prepared.variables) { $1 }
                environment["OPENSTORE_SHEET"] = sheet ?? "accept"
                return try await run(arguments.rest, environment, signals)
            }
        } catch {
            store.remove()
            throw error
        }
        store.remove()
        // The command's own, which may be any.
        if code != 0 { exit(code) }
    }

    private static func file(_ arguments: ParsedArguments) throws -> String {
        switch (arguments["storekit"], arguments.optionalArgument(0)) {
        case (let option?, nil): return option
        case (nil, let argument?): return argument
        case (nil, nil): throw ParsedArguments.lack(of: ["FILE.storekit"], spec)
        case (let option?, let argument?):
            throw UsageError(
                description: "both \(option) and \(argument) are there; name one file, and put -- "
                    + "before the command")
        }
    }

    private static func tell(
        _ prepared: TemporaryStore.Prepared, _ store: TemporaryStore, _ arguments: ParsedArguments,
        _ output: Output
    ) {
        guard !arguments.has("quiet") else { return }
        let report = prepared.report
        for warning in report.warnings { output.error("note: \(warning)") }
        output.error(
            "a store for \(report.app.bundleID) with \(report.products.count) products is at "
                + "\(store.address), its control at \(prepared.control.address); "
                + "\(TemporaryStore.email) is signed in")
    }

    /// Variables that are taken away: folders of the user's caches are not for one device only.
    private static func removed(_ isOneDevice: Bool) -> [String] {
        isOneDevice ? strangers : strangers.filter { !$0.hasPrefix(scalars: "XDG_") }
    }

    private static func run(
        _ line: [String], _ environment: [String: String], _ signals: CaughtSignals
    ) async throws -> Int32 {
        if let signal = signals.first { return 128 + signal }
        let process = try CommandProcess(
            line, environment: environment, outlastsTerminal: signals.isDetached)
        signals.forward(to: process)
        let watch = Task {
            try await signals.untilParentEnds()
            process.send(SIGTERM)
        }
        defer { watch.cancel() }
        return await process.end()
    }
}
