import Foundation
import StoreServer

/// How commands find the store that they work on.
enum StoreOpening {
    /// Below the current directory.
    static let standardFolder = "openstore-data"

    static let option: CommandSpec.Option = .value(
        "data", "DIR",
        "The folder of the store; $OPENSTORE_DATA or ./\(standardFolder) unless given.",
        standard: standardFolder
    ).asSetting.asShared

    static let database: CommandSpec.Option = .value(
        "database", "ADDRESS",
        "Where the store keeps its rows, postgres://user@host/name or sqlite:FILE; "
            + "$OPENSTORE_DATABASE, or store.sqlite in its folder, unless given."
    ).asSetting.asShared

    /// The database that a command names; nil for the one in the store's folder.
    static func databaseAddress(_ arguments: ParsedArguments) throws -> DatabaseAddress? {
        try arguments.setting("database").map { try address(ofDatabase: $0) }
    }

    /// - Throws: `UsageError`, which repeats nothing of an address: it may hold a password.
    static func address(
        ofDatabase text: String, option: String = "database"
    ) throws -> DatabaseAddress {
        do {
            return try DatabaseAddress(text)
        } catch {
            throw UsageError(option: option, "\(error)")
        }
    }

    static func directory(_ arguments: ParsedArguments) -> URL {
        ParsedArguments.url(arguments.setting("data") ?? standardFolder)
    }

    /// Where the parts of the store are, for commands that don't open it.
    static func paths(_ arguments: ParsedArguments) throws -> StorePaths {
        StorePaths(
            directory: directory(arguments), database: try databaseAddress(arguments),
            objects: try ContentOptions.storage(arguments))
    }

    /// Why there is no store in a folder; nil where there is one.
    static func lack(in directory: URL) -> String? {
        StorePaths(directory: directory, database: nil, objects: nil).lack
    }

    static func noStore(in directory: URL, _ lack: String) -> UsageError {
        UsageError(
            option: "data",
            "\(directory.path): \(lack); name the store's folder, or begin one with openstore serve"
        )
    }

    /// The address at which the store of a folder is reached when it runs, as the file with the
    /// machine's settings has it.
    static func settledAddress(_ arguments: ParsedArguments) -> String {
        let isInFile = arguments.origin(of: "store").map {
            !$0.hasPrefix(scalars: "--") && !$0.hasPrefix(scalars: "$")
        }
        guard isInFile == true, let address = try? StoreAddress.setting(arguments) else {
            return StoreAddress.standard
        }
        return address
    }

    /// Opens the store for a command that works on the store's own machine only, closes it
    /// afterwards.
    ///
    /// - Parameters:
    ///   - begins: whether the command makes a store where there is none and nothing names one
    ///     elsewhere: of others a mistyped folder would become a store.
    ///   - remotely: what does the same at a store elsewhere; `nil` for no command.
    static func with<Result>(
        _ arguments: ParsedArguments, begins: Bool = false, remotely: String? = nil,
        _ body: (Store) async throws -> Result
    ) async throws -> Result {
        let directory = directory(arguments)
        try expectStore(arguments, in: directory, begins: begins, remotely: remotely)
        return try await open(arguments, in: directory, body)
    }

    /// Refuses to go on without a store in the folder. Where something names a store elsewhere, it
    /// is said that the command can't reach it.
    ///
    /// - Parameters: as of `with`.
    /// - Throws: `UsageError`.
    static func expectStore(
        _ arguments: ParsedArguments, in directory: URL, begins: Bool = false,
        remotely: String? = nil
    ) throws {
        let elsewhere = try elsewhere(arguments, from: directory)
        let lack = lack(in: directory)
        guard let elsewhere else {
            if let lack, !begins { throw noStore(in: directory, lack) }
            return
        }
        guard let lack else {
            return Output.standard.error(
                "working on the store in \(directory.path), on this machine: \(arguments.command) "
                    + "can't be used at \(elsewhere)")
        }
        let other = remotely ?? "look whether the portal (/connect/ of that address) does it"
        throw UsageError(
            option: "data",
            "\(directory.path): \(lack); \(arguments.command) runs on the store's own machine only, "
                + "not at \(elsewhere): run it there with --data DIR, or \(other)")
    }

    /// Another store that something names which counts more than the folder does, or as much; nil
    /// where there is none, or the command line names the folder.
    private static func elsewhere(
        _ arguments: ParsedArguments, from directory: URL
    ) throws -> String? {
        guard !arguments.isGiven("data") else { return nil }
        let names = try StoreTarget.Names(arguments, saved: SavedSession.load())
        let known = ServingNote.read(in: directory)?.addresses ?? []
        let others: [StoreTarget.Name] = [names.address, names.login].compactMap(\.self)
        let other = others.first { name in
            let isMeant = name.rank == .variable || name.rank == .login
            return isMeant && name.rank != names.folder?.rank && !known.contains(name.value)
        }
        return other.map { "\($0.value) (\($0.origin))" }
    }

    /// What goes wrong beside the command is said; what a store that runs notes of its work only
    /// where `$OPENSTORE_LOG` asks for it.
    private static let log: EventLog =
        ProcessInfo.processInfo.environment["OPENSTORE_LOG"] == "1"
        ? .standardError : .standardError([.warning, .error])

    /// Opens the store in a folder, closes it afterwards.
    static func open<Result>(
        _ arguments: ParsedArguments, in directory: URL,
        _ body: (Store) async throws -> Result
    ) async throws -> Result {
        let address = try databaseAddress(arguments)
        try StorePaths(directory: directory, database: address, objects: nil)
            .requireWhole(isServed: ServingNote.read(in: directory) != nil)
        let store = try Store(
            directory: directory, database: address?.open(),
            objects: try ContentOptions.storage(arguments), log: log)
        defer { store.close() }
        try store.expectObjects()
        return try await body(store)
    }
}
