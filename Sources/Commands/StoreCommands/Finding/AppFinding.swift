import StoreWire

extension CommandSpec.Argument {
    static let app = CommandSpec.Argument(
        name: "APP", help: "The app: its bundle identifier, number or name.")
}

extension CommandSpec.Option {
    /// Whose product, version or submission it is.
    static let app: CommandSpec.Option = .value(
        "app", "APP",
        "The app, by bundle identifier, number or name; the only one there is unless given.")
}

extension ConnectAPI {
    /// The app that a text names: its number, bundle identifier or name.
    ///
    /// - Throws: `ConnectFailure`, with what may have been meant.
    func app(_ text: String) async throws -> JSONValue {
        let filters = (Int64(text) == nil ? [] : ["id"]) + ["bundleId", "name"]
        for filter in filters {
            let found = try await list("/v1/apps", ["filter[\(filter)]": text])
            // A name may hold a comma, which separates values of a filter.
            let exact = found.first { app in
                (filter == "id" ? app.id : app.attribute(filter)) == text
            }
            if let exact { return exact }
        }
        let all = try await list("/v1/apps", limit: NotFound.limit)
        throw NotFound.failure(
            "app", text, in: all.flatMap { [$0.attribute("bundleId"), $0.attribute("name")] },
            command: "app list")
    }

    /// The only app that there is for whoever asks.
    ///
    /// - Throws: `UsageError` where there are several, or none.
    func onlyApp() async throws -> JSONValue {
        let found = try await list("/v1/apps", limit: NotFound.limit)
        guard let app = found.first else {
            throw ConnectFailure.notFound(
                "There is no app yet: openstore app create makes one, openstore catalog import "
                    + "brings one with its products.")
        }
        guard found.count == 1 else {
            throw UsageError(
                description: "--app is missing; there are "
                    + found.map { $0.attribute("bundleId") }.formatted(as: "and"))
        }
        return app
    }
}

extension ConnectContext {
    func app(_ text: String) async throws -> JSONValue { try await api.app(text) }

    /// The app of `--app`, or the only one.
    func app() async throws -> JSONValue {
        if let text = arguments["app"] { return try await api.app(text) }
        return try await api.onlyApp()
    }
}

/// What is said where a name leads to nothing.
enum NotFound {
    /// So many names are looked at for one that may have been meant.
    static let limit = 1000

    /// - Parameters:
    ///   - noun: what it is, as people call it.
    ///   - names: those that there are.
    ///   - command: lists them.
    static func failure(
        _ noun: String, _ text: String, of owner: String? = nil, in names: [String],
        command: String? = nil
    ) -> ConnectFailure {
        let names = names.filter { !$0.isEmpty }
        let similar = Similar.word(to: text, in: names) ?? names.first { isPart(text, of: $0) }
        let subject = owner.map { "\($0) has no \(noun)" } ?? "There is no \(noun)"
        return ConnectFailure.notFound(
            "\(subject) \"\(text)\", or not for you."
                + (similar.map { " Did you mean \"\($0)\"?" }
                    ?? command.map { " openstore \($0) shows what there is." } ?? ""))
    }

    private static func isPart(_ text: String, of name: String) -> Bool {
        text.utf8.count > 2 && name.lowercased().range(scalars: text.lowercased()) != nil
    }
}
