import StoreCore
import StoreModel

extension PortalRouteTable {
    static let agreements: [PortalRoute] = [
        .get("/agreements", .viewAgreements, AgreementPages.list),
        .get("/agreements/bank", .manageBanking, AgreementPages.bankForm),
        .post("/agreements/bank", .manageBanking, AgreementPages.setBank),
        .get("/agreements/tax", .manageBanking, AgreementPages.taxForm),
        .post("/agreements/tax", .manageBanking, AgreementPages.setTax),
        .get("/agreements/{kind}/accept", .signAgreements, AgreementPages.askAcceptance),
        .post("/agreements/{kind}/accept", .signAgreements, AgreementPages.accept),
        .get("/agreements/{kind}/terminate", .operate, AgreementPages.askTermination),
        .post("/agreements/{kind}/terminate", .operate, AgreementPages.terminate),
        .post("/agreements/{kind}/offer", .operate, AgreementPages.offer),
    ]
}

/// Agreements, bank account and tax form.
enum AgreementPages {
    static let root = PortalSection.agreements.path
    static let crumb = PortalPage.Crumb(PortalSection.agreements.title, root)

    static func list(_ call: PortalCall) async throws -> PortalAnswer {
        let scope = TeamScope(call)
        guard let team = scope.team else {
            return try await TeamScope.choice(call, in: .agreements)
        }
        let picture = try await call.services.people.agreements.picture(
            of: team, by: call.actor)
        var page = PortalPage(
            PortalSection.agreements.title,
            picture.agreements.map { panel($0, picture, call, scope) }
                + [banking(picture, call, scope)], in: .agreements)
        page.lead =
            "Without the Paid Apps agreement nobody can buy in-app purchases, not even in the sandbox."
        return .page(page)
    }

    private static func panel(
        _ agreement: Agreement, _ picture: AgreementService.Picture, _ call: PortalCall,
        _ scope: TeamScope
    ) -> HTML {
        let path = "\(root)/\(agreement.kind.pathPart)"
        var content: [HTML] = [PortalFacts(facts(of: agreement)).html]
        if agreement.kind == .paidApps, [.new, .pendingUserInfo].contains(agreement.state),
            call.actor.allows(.manageBanking)
        {
            content.append(
                PortalChecklist([
                    .init(
                        "Accepted by the Account Holder", isDone: agreement.accepted != nil,
                        path: call.actor.allows(.signAgreements)
                            ? scope.path("\(path)/accept") : nil),
                    .init(
                        "Bank account", isDone: picture.bankAccount != nil,
                        path: scope.path("\(root)/bank")),
                    .init(
                        "Tax form", isDone: picture.taxForm != nil,
                        path: scope.path("\(root)/tax")),
                ]).html)
        }
        return PortalPanel(
            agreement.kind.title, actions: actions(agreement, path, call, scope), content
        ).html
    }

    private static func facts(of agreement: Agreement) -> [(name: String, value: HTML)] {
        var facts: [(name: String, value: HTML)] = [("State", agreement.badge.html)]
        if let accepted = agreement.accepted {
            facts.append(("Accepted", PortalFormatting.time(accepted)))
        }
        if let who = agreement.acceptedBy { facts.append(("Accepted by", .text(who))) }
        if agreement.state == .active, agreement.accepted == nil {
            facts.append(("Accepted", .text("In force since the store was set up")))
        }
        return facts
    }

    private static func actions(
        _ agreement: Agreement, _ path: String, _ call: PortalCall, _ scope: TeamScope
    ) -> [HTML] {
        switch agreement.state {
        case .new where call.actor.allows(.signAgreements):
            [.buttonLink(scope.path("\(path)/accept"), "Read and Accept", isMeant: true)]
        case .active where call.actor.allows(.operate),
            .pendingUserInfo where call.actor.allows(.operate):
            [.buttonLink(scope.path("\(path)/terminate"), "Terminate")]
        case .terminated where call.actor.allows(.operate):
            [PortalForm(call).button("Offer Again", to: "\(path)/offer", scope.fields)]
        default: []
        }
    }

    private static func banking(
        _ picture: AgreementService.Picture, _ call: PortalCall, _ scope: TeamScope
    ) -> HTML {
        guard call.actor.allows(.manageBanking) else { return .nothing }
        let bank = picture.bankAccount.map { account in
            PortalFacts([
                ("Account", .text(account.maskedNumber)), ("Bank", .foreign(account.bank)),
                ("Account holder", .foreign(account.holder)),
                ("Currency", .text(account.currency)),
            ]).html
        }
        let tax = picture.taxForm.map { form in
            PortalFacts([
                ("Legal name", .foreign(form.legalName)), ("Tax number", .text(form.maskedTaxID)),
                ("Territory", .text(form.territory)),
            ]).html
        }
        return .group([
            PortalPanel(
                "Bank account",
                actions: [
                    .link(scope.path("\(root)/bank"), bank == nil ? "Fill in" : "Change account")
                ], [bank ?? .element("p", "There is none yet.")]
            ).html,
            PortalPanel(
                "Tax form",
                actions: [
                    .link(scope.path("\(root)/tax"), tax == nil ? "Fill in" : "Change tax form")
                ], [tax ?? .element("p", "There is none yet.")]
            ).html,
        ])
    }

