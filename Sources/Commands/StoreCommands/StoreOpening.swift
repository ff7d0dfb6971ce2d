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

    /// Scheme, host and port of an option; nil where it is not given.
    static func address(
        _ arguments: ParsedArguments, option: String = "url"
    ) throws -> String? {
        try arguments.value(option, "an address such as https://store.example.com") { text in
            URL(string: text).flatMap { url -> String? in
                guard ["http", "https"].contains(url.scheme ?? ""), url.host != nil else {
                    return nil
                }
                return text.hasSuffix("/") ? String(text.dropLast()) : text
            }
        }
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
