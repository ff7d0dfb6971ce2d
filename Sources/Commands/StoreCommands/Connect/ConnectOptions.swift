import Foundation

/// How commands over the API find the store, and show who they are.
enum ConnectOptions {
    static let all: [CommandSpec.Option] =
        [
            StoreAddress.option(otherwise: "that of openstore login, or \(StoreAddress.standard)")
        ] + UploadKey.options + [
            StoreOpening.option, StoreOpening.database, .flag("json", "Write JSON for programs."),
            .flag("quiet", "Write identifiers only."),
        ]

    /// A key that is named goes first, then the saved session, then the key in the folder of
    /// a store on this machine.
    static func api(
        _ arguments: ParsedArguments,
        environment: [String: String] = ProcessInfo.processInfo.environment,
        saved: SavedSession? = SavedSession.load()
    ) async throws -> ConnectAPI {
        guard !(arguments.has("json") && arguments.has("quiet")) else {
            throw UsageError(description: "--json and --quiet exclude each other")
        }
        let named = try StoreAddress.given(arguments)
        let isKeyNamed = arguments["key"] != nil || environment["OPENSTORE_API_KEY"] != nil
        if !isKeyNamed, let saved, named == nil || named == saved.store,
            !arguments.isGiven("data")
        {
            return ConnectAPI(address: saved.store, credential: .session(saved.token))
        }
        let address = try StoreAddress.named(arguments) ?? StoreAddress.standard
        do {
            return ConnectAPI(
                address: address, credential: .key(try await UploadKey.find(arguments)))
        } catch let error as UsageError where !isKeyNamed && !arguments.isGiven("data") {
            throw UsageError(
                description: "nobody is signed in to \(address): use openstore login --store "
                    + "\(address), or name a key (\(error.description))")
        }
    }
}