    // MARK: Steps

    static func askAcceptance(_ call: PortalCall) async throws -> PortalAnswer {
        .page(acceptance(try kind(call), PortalForm(call), TeamScope(call)))
    }

    static func accept(_ call: PortalCall) async throws -> PortalAnswer {
        let kind = try kind(call)
        let scope = TeamScope(call)
        return try await call.submit {
            guard call.form["agrees"] == "true" else {
                throw ConnectRefusal(
                    .invalid, rule: "notAgreed", field: "agrees",
                    "You have not agreed.", help: "Tick the box, if you do.")
            }
            let agreement = try await call.services.people.agreements.accept(
                kind, of: scope.required(), by: call.actor)
            return .redirect(
                to: scope.path(root),
                notice: agreement.state == .active
                    ? "The \(kind.title) agreement is in force."
                    : "Accepted. It is in force as soon as bank account and tax form are there.")
        } again: { form in
            acceptance(kind, form, scope)
        }
    }

    static func askTermination(_ call: PortalCall) async throws -> PortalAnswer {
        .page(termination(try kind(call), PortalForm(call), TeamScope(call)))
    }

    static func terminate(_ call: PortalCall) async throws -> PortalAnswer {
        let kind = try kind(call)
        let scope = TeamScope(call)
        return try await call.submit {
            _ = try await call.services.people.agreements.terminate(
                kind, of: scope.required(), by: call.actor)
            return .redirect(to: scope.path(root), notice: "The agreement is terminated.")
        } again: { form in
            termination(kind, form, scope)
        }
    }

    static func offer(_ call: PortalCall) async throws -> PortalAnswer {
        let scope = TeamScope(call)
        _ = try await call.services.people.agreements.offer(
            kind(call), of: scope.required(), by: call.actor)
        return .redirect(to: scope.path(root), notice: "The team can accept it again.")
    }

    private static func kind(_ call: PortalCall) throws -> Agreement.Kind {
        guard let kind = Agreement.Kind.allCases.first(where: { $0.pathPart == call.id }) else {
            throw ConnectRefusal.notFound("agreement", call.id)
        }
        return kind
    }

    private static func acceptance(
        _ kind: Agreement.Kind, _ form: PortalForm, _ scope: TeamScope
    ) -> PortalPage {
        var page = PortalPage(
            "Accept \(kind.title)",
            [
                .element("p", kind.terms),
                form.html(
                    "\(root)/\(kind.pathPart)/accept",
                    [
                        scope.field,
                        form.checkbox(
                            "agrees", "I agree for my team, and may do so.", isOn: false),
                        form.actions("Accept", cancel: scope.path(root)),
                    ], warnsUnsaved: false),
            ], in: .agreements)
        page.trail = [crumb]
        page.isNarrow = true
        return page
    }

    private static func termination(
        _ kind: Agreement.Kind, _ form: PortalForm, _ scope: TeamScope
    ) -> PortalPage {
        PortalConfirmation(
            "Terminate \(kind.title)?",
            kind == .paidApps
                ? [
                    "The team’s products become invalid at once, in production and sandbox.",
                    "Subscriptions end with their running period, and stay ended if the team accepts the agreement again. Everything else that customers have bought stays theirs.",
                ] : ["The team can accept it again only after you have offered it again."],
            button: "Terminate"
        ).page(
            form, action: "\(root)/\(kind.pathPart)/terminate", cancel: scope.path(root),
            in: .agreements, [scope.field])
    }
}

extension Agreement {
    var badge: PortalBadge {
        switch state {
        case .new: PortalBadge(state.title, .busy)
        case .pendingUserInfo: PortalBadge(state.title, .warn)
        case .active: PortalBadge(state.title, .good)
        case .terminated: PortalBadge(state.title, .bad)
        }
    }
}

extension Agreement.Kind {
    /// How paths name it.
    fileprivate var pathPart: String { self == .freeApps ? "free" : "paid" }

    /// What is agreed to, in short; the store's operator hands out the full text.
    fileprivate var terms: String {
        switch self {
        case .freeApps:
            "The team may offer apps without charge in this store, by the terms that its "
                + "operator has handed out."
        case .paidApps:
            "The team may sell in-app purchases in this store, by the terms that its operator "
                + "has handed out. The store pays proceeds to the team’s bank account."
        }
    }
}
