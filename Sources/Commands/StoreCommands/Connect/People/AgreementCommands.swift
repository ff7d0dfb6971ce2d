import StoreCore
import StoreWire

extension [ConnectRenderer.Column] {
    fileprivate static var agreements: [ConnectRenderer.Column] {
        [
            .id, .attribute("KIND", "kind"), .attribute("STATE", "state"),
            .attribute("ACCEPTED BY", "acceptedBy"), .attribute("ACCEPTED", "acceptedDate"),
        ]
    }
}

extension ConnectContext {
    /// The agreement that is named by kind (`free`, `paid`), of the team of `--team`.
    fileprivate func agreement() async throws -> JSONValue {
        let kind: Agreement.Kind
        switch arguments.argument(0).lowercased() {
        case "free", "free_apps": kind = .freeApps
        case "paid", "paid_apps": kind = .paidApps
        default:
            throw UsageError(
                description: "\"\(arguments.argument(0))\" is no agreement; there are free and "
                    + "paid")
        }
        let all = try await api.list("/openstore/v1/agreements", teamFilter())
        guard let found = all.first(where: { $0.attribute("kind") == kind.rawValue }) else {
            throw ConnectFailure.notFound("The team has no such agreement.")
        }
        return found
    }

    fileprivate func take(_ step: String) async throws {
        let agreement = try await agreement()
        let changed = try await api.update(
            "agreements", at: "/openstore/v1/agreements/\(agreement.id)",
            ["step": .string(step)])
        show.done(changed, "\(changed.attribute("kind")) is \(changed.attribute("state")).")
        try await showNextStep(of: changed)
    }

    /// Tells people what is left to do until the paid agreement is in force.
    ///
    /// - Parameter agreement: one that was just read; nil for the team's paid one as it is now.
    fileprivate func showNextStep(of agreement: JSONValue? = nil) async throws {
        guard show.isForPeople else { return }
        let filter = try await teamFilter()
        let paid: JSONValue?
        if let agreement {
            paid = agreement
        } else {
            paid = try await api.list("/openstore/v1/agreements", filter)
                .first { $0.attribute("kind") == Agreement.Kind.paidApps.rawValue }
        }
        guard let paid, paid.attribute("kind") == Agreement.Kind.paidApps.rawValue,
            let state = Agreement.State(rawValue: paid.attribute("state"))
        else { return }
        let missing = state == .pendingUserInfo ? try await missing(filter) : nil
        for line in AgreementNextStep.lines(state, missing: missing, team: arguments["team"]) {
            output.line(line)
        }
    }

    /// The commands for what the team has not filled in; nil where the caller may not see it.
    private func missing(_ filter: [String: String]) async throws -> [String]? {
        do {
            let forms = [("bankAccounts", "set-bank"), ("taxForms", "set-tax")]
            var missing: [String] = []
            for (path, command) in forms
            where try await api.list("/openstore/v1/\(path)", filter).isEmpty {
                missing.append(command)
            }
            return missing
        } catch let failure as ConnectFailure where failure.status == 403 {
            return nil
        }
    }
}

private let kindArgument = CommandSpec.Argument(name: "free|paid", help: "Which agreement.")

/// `openstore agreement list`
enum AgreementList: ConnectCommand {
    static let spec = CommandSpec.connect(
        ["agreement", "list"], summary: "List the agreements of a team.", options: [.team])

    static func run(_ connect: ConnectContext) async throws {
        let agreements = try await connect.api.list(
            "/openstore/v1/agreements", connect.teamFilter())
        connect.show.list(agreements, .agreements, empty: "There are no agreements.")
    }
}

/// `openstore agreement show`
enum AgreementShow: ConnectCommand {
    static let spec = CommandSpec.connect(
        ["agreement", "show"], summary: "Show an agreement.", arguments: [kindArgument],
        options: [.team])

