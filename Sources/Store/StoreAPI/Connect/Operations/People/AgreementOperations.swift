import StoreCore
import StoreWire

extension ResourceType {
    static let agreements = ResourceType(
        "agreements", at: "/openstore/v1/agreements", reading: .viewAgreements,
        shape: ResourceShape([
            "kind": .choice(Agreement.Kind.allCases.map(\.rawValue)),
            "state": .choice(Agreement.State.allCases.map(\.rawValue)),
            "acceptedBy": .text(1...EmailAddress.longest), "acceptedDate": .dateTime,
            "changedDate": .dateTime,
            "step": .choice(["accept", "terminate", "offer"]),
        ]),
        find: { call, id in
            let (team, kind) = try agreement(id)
            let picture = try await call.services.people.agreements.picture(
                of: team, by: call.actor)
            guard let agreement = picture.agreement(kind) else {
                throw ConnectRefusal.notFound("agreement", id)
            }
            return Resource(agreement)
        },
        relationships: [.team { _, id in try agreement(id).team }])

    static let bankAccounts = ResourceType(
        "bankAccounts", at: "/openstore/v1/bankAccounts", reading: .manageBanking,
        shape: ResourceShape([
            "accountHolder": .text(1...400), "bankName": .text(1...400),
            "territory": .text(3...3), "accountNumber": .text(4...60), "bic": .text(0...20),
            "currency": .text(3...3),
        ]), relationships: [.team { _, id in try ConnectCall.teamNumber(id) }])

    static let taxForms = ResourceType(
        "taxForms", at: "/openstore/v1/taxForms", reading: .manageBanking,
        shape: ResourceShape([
            "legalName": .text(1...400), "territory": .text(3...3), "taxId": .text(4...60),
            "address": .text(1...2000),
        ]), relationships: [.team { _, id in try ConnectCall.teamNumber(id) }])

    fileprivate static func agreement(_ id: String) throws -> (team: Int64, kind: Agreement.Kind) {
        let (team, rest) = try ConnectCall.scoped(id, "agreement")
        guard let kind = Agreement.Kind(rawValue: rest) else {
            throw ConnectRefusal.notFound("agreement", id)
        }
        return (team, kind)
    }
}

extension Resource {
    fileprivate init(_ agreement: Agreement) {
        self.init(
            .agreements, id: "\(agreement.team)-\(agreement.kind.rawValue)",
            [
                "kind": .string(agreement.kind.rawValue),
                "state": .string(agreement.state.rawValue),
                "acceptedBy": .text(agreement.acceptedBy),
                "acceptedDate": .time(agreement.accepted),
                "changedDate": .time(agreement.changed),
            ], links: ["team": [ResourceLink(type: "teams", id: String(agreement.team))]])
    }

    /// Numbers go out with their last signs only.
    fileprivate init(_ account: BankAccount, of team: Int64) {
        self.init(
            .bankAccounts, id: String(team),
            [
                "accountHolder": .string(account.holder), "bankName": .string(account.bank),
                "territory": .string(account.territory),
                "accountNumber": .string(account.maskedNumber), "bic": .text(account.bic),
                "currency": .string(account.currency),
            ], links: ["team": [ResourceLink(type: "teams", id: String(team))]])
    }

    fileprivate init(_ form: TaxForm, of team: Int64) {
        self.init(
            .taxForms, id: String(team),
            [
                "legalName": .string(form.legalName), "territory": .string(form.territory),
                "taxId": .string(form.maskedTaxID), "address": .string(form.address),
            ], links: ["team": [ResourceLink(type: "teams", id: String(team))]])
    }
}

extension ConnectOperation {
    static let agreements: [ConnectOperation] =
        reading(.agreements) + reading(.bankAccounts) + reading(.taxForms) + [
            .list(.agreements, .viewAgreements, filters: ["team": .teamFilter]) { call in
                let picture = try await call.services.people.agreements.picture(
                    of: try call.team(), by: call.actor)
                return try ListPage(of: picture.agreements, call.page()).map { Resource($0) }
            },
            // Whether the role may take the step is decided with the step.
            .update(.agreements, .viewAgreements, changing: ["step"]) { call in
                let (team, kind) = try ResourceType.agreement(call.id)
                let agreements = call.services.people.agreements
                let actor = call.actor
                let changed: Agreement
                switch call.data.optionalText("step") {
                case "terminate":
                    changed = try await agreements.terminate(kind, of: team, by: actor)
                case "offer": changed = try await agreements.offer(kind, of: team, by: actor)
                case "accept": changed = try await agreements.accept(kind, of: team, by: actor)
                default:
                    throw ConnectRefusal(
                        .invalid, rule: "required", field: "step", "The step is missing.",
                        help: "Send accept, terminate or offer.")
                }
                return Resource(changed)
            },
            .list(.bankAccounts, .manageBanking, filters: ["team": .teamFilter]) { call in
                let team = try call.team()
                let picture = try await call.services.people.agreements.picture(
                    of: team, by: call.actor)
                return try ListPage(
                    of: picture.bankAccount.map { [$0] } ?? [], call.page()
                ).map { Resource($0, of: team) }
            },
            .create(
                .bankAccounts, .manageBanking,
                required: [
                    "accountHolder", "bankName", "territory", "accountNumber", "currency",
                ], optional: ["bic", "team"]
            ) { call in
                let team = try call.team()
                let account = BankAccount(
                    holder: try call.data.text("accountHolder"),
                    bank: try call.data.text("bankName"),
                    territory: try call.data.text("territory"),
                    number: try call.data.text("accountNumber"),
                    bic: call.data.optionalText("bic"),
                    currency: try call.data.text("currency"))
                return Resource(
                    try await call.services.people.agreements.setBankAccount(
                        account, of: team, by: call.actor), of: team)
            },
            .list(.taxForms, .manageBanking, filters: ["team": .teamFilter]) { call in
                let team = try call.team()
                let picture = try await call.services.people.agreements.picture(
                    of: team, by: call.actor)
                return try ListPage(of: picture.taxForm.map { [$0] } ?? [], call.page())
                    .map { Resource($0, of: team) }
            },
            .create(
                .taxForms, .manageBanking,
                required: ["legalName", "territory", "taxId", "address"], optional: ["team"]
            ) { call in
                let team = try call.team()
                let form = TaxForm(
                    legalName: try call.data.text("legalName"),
                    territory: try call.data.text("territory"),
                    taxID: try call.data.text("taxId"), address: try call.data.text("address"))
                return Resource(
                    try await call.services.people.agreements.setTaxForm(
                        form, of: team, by: call.actor), of: team)
            },
        ]
}
