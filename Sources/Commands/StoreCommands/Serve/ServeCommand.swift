import CStoreLinux
import Foundation
import StoreCore
import StoreHTTP
import StoreModel
import StoreServer

/// `openstore serve`
enum ServeCommand: Command {
    static let spec = CommandSpec(
        words: ["serve"], summary: "Run a store.",
        discussion: """
            Makes the folder, its database and its keys at the first start. Stops on SIGTERM or
            Control-C, after running requests have come to their end. Writes one line for each event
            to standard error.
            """,
        options: options.map(\.asSetting.asOwn))

    /// All of them can also come from the environment and from a file.
    private static let options: [CommandSpec.Option] =
        [
            StoreOpening.option, StoreOpening.database,
            .value(
                "listen", "HOST:PORT",
                "Where to listen; 127.0.0.1:8080 unless given, port 0 for a free one.",
                standard: defaultListenAddress),
            StoreAddress.option(otherwise: "where it listens"),
            .flag(
                "allow-local-notifications",
                "Also send notifications to this machine, to private networks, to any port and "
                    + "over HTTP: for development. Whoever has an app here could reach what only "
                    + "this machine reaches."),
            .value(
                "intercept", "[HOST:]PORT",
                "Takes in clients of Apple's servers that are sent here as to a proxy, see openstore "
                    + "intercept run; 127.0.0.1 unless HOST is given, port 0 for a free one."),
            .flag("no-request-log", "Don't write a line for each request."),
        ] + ContentOptions.options + StorefrontOptions.options + ServingOptions.options

    /// Where it listens unless it is told otherwise.
    static let defaultListenAddress = "127.0.0.1:8080"

    static func run(_ arguments: ParsedArguments, output: Output) async throws {
        cstore_keep_memory_small()
        // Who reloads a service means its certificates; a store without any has nothing to read
        // again. A terminal that goes away ends it as before.
        if isatty(STDIN_FILENO) == 0 { signal(SIGHUP, SIG_IGN) }
        let address = try StoreAddress.named(arguments)
        let (socket, host, port) = try place(arguments)
        let intercepting = try arguments["intercept"].map(InterceptOptions.listening)
        var settings = try ServingOptions.settings(arguments)
        settings.publicAddress = address
        let log = EventLog.standardError
        let signals = StopSignals()
        let directory = StoreOpening.directory(arguments)
        let database = try StoreOpening.databaseAddress(arguments)
        try expectNobody(serves: directory, database)
        let store = try await store(arguments, in: directory, database, log)
        // Before the first request: commands that find the store running use its key.
        let firstKey = try await store.makeFirstAPIKey()
        let server = try StoreServer(
            store: store, host: host, port: port, socket: socket,
            logsRequests: !arguments.has("no-request-log"), settings: settings)
        let certificates = settings.tls.map { _ in CertificateWatch(of: server) }
        let publicAddress = address ?? server.address
        var note: LeftNote? = try ServingNote(
            address: server.address, publicAddress: address
        ).leave(in: directory) { try expectNobody(serves: directory, database) }
        await store.prepareCertificates(answeringAt: publicAddress)
        var interception = try intercepting.map { listening in
            try RunningInterception(of: server, at: listening, publicAddress: address)
        }
        let firstLink = try await store.services.people.firstOperator.makeLink()
        let jobs = Task { await StoreJobs(store: store, address: publicAddress).run() }
        log.write(
            .info, .listening,
            [
                "address": server.address, "data": directory.path,
                "database": database?.description ?? "store.sqlite",
            ])
        output.announce(
            banner(
                server, interception: interception, directory: directory,
                database: arguments.isGiven("database") ? database : nil, firstKey: firstKey?.key,
                firstLink: firstLink, output))
        let signal = await signals.first()
        log.write(.info, .stopping, ["signal": signal == SIGTERM ? "SIGTERM" : "SIGINT"])
        // Commands work on the folder itself from now on.
        if note != nil { note = nil }
        server.announceStop()
        certificates?.end()
        interception?.end()
        interception = nil
        jobs.cancel()
        await wait(for: jobs)
        server.stop()
        log.write(.info, .stopped)
    }

