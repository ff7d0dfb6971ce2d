import Foundation
import StoreModel
import StoreWire

extension CommandSpec.Argument {
    static let sandboxClock = CommandSpec.Argument(
        name: "CLOCK", help: "The clock's name or identifier.")
}

extension ConnectRenderer.Column {
    static let sandboxClocks: [ConnectRenderer.Column] = [
        .id, .attribute("NAME", "name"), .attribute("SHOWS", "date"),
        .links("TESTERS", "testers"), .links("APPS", "apps"),
        .links("NOT DELIVERED", "undeliveredNotifications"),
    ]

    /// How many resources a to-many relationship refers to; nothing for none.
    private static func links(_ title: String, _ name: String) -> ConnectRenderer.Column {
        ConnectRenderer.Column(title) {
            let count = $0["relationships"]?[name]?["data"]?.elements?.count ?? 0
            return count == 0 ? "" : String(count)
        }
    }
}

extension ConnectContext {
    static let sandboxClocks = "/openstore/v1/sandboxClocks"

    /// The clock of the first argument.
    func sandboxClock() async throws -> JSONValue {
        let text = arguments.argument(0)
        let clocks = try await api.list(Self.sandboxClocks)
        if let clock = clocks.first(where: { $0.id == text }) { return clock }
        let named = clocks.filter { $0.attribute("name") == text }
        guard named.count < 2 else {
            throw ConnectFailure.notFound(
                "Several teams have a clock \"\(text)\": name it by its identifier, "
                    + "\(named.map(\.id).formatted(as: "or")).")
        }
        if let clock = named.first { return clock }
        throw NotFound.failure(
            "sandbox clock", text, in: clocks.map { $0.attribute("name") },
            command: "sandbox clock list")
    }
}

/// `openstore sandbox clock list`
enum SandboxClockList: ConnectCommand {
    static let spec = CommandSpec.connect(
        ["sandbox", "clock", "list"], summary: "List the sandbox clocks of a team.",
        options: [.limit])

    static func run(_ connect: ConnectContext) async throws {
        let clocks = try await connect.api.list(
            ConnectContext.sandboxClocks, limit: connect.limit())
        connect.show.list(
            clocks, ConnectRenderer.Column.sandboxClocks, empty: "There are no sandbox clocks.")
    }
}

/// `openstore sandbox clock create`
enum SandboxClockCreate: ConnectCommand {
    static let spec = CommandSpec.connect(
        ["sandbox", "clock", "create"],
        summary: "Give testers, or all testers in an app, a clock of their own.",
        discussion: """
            The clock stands still until you advance it. Purchases and renewals of its followers
            have the clock's date, and so has what the store signs for them.
            """,
        arguments: [.init(name: "NAME", help: "A name for people.")],
        options: [
            .value(
                "tester", "TESTER", "Who follows it: the address or identifier.",
                isRepeatable: true),
            .value(
                "app", "APP", "The app in which all testers follow it.", isRepeatable: true),
            .value(
                "date", "DATE", "What it shows first, as 2027-01-31T12:00:00Z; now unless given."),
            .team,
        ])

    static func run(_ connect: ConnectContext) async throws {
        let arguments = connect.arguments
        var testers: [JSONValue] = []
        for text in arguments.all("tester") {
            testers.append(link("sandboxTesters", try await connect.tester(text)))
        }
        var apps: [JSONValue] = []
        for text in arguments.all("app") { apps.append(link("apps", try await connect.app(text))) }
        guard !testers.isEmpty || !apps.isEmpty else {
            throw UsageError(description: "--tester or --app is missing\nUsage: \(spec.usage)")
        }
        let date = try arguments.value("date", Self.dateForm) { Date(iso8601: $0) }
        var relationships: [String: JSONValue] = [
            "testers": ["data": .array(testers)], "apps": ["data": .array(apps)],
        ]
        for (name, team) in try await connect.teamLink() {
            relationships[name] = [
                "data": ["type": .string(team.type), "id": .string(team.id)]
            ]
        }
        let attributes: [String: JSONValue] = [
            "name": .string(arguments.argument(0)), "date": .text(date?.formatted(.iso8601)),
        ]
        let answer = try await connect.api.send(
            "POST", ConnectContext.sandboxClocks, [:],
            [
                "data": [
                    "type": "sandboxClocks",
                    "attributes": .object(attributes.filter { $0.value != .null }),
                    "relationships": .object(relationships),
                ]
            ])
        let clock = answer["data"] ?? .null
        connect.show.done(
            clock, "\(clock.attribute("name")) stands at \(clock.attribute("date")).")
    }

