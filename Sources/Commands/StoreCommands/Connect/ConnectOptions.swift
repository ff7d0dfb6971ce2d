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