    /// Waits for jobs that end soon. One whose request another server does not answer is given up: each can
    /// end anywhere.
    private static func wait(for jobs: Task<Void, Never>) async {
        let (end, isOver) = AsyncStream<Void>.makeStream()
        Task {
            await jobs.value
            isOver.finish()
        }
        Task {
            try? await Task.sleep(for: .seconds(10))
            isOver.finish()
        }
        for await _ in end {}
    }

    /// The socket that the starting program hands over, if any, and the host and port to listen at.
    private static func place(
        _ arguments: ParsedArguments
    ) throws -> (socket: ListeningSocket?, host: String, port: UInt16) {
        let socket = try ListeningSocket.inherited()
        let (host, port) = try listening(arguments["listen"] ?? defaultListenAddress)
        if let socket, arguments.isGiven("listen"), (host, port) != (socket.host, socket.port) {
            throw UsageError(
                option: "listen",
                "whoever started the store hands over a socket at \(socket.host):\(socket.port); "
                    + "leave the option out, or say the same address")
        }
        return (socket, host, port)
    }

    /// Refuses to serve a database of SQLite that is served: it belongs to one process.
    private static func expectNobody(serves directory: URL, _ database: DatabaseAddress?) throws {
        if case .postgres = database { return }
        guard let other = ServingNote.read(in: directory) else { return }
        throw CommandFailure(
            description: "\(directory.path) is served already, at "
                + "\(other.addresses.formatted(as: "or")), by the process \(other.process). A database of "
                + "SQLite belongs to one process: stop that one first, or use PostgreSQL",
            exitCode: .refused)
    }

    private static func store(
        _ arguments: ParsedArguments, in directory: URL, _ database: DatabaseAddress?,
        _ log: EventLog
    ) async throws -> Store {
        try StorePaths(directory: directory, database: database, objects: nil)
            .requireWhole(isServed: false)
        let store = try Store(
            directory: directory, database: database?.open(),
            objects: try ContentOptions.storage(arguments), log: log,
            storefront: try StorefrontOptions.settings(arguments),
            notificationTargets: arguments.has("allow-local-notifications")
                ? .anywhere : .internet)
        try await store.checkObjects()
        return store
    }

    private static func banner(
        _ server: StoreServer, interception: RunningInterception?, directory: URL,
        database: DatabaseAddress?, firstKey: APIKey?, firstLink: String?, _ output: Output
    ) -> String {
        let proxy = interception.map { interception in
            """
              intercept   \(interception.address), as openstore intercept run -- COMMAND uses it
                          SHA-256 of its root \(interception.fingerprint)

            """
        }
        let key = firstKey.map { key in
            """
              API key     \(directory.appendingPathComponent(key.id.fileName).path)
              issuer      \(key.issuer)

            """
        }
        // What the environment or a file says is said to the other command too. An address is
        // shown without its password, which whoever types it adds.
        let options =
            "--data \(shellWord(directory.path))"
            + (database.map { " --database \(shellWord($0.description))" } ?? "")
        let first = firstLink.map { token in
            """
            Nobody operates the store yet. Make the first operator, once, with this link
              \(server.address)\(FirstOperatorService.path(of: token))
            or with this command
              openstore operator create --email ADDRESS \(options)

            """
        }
        return """
            \(output.styled("The store is running.", .bold))
              production  \(server.address)
              sandbox     \(server.address)\(StoreEnvironment.sandbox.pathPrefix)
              root        \(server.address)/.well-known/openstore/root.pem
              connect     \(server.address)/connect/
            \(proxy ?? "")\
              data        \(directory.path)
            \(key ?? "")\(first ?? "")
            """
    }

    /// Host and port of `HOST:PORT`, with IPv6 addresses in brackets.
    static func listening(_ text: String) throws -> (String, UInt16) {
        guard let colon = text.unicodeScalars.lastIndex(of: ":"),
            let port = UInt16(text[text.unicodeScalars.index(after: colon)...])
        else {
            throw UsageError(
                option: "listen", "\"\(text)\" is not HOST:PORT, such as 127.0.0.1:8080")
        }
        var host = String(text[..<colon])
        if let bare = host.dropping(prefix: "[")?.dropping(suffix: "]") { host = String(bare) }
        return (host.isEmpty ? "0.0.0.0" : host, port)
    }
}
