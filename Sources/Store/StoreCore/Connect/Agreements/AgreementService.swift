import Foundation

/// Agreements of teams, with bank accounts and tax forms.
package struct AgreementService: Sendable {
    /// What a team has agreed to, and what is missing.
    package struct Picture: Sendable, Hashable {
        package let agreements: [Agreement]
        package let bankAccount: BankAccount?
        package let taxForm: TaxForm?

        package func agreement(_ kind: Agreement.Kind) -> Agreement? {
            agreements.first { $0.kind == kind }
        }
    }

    private let shop: Shop

    package init(database: any ShopDatabase, clock: any StoreClock) {
        shop = Shop(database: database, clock: clock)
    }

    /// Bank account and tax form are left out for who may not manage them.
    package func picture(of team: Int64, by actor: ConnectActor) async throws -> Picture {
        let seesBanking = actor.allows(.manageBanking)
        return try await shop.read(as: actor, requiring: .viewAgreements) { work in
            _ = try work.team(team)
            let agreements = work.agreements
            return Picture(
                agreements: try agreements.agreements(of: team),
                bankAccount: seesBanking ? try agreements.bankAccount(of: team) : nil,
                taxForm: seesBanking ? try agreements.taxForm(of: team) : nil)
        }
    }

    /// Accepts an agreement for the team. The paid one is in force as soon as bank account and
    /// tax form are there too.
    ///
    /// - Throws: `ConnectRefusal` with the rule `acceptedByPerson` for a key, once the store has an
    ///   operator.
    package func accept(
        _ kind: Agreement.Kind, of team: Int64, by actor: ConnectActor
    ) async throws -> Agreement {
        try actor.require(.signAgreements)
        if actor.isKey {
            let hasOperator = try await shop.read(as: actor) { try $0.people.hasOperator() }
            guard !hasOperator else { throw Self.acceptedByPerson }
        }
        return try await step(.accept, kind, of: team, by: actor) { agreement, now in
            agreement.acceptedBy = actor.auditName
            agreement.accepted = now
        }
    }

    private static let acceptedByPerson = ConnectRefusal(
        .forbidden, rule: "acceptedByPerson", field: "step",
        "A key can't accept an agreement: a person does, whose name is kept with it.",
        help: "Sign in as the team's Account Holder or as an operator (openstore login), and "
            + "accept it then.")

    /// Ends an agreement for the store: the team's products are sold no longer, and subscriptions end with
    /// their running period.
    package func terminate(
        _ kind: Agreement.Kind, of team: Int64, by actor: ConnectActor
    ) async throws -> Agreement {
        try actor.require(.operate)
        return try await step(.terminate, kind, of: team, by: actor)
    }

    /// Lets a team accept again what was terminated.
    package func offer(
        _ kind: Agreement.Kind, of team: Int64, by actor: ConnectActor
    ) async throws -> Agreement {
        try actor.require(.operate)
        return try await step(.offer, kind, of: team, by: actor) { agreement, _ in
            agreement.acceptedBy = nil
            agreement.accepted = nil
        }
    }

    /// - Returns: the account as it is kept.
    package func setBankAccount(
        _ account: BankAccount, of team: Int64, by actor: ConnectActor
    ) async throws -> BankAccount {
        try actor.require(.manageBanking)
        try TeamRules.check(team, seenBy: actor)
        let account = try BankingRules.checked(account)
        try await setBanking(of: team, action: "agreement.setBankAccount", by: actor) {
            let before = try $0.bankAccount(of: team)
            try $0.set(account, of: team, at: $1)
            return (before?.maskedNumber, account.maskedNumber)
        }
        return account
    }

    /// - Returns: the form as it is kept.
    package func setTaxForm(
        _ form: TaxForm, of team: Int64, by actor: ConnectActor
    ) async throws -> TaxForm {
        try actor.require(.manageBanking)
        try TeamRules.check(team, seenBy: actor)
        let form = try BankingRules.checked(form)
        try await setBanking(of: team, action: "agreement.setTaxForm", by: actor) {
            let before = try $0.taxForm(of: team)
            try $0.set(form, of: team, at: $1)
            return (before?.maskedTaxID, form.maskedTaxID)
        }
        return form
    }

    // MARK: Pieces

    private func setBanking(
        of team: Int64, action: String, by actor: ConnectActor,
        _ change: @escaping @Sendable (AgreementRepository, Date) throws -> (String?, String)
    ) async throws {
        try await shop.write(as: actor) { work in
            let name = try work.team(team).name
            let (before, after) = try change(work.agreements, work.now)
            try work.note(action, on: name, of: team, before: before, after: after)
            try Self.completeIfPossible(team, work)
        }
    }

    private func step(
        _ step: AgreementRules.Step, _ kind: Agreement.Kind, of team: Int64,
        by actor: ConnectActor,
        change: @escaping @Sendable (inout Agreement, Date) -> Void = { _, _ in }
    ) async throws -> Agreement {
        try TeamRules.check(team, seenBy: actor)
        return try await shop.write(as: actor) { work in
            let before = try Self.agreement(kind, of: team, work)
            var after = before
            after.state = try AgreementRules.state(after: step, of: kind, in: before.state)
            change(&after, work.now)
            after.changed = work.now
            try Self.write(after, over: before, step, work)
            if kind == .paidApps {
                try Self.completeIfPossible(team, work)
            }
            return try Self.agreement(kind, of: team, work)
        }
    }

    private static func completeIfPossible(_ team: Int64, _ work: UnitOfWork) throws {
        let agreements = work.agreements
        let before = try agreement(.paidApps, of: team, work)
        guard before.state == .pendingUserInfo, try agreements.bankAccount(of: team) != nil,
            try agreements.taxForm(of: team) != nil
        else { return }
        var after = before
        after.state = try AgreementRules.state(after: .complete, of: .paidApps, in: before.state)
        after.changed = work.now
        try write(after, over: before, .complete, work)
    }

    private static func write(
        _ after: Agreement, over before: Agreement, _ step: AgreementRules.Step, _ work: UnitOfWork
    ) throws {
        try work.agreements.update(after)
        try work.note(
            "agreement.\(step.rawValue)", on: after.kind.title, of: after.team,
            before: before.state.title, after: after.state.title)
    }

    private static func agreement(
        _ kind: Agreement.Kind, of team: Int64, _ repositories: StoreRepositories
    ) throws -> Agreement {
        try repositories.agreements.agreement(kind, of: team).orNotFound("team", "\(team)")
    }
}
