import Foundation

/// A command over Connect's API.
///
///     enum TeamList: ConnectCommand {
///         static let spec = CommandSpec.connect(
///             ["team", "list"], summary: "List the teams.",
///             options: [.value("name", "TEXT", "Only those whose name contains it.")])
///
///         static func run(_ connect: ConnectContext) async throws {
///             let teams = try await connect.api.list(
///                 "/openstore/v1/teams", connect.query(["name": "filter[name]"]))
///             connect.show.list(
///                 teams, [.id, .attribute("NAME", "name")], empty: "There are no teams.")
///         }
///     }
///
/// It works with a key (`--key`), the session of `openstore login` or on the folder of a store
/// that does not run (`StoreAccess`), prints a table, JSON
/// (`--json`) or identifiers (`--quiet`), and turns what the store refuses into a sentence and
/// an exit code. Commands are added to `CommandTree`.
protocol ConnectCommand: Command {
    static func run(_ connect: ConnectContext) async throws
}

extension ConnectCommand {
    static func run(_ arguments: ParsedArguments, output: Output) async throws {
        try await ConnectOptions.run(self, arguments, output)
    }
}

/// What a command over the API has in its hands.
struct ConnectContext: Sendable {
    let api: ConnectAPI
    let arguments: ParsedArguments
    let output: Output
    let show: ConnectRenderer

    /// Parameters of a query from options that were given.
    ///
    /// - Parameter names: the parameter for each option.
    func query(_ names: [String: String]) -> [String: String] {
        var query: [String: String] = [:]
        for (option, parameter) in names { query[parameter] = arguments[option] }
        return query
    }

    /// The number of `--limit`.
    ///
    /// - Throws: `UsageError`.
    func limit() throws -> Int? {
        try arguments.value("limit", "a number from 1 on") { Int($0).flatMap { $0 > 0 ? $0 : nil } }
    }

    /// The identifier of the team of `--team`, which is a name or an identifier; nil where the
    /// option is not there, which is the team that one acts for.
    func team() async throws -> String? {
        guard let text = arguments["team"] else { return nil }
        return try await team(text, in: "--team: ")
    }

    /// The identifier of the team that a text names, or is the identifier of.
    ///
    /// - Parameter place: what a failure begins with.
    func team(_ text: String, in place: String = "") async throws -> String {
        let found = try await api.list("/openstore/v1/teams", ["filter[name]": text])
        if let team = found.first(where: { $0.attribute("name") == text }) { return team.id }
        guard Int64(text) != nil else {
            throw ConnectFailure.notFound(
                "\(place)there is no team \"\(text)\", or not for you.")
        }
        return text
    }
}

extension CommandSpec {
    /// The specification of a command over the API, with the options that all of them have.
    static func connect(
        _ words: [String], summary: String, discussion: String = "",
        arguments: [Argument] = [], options: [Option] = []
    ) -> CommandSpec {
        CommandSpec(
            words: words, summary: summary, discussion: discussion, arguments: arguments,
            options: options + ConnectOptions.all)
    }
}

extension CommandSpec.Option {
    /// For lists.
    static let limit: CommandSpec.Option = .value(
        "limit", "NUMBER", "Show so many at most; all unless given.")
    /// For who acts for all teams: the store's staff.
    static let team: CommandSpec.Option = .value(
        "team", "NAME", "The team, by name or identifier; your own unless given.")
}
