import Foundation
import StoreServer

/// How commands find the store that they work on.
enum StoreOpening {
    static let option: CommandSpec.Option = .value(
        "data", "DIR", "The folder of the store; $OPENSTORE_DATA or ./openstore-data unless given.")

    static func directory(_ arguments: ParsedArguments) -> URL {
        let path =
            arguments["data"] ?? ProcessInfo.processInfo.environment["OPENSTORE_DATA"]
            ?? "openstore-data"
        return ParsedArguments.url(path)
    }

    /// Opens the store for a command, closes it afterwards.
    static func with<Result>(
        _ arguments: ParsedArguments, _ body: (Store) async throws -> Result
    ) async throws -> Result {
        let store = try Store(directory: directory(arguments), log: .standardError)
        defer { store.close() }
        return try await body(store)
    }
}
