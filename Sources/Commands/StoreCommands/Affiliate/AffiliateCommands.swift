import Foundation
import StoreCore
import StoreModel
import StoreWire

/// `openstore affiliate create`
enum AffiliateCreate: ConnectCommand {
    static let spec = CommandSpec.connect(
        ["affiliate", "create"], summary: "Let somebody earn a share of sales from their links.",
        options: AffiliateSubject.options.map(\.asRequired) + [
            .value(
                "token", "TOKEN", "The value of at= in links; the store makes one unless given.")
        ])

    static func run(_ connect: ConnectContext) async throws {
        let arguments = connect.arguments
        let affiliate = try await connect.api.create(
            "affiliates", at: AffiliateSubject.path,
            [
                "name": .string(try arguments.required("name")),
                "email": .string(try arguments.required("email")),
                "basisPoints": try AffiliateSubject.share(arguments),
                "token": .text(arguments["token"]),
            ])
        connect.show.done(
            affiliate,
            "Links with at=\(affiliate.attribute("token")) are credited to "
                + "\(affiliate.attribute("name")) from now on.")
    }
}

/// `openstore affiliate list`
enum AffiliateList: ConnectCommand {
    static let spec = CommandSpec.connect(
        ["affiliate", "list"], summary: "List who earns a share of sales.", options: [.limit])

    static func run(_ connect: ConnectContext) async throws {
        connect.show.list(
            try await connect.api.list(AffiliateSubject.path, limit: connect.limit()),
            [
                .id, .attribute("NAME", "name"), .attribute("TOKEN", "token"),
                AffiliateSubject.shareColumn, .attribute("CREDITED", "active"),
                .attribute("EMAIL", "email"),
            ], empty: "There are no affiliates.")
    }
}

/// `openstore affiliate update`
enum AffiliateUpdate: ConnectCommand {
    static let spec = CommandSpec.connect(
        ["affiliate", "update"], summary: "Change an affiliate, or credit no further sales.",
        arguments: [AffiliateSubject.affiliate],
        options: AffiliateSubject.options + [
            .value("credited", "on|off", "Whether sales are credited from now on.")
        ])

    static func run(_ connect: ConnectContext) async throws {
        let arguments = connect.arguments
        let id = try await AffiliateSubject.id(connect, arguments.argument(0))
        var attributes: [String: JSONValue] = [:]
        if let name = arguments["name"] { attributes["name"] = .string(name) }
        if let email = arguments["email"] { attributes["email"] = .string(email) }
        if arguments["share"] != nil {
            attributes["basisPoints"] = try AffiliateSubject.share(arguments)
        }
        let isCredited = try arguments.value("credited", "on or off") { text -> Bool? in
            ["on": true, "off": false][text]
        }
        if let isCredited { attributes["active"] = .bool(isCredited) }
        guard !attributes.isEmpty else {
            throw UsageError(description: "nothing to change: say what, for example --share")
        }
        let changed = try await connect.api.update(
            "affiliates", at: "\(AffiliateSubject.path)/\(id)", attributes)
        connect.show.done(changed, "\(changed.attribute("name")) is changed.")
    }
}

/// `openstore affiliate report`
enum AffiliateReportCommand: ConnectCommand {
    static let spec = CommandSpec.connect(
        ["affiliate", "report"], summary: "Tell what affiliates sold, and what they earn.",
        discussion: "Days are those of UTC; a refund takes back what was credited.",
        options: [
            .value("from", "DAY", "Such as 2026-11-01; 30 days up to --to unless given."),
            .value("to", "DAY", "Today unless given."),
            .value("affiliate", "TOKEN", "One affiliate, by token or number; all unless given."),
            .flag("csv", "Write comma-separated values."),
        ])

    static func run(_ connect: ConnectContext) async throws {
        let arguments = connect.arguments
        var query: [String: String] = [:]
        for name in ["from", "to"] {
            query["filter[\(name)]"] = try arguments.value(
                name, "a day such as 2026-11-21", { CalendarDay($0) })?.description
        }
        if let text = arguments["affiliate"] {
            query["filter[affiliate]"] = try await AffiliateSubject.id(connect, text)
        }
        let path = "/openstore/v1/affiliateReports"
        if arguments.has("csv") {
            let text = try await connect.api.data("GET", "\(path)/csv", query)
            return connect.output.data(String(decoding: text, as: UTF8.self))
        }
        connect.show.list(
            try await connect.api.list(path, query),
            [
                .attribute("DAY", "day"), .attribute("AFFILIATE", "name"),
                .attribute("TOKEN", "token"), .attribute("CAMPAIGN", "campaign"),
                .attribute("SALES", "sales"), .attribute("REFUNDS", "refunds"),
                .attribute("REVENUE", "revenue"), .attribute("COMMISSION", "commission"),
                .attribute("CURRENCY", "currency"),
            ], empty: "No sale of these days came from an affiliate.")
    }
}

/// The affiliate that a command is about.
enum AffiliateSubject {
    static let path = "/openstore/v1/affiliates"
    static let affiliate = CommandSpec.Argument(
        name: "AFFILIATE", help: "The affiliate's token or number.")

    static let options: [CommandSpec.Option] = [
        .value("name", "NAME", "Who it is."), .value("email", "ADDRESS", "How to reach them."),
        .value("share", "PERCENT", "The share of what customers pay, such as 5 or 2.5."),
    ]

    static let shareColumn = ConnectRenderer.Column("SHARE") { affiliate in
        let share = affiliate["attributes"]?["basisPoints"]?.integer ?? 0
        return "\(Decimal(share) / 100) %"
    }

    /// The share in hundredths of a percent.
    static func share(_ arguments: ParsedArguments) throws -> JSONValue {
        .integer(
            try arguments.value("share", "percent from 0 to 100 with two decimals at most") {
                text -> Int64? in
                guard let thousandths = Money.thousandths(text), thousandths % 10 == 0,
                    thousandths <= 100_000
                else { return nil }
                return thousandths / 10
            })
    }

    /// The number of an affiliate that is named by it, or by the token.
    static func id(_ connect: ConnectContext, _ text: String) async throws -> String {
        let all = try await connect.api.list(path)
        guard
            let found = all.first(where: { $0.attribute("token") == text })
                ?? all.first(where: { $0.id == text })
        else { throw ConnectFailure.notFound("There is no affiliate \(text).") }
        return found.id
    }
}
