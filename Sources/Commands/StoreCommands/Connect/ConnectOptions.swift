import Foundation

/// How commands over the API find the store, and show who they are.
enum ConnectOptions {
    static let all: [CommandSpec.Option] =
        [
            StoreAddress.option(otherwise: "that of openstore login, or of the store in --data")
                .asShared
        ] + UploadKey.options + [
            StoreOpening.option, StoreOpening.database, .json, .quiet,
        ]

    /// Runs a command with Connect's API of the store that it means.
    ///
    /// The command is a value, not a closure: for each closure, the optimizer would copy `StoreAccess`
    /// (together 11 % of the program's code).
    @inline(never)
    static func run(
        _ command: any ConnectCommand.Type, _ arguments: ParsedArguments, _ output: Output
    ) async throws {
        try await api(arguments, output) { api in
            try await command.run(
                ConnectContext(
                    api: api, arguments: arguments, output: output,
                    show: ConnectRenderer(arguments, output)))
        }
    }

    /// Runs the body with Connect's API of the store that the command means.
    ///
    /// - Throws: `UsageError`, and what the body throws.
    static func api<Result: Sendable>(
        _ arguments: ParsedArguments, _ output: Output,
        _ body: (ConnectAPI) async throws -> Result
    ) async throws -> Result {
        guard !(arguments.has("json") && arguments.has("quiet")) else {
            throw UsageError(description: "--json and --quiet exclude each other")
        }
        return try await StoreAccess(arguments, say: { output.error($0) }).run(body)
    }
}
