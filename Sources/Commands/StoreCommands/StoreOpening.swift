import Foundation
import StoreServer

/// How commands find the store that they work on.
enum StoreOpening {
    static let option: CommandSpec.Option = .value(
        "data", "DIR", "The folder of the store; $OPENSTORE_DATA or ./openstore-data unless given.",
        standard: "openstore-data"
    ).asSetting

    static let database: CommandSpec.Option = .value(
        "database", "ADDRESS",
        "Where the store keeps its rows, postgres://user@host/name or sqlite:FILE; "
            + "$OPENSTORE_DATABASE, or store.sqlite in its folder, unless given."
    ).asSetting

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
        ParsedArguments.url(arguments.setting("data") ?? "openstore-data")
    }

    /// Where the parts of the store are, for commands that don't open it.
    static func places(_ arguments: ParsedArguments) throws -> StorePlaces {
        StorePlaces(
            directory: directory(arguments), database: try databaseAddress(arguments),
            objects: try ContentOptions.storage(arguments))
    }

    /// The database to open; nil for the one in the store's folder.
    ///
    /// - Throws: `UsageError` where the folder has keys and no rows: a new database beside them would
    ///   be another shop, to which all content is a stranger's.
    static func database(
        _ arguments: ParsedArguments, in directory: URL
    ) throws -> DatabaseAddress? {
        if let address = try databaseAddress(arguments) { return address }
        let files = FileManager.default
        guard
            !files.fileExists(atPath: directory.appendingPathComponent("keys/root.pem").path)
                || files.fileExists(atPath: directory.appendingPathComponent("store.sqlite").path)
        else {
            throw UsageError(
                option: "database",
                "\(directory.path) has the keys of a store and no store.sqlite: say with --database, "
                    + "or $OPENSTORE_DATABASE, where its rows are, or begin a new store in another "
                    + "folder")
        }
        return nil
    }

    /// Opens the store for a command, closes it afterwards.
    ///
    /// - Parameter begins: whether the command may be the first of a store, and makes one where there
    ///   is none; of others a mistyped folder would become a store.
    static func with<Result>(
        _ arguments: ParsedArguments, begins: Bool = false,
        _ body: (Store) async throws -> Result
    ) async throws -> Result {
        let directory = directory(arguments)
        let places = StorePlaces(directory: directory, database: nil, objects: nil)
        if !begins, let lack = places.lack {
            throw UsageError(
                option: "data",
                "\(directory.path): \(lack); name the store's folder, or begin one with openstore "
                    + "serve")
        }
        let store = try Store(
            directory: directory, database: database(arguments, in: directory)?.open(),
            objects: try ContentOptions.storage(arguments), log: .standardError)
        defer { store.close() }
        try store.expectObjects()
        return try await body(store)
    }
}