    private static func link(_ type: String, _ resource: JSONValue) -> JSONValue {
        ["type": .string(type), "id": .string(resource.id)]
    }

    static let dateForm = "a date such as 2027-01-31T12:00:00Z"
}

/// `openstore sandbox clock advance`
enum SandboxClockAdvance: ConnectCommand {
    static let spec = CommandSpec.connect(
        ["sandbox", "clock", "advance"], summary: "Advance a sandbox clock.",
        discussion: """
            Subscriptions are renewed, tried again and ended at their dates, one after the other.
            Apps and servers hear of each. The command ends when servers have been told, with
            exit code 1 if something did not reach them.
            """,
        arguments: [.sandboxClock],
        options: [
            .value(
                "by", "TIME", "By so much: a number of seconds, or with a unit, as 90m, 12h or 30d."
            ),
            .value("to", "DATE", "To a date, as 2027-01-31T12:00:00Z."),
        ])

    static func run(_ connect: ConnectContext) async throws {
        let arguments = connect.arguments
        let span = try arguments.value("by", "a time such as 90m, 12h or 30d", seconds)
        let date = try arguments.value("to", SandboxClockCreate.dateForm) { Date(iso8601: $0) }
        guard (span == nil) != (date == nil) else {
            throw UsageError(description: "say --by or --to\nUsage: \(spec.usage)")
        }
        let clock = try await connect.sandboxClock()
        guard let shown = Date(iso8601: clock.attribute("date")),
            let target = date ?? span.map(shown.addingTimeInterval)
        else { throw NotFound.failure("date", clock.attribute("date"), in: []) }
        let style = Date.ISO8601FormatStyle(includingFractionalSeconds: true)
        let moved = try await connect.api.update(
            "sandboxClocks", at: "\(ConnectContext.sandboxClocks)/\(clock.id)",
            ["date": .string(target.formatted(style))])
        connect.show.done(
            moved, "\(moved.attribute("name")) stands at \(moved.attribute("date")).")
        let waiting = moved["relationships"]?["undeliveredNotifications"]?["data"]?.elements ?? []
        guard waiting.isEmpty else {
            throw UndeliveredNotifications(ids: waiting.map(\.id))
        }
    }

    /// More than any clock can be advanced by.
    private static let longest = 1_000_000_000

    /// Seconds of a number with a unit.
    private static func seconds(_ text: String) -> TimeInterval? {
        let units: [Character: TimeInterval] = ["s": 1, "m": 60, "h": 3600, "d": 86_400]
        let unit = text.last.flatMap { units[$0] }
        guard let number = Int(unit == nil ? text[...] : text.dropLast()),
            (0...longest).contains(number)
        else { return nil }
        return TimeInterval(number) * (unit ?? 1)
    }
}

/// Servers did not take what they were told.
private struct UndeliveredNotifications: Error, CustomStringConvertible {
    let ids: [String]

    var description: String {
        let count = ids.count == 1 ? "A notification has" : "\(ids.count) notifications have"
        return "\(count) not reached the server yet: \(ids.prefix(10).joined(separator: ", ")). "
            + "openstore notification show says why."
    }
}

/// `openstore sandbox clock delete`
enum SandboxClockDelete: ConnectCommand {
    static let spec = CommandSpec.connect(
        ["sandbox", "clock", "delete"], summary: "Delete a sandbox clock.",
        discussion: """
            Its followers go by the store's time again, and their purchase history is cleared.
            """,
        arguments: [.sandboxClock])

    static func run(_ connect: ConnectContext) async throws {
        let clock = try await connect.sandboxClock()
        try await connect.api.delete("\(ConnectContext.sandboxClocks)/\(clock.id)")
        connect.show.done(id: clock.id, "\(clock.attribute("name")) is deleted.")
    }
}