    static func run(_ connect: ConnectContext) async throws {
        let agreement = try await connect.agreement()
        connect.show.one(agreement, .agreements)
        try await connect.showNextStep(of: agreement)
    }
}

/// `openstore agreement accept`
enum AgreementAccept: ConnectCommand {
    static let spec = CommandSpec.connect(
        ["agreement", "accept"], summary: "Accept an agreement (the Account Holder).",
        discussion: """
            The paid one is in force as soon as bank account and tax form are there too; until
            then no product is valid.
            """, arguments: [kindArgument], options: [.team])

    static func run(_ connect: ConnectContext) async throws { try await connect.take("accept") }
}

/// `openstore agreement terminate`
enum AgreementTerminate: ConnectCommand {
    static let spec = CommandSpec.connect(
        ["agreement", "terminate"],
        summary: "End an agreement of a team, whose products are sold no longer (operators).",
        discussion: """
            Without the paid one no in-app purchase is sold, free ones included, nor any item that costs
            money. Subscriptions end with their running period.
            """,
        arguments: [kindArgument], options: [.team])

    static func run(_ connect: ConnectContext) async throws {
        try await connect.take("terminate")
    }
}

/// `openstore agreement offer`
enum AgreementOffer: ConnectCommand {
    static let spec = CommandSpec.connect(
        ["agreement", "offer"],
        summary: "Let a team accept a terminated agreement again (operators).",
        arguments: [kindArgument], options: [.team])

    static func run(_ connect: ConnectContext) async throws { try await connect.take("offer") }
}

/// `openstore agreement set-bank`
enum AgreementSetBank: ConnectCommand {
    static let spec = CommandSpec.connect(
        ["agreement", "set-bank"], summary: "Tell the store which account it pays to.",
        options: [
            .value("holder", "NAME", "Who has the account.").asRequired,
            .value("bank", "NAME", "The bank.").asRequired,
            .value("territory", "CODE", "Where it is, such as USA.").asRequired,
            .value("number", "NUMBER", "The IBAN, or the number as the bank writes it.").asRequired,
            .value("bic", "BIC", "The bank's code."),
            .value("currency", "CODE", "The currency, such as USD.").asRequired, .team,
        ])

    static func run(_ connect: ConnectContext) async throws {
        let arguments = connect.arguments
        let account = try await connect.api.create(
            "bankAccounts", at: "/openstore/v1/bankAccounts",
            [
                "accountHolder": .string(try arguments.required("holder")),
                "bankName": .string(try arguments.required("bank")),
                "territory": .string(try arguments.required("territory")),
                "accountNumber": .string(try arguments.required("number")),
                "bic": .text(arguments["bic"]),
                "currency": .string(try arguments.required("currency")),
            ], relationships: connect.teamLink())
        connect.show.done(
            account, "The store pays to the account \(account.attribute("accountNumber")).")
        try await connect.showNextStep()
    }
}

/// `openstore agreement set-tax`
enum AgreementSetTax: ConnectCommand {
    static let spec = CommandSpec.connect(
        ["agreement", "set-tax"], summary: "Fill in the tax form.",
        options: [
            .value("legal-name", "NAME", "Who pays the taxes.").asRequired,
            .value("territory", "CODE", "Where, such as USA.").asRequired,
            .value("tax-id", "NUMBER", "The number as the tax office writes it.").asRequired,
            .value("address", "TEXT", "Street, place and country.").asRequired, .team,
        ])

    static func run(_ connect: ConnectContext) async throws {
        let arguments = connect.arguments
        let form = try await connect.api.create(
            "taxForms", at: "/openstore/v1/taxForms",
            [
                "legalName": .string(try arguments.required("legal-name")),
                "territory": .string(try arguments.required("territory")),
                "taxId": .string(try arguments.required("tax-id")),
                "address": .string(try arguments.required("address")),
            ], relationships: connect.teamLink())
        connect.show.done(form, "The tax form of \(form.attribute("legalName")) is kept.")
        try await connect.showNextStep()
    }
}
