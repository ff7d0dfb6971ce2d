import StoreModel

/// Makes, changes and deletes sandbox testers.
package struct TesterService: Sendable {
    let shop: Shop
    private let vault: any CredentialVault

    package init(database: any ShopDatabase, vault: any CredentialVault, clock: any StoreClock) {
        shop = Shop(database: database, clock: clock)
        self.vault = vault
    }

    // MARK: Looking

    /// Testers that are not deleted, the first made first.
    ///
    /// - Parameters:
    ///   - text: gives those with it in the address or a name only; empty gives all.
    ///   - includesConverted: whether those come too that became real accounts.
    /// - Throws: `ConnectRefusal`.
    package func testers(
        matching text: String = "", includesConverted: Bool = false, _ page: PageRequest,
        by actor: ConnectActor
    ) async throws -> ListPage<Tester> {
        try await shop.read(as: actor, requiring: .manageTesters) { work in
            try work.testers.testers(
                of: actor.team, matching: text, includesConverted: includesConverted, page)
        }
    }

    /// - Throws: `ConnectRefusal`.
    package func tester(_ id: AccountID, by actor: ConnectActor) async throws -> Tester {
        try await shop.read(as: actor, requiring: .manageTesters) { try $0.tester(id) }
    }

    // MARK: Changing

    /// Makes a tester.
    ///
    /// - Throws: `ConnectRefusal`, also for an address that any tester had before.
    package func create(_ draft: TesterDraft, by actor: ConnectActor) async throws -> Tester {
        try actor.require(.manageTesters)
        let draft = try TesterRules.checked(draft)
        let account = AccountDraft(
            environment: .sandbox, email: draft.email,
            passwordHash: try await vault.hash(password: draft.password),
            storefront: draft.territory)
        let secret =
            draft.secretQuestion.isEmpty
            ? nil
            : TesterProfile.Secret(
                question: draft.secretQuestion,
                answerHash: try await vault.hash(password: draft.secretAnswer))
        return try await shop.write(as: actor) { work in
            let team = try work.team(for: draft.team)
            if let known = try work.accounts.account(email: draft.email, in: .sandbox) {
                throw try Self.taken(known, work)
            }
            let inserted = try work.accounts.insert(account, at: work.now)
            return try Self.insert(
                TesterProfile(
                    team: team, firstName: draft.firstName, lastName: draft.lastName,
                    secret: secret), of: inserted, work)
        }
    }

    /// Why no tester gets the address of an account. Nobody hears how testers of other teams stand.
    private static func taken(_ account: Account, _ work: UnitOfWork) throws -> ConnectRefusal {
        let tester = try work.testers.tester(account.id)
        let problem =
            switch tester?.status {
            case _? where tester.map { work.actor.sees(team: $0.team) } == false:
                "is a tester's address, or was one before."
            case .deleted: "was the address of a tester that is deleted."
            case .active, .converted: "is a tester's address already."
            case nil: "is the address of a sandbox account that was made on the store's machine."
            }
        return ConnectRefusal(
            .taken, rule: "testerEmailTaken", field: "email", "\(account.email) \(problem)",
            help: "Choose another one: an address is good for one tester, for ever.")
    }

    /// Makes a sandbox account that was made on the store's machine a tester of a team.
    ///
    /// - Throws: `ConnectRefusal`.
    package func adopt(
        _ account: AccountID, for team: Int64, by actor: ConnectActor
    ) async throws -> Tester {
        try await shop.write(as: actor, requiring: .operate) { work in
            guard try work.catalog.team(team) != nil else {
                throw ConnectRefusal.notFound("team", String(team))
            }
            guard let account = try work.accounts.account(account),
                account.environment == .sandbox
            else { throw ConnectRefusal.notFound("sandbox account", String(account.number)) }
            guard try work.testers.tester(account.id) == nil else {
                throw ConnectRefusal(
                    .taken, rule: "testerHasTeam", "\(account.email) is a team's tester already.",
                    help: "Make another tester for this team.")
            }
            return try Self.insert(
                TesterProfile(team: team, firstName: "", lastName: "", secret: nil), of: account,
                work)
        }
    }

    private static func insert(
        _ profile: TesterProfile, of account: Account, _ work: UnitOfWork
    ) throws -> Tester {
        try work.testers.insert(profile, of: account.id, at: work.now)
        try work.note("tester.create", on: account.email, of: profile.team)
        return try work.tester(account.id)
    }

    /// Changes what can be changed of a tester.
    ///
    /// - Throws: `ConnectRefusal`.
    package func change(
        _ id: AccountID, _ change: TesterChange, by actor: ConnectActor
    ) async throws -> Tester {
        let tester = try await step(.change, of: [id], by: actor) { tester, work in
            if case .tester(let guardian) = change.guardian {
                guard guardian != id else {
                    throw ConnectRefusal(
                        .invalid, rule: "guardianOfItself", field: "guardian",
                        "\(tester.email) can't be the guardian of itself.",
                        help: "Name another tester.")
                }
                _ = try work.tester(guardian)
            }
            if let territory = change.territory {
                try work.accounts.setStorefront(territory, of: id)
            }
            if let rate = change.renewalRate {
                try work.testers.setRenewalRate(rate, of: id)
            }
            let settings = change.applied(to: tester.settings)
            if settings != tester.settings { try work.accounts.set(settings, of: id) }
            let changed = try work.tester(id)
            return (changed, "tester.update", tester.changeable, changed.changeable)
        }
        return tester[0]
    }

    /// Deletes a tester for good: signed out everywhere, and the address stays taken.
    ///
    /// - Throws: `ConnectRefusal`.
    package func delete(_ id: AccountID, by actor: ConnectActor) async throws {
        _ = try await step(.delete, of: [id], by: actor) { tester, work in
            try work.testers.record(.deleted, of: id, at: work.now)
            try work.accounts.deleteSessions(of: id)
            return (tester, "tester.delete", nil, nil)
        }
    }

    /// Clears purchase histories: apps see nothing any more of what these testers have bought,
    /// and they have none of the items that they got. The ledger and the sales keep it.
    ///
    /// - Throws: `ConnectRefusal`; none is cleared then.
    package func clearHistory(of ids: [AccountID], by actor: ConnectActor) async throws {
        _ = try await step(.clearHistory, of: ids, by: actor) { tester, work in
            try work.testers.recordClearing(of: tester.account, at: work.now)
            return (tester, "tester.clearHistory", nil, nil)
        }
    }

    /// Takes a step with testers, in one transaction: whether it is allowed is looked up, and
    /// it is written into the audit log.
    private func step(
        _ step: TesterStep, of ids: [AccountID], by actor: ConnectActor,
        _ body:
            @escaping @Sendable (Tester, UnitOfWork) throws -> (
                tester: Tester, action: String, before: String?, after: String?
            )
    ) async throws -> [Tester] {
        try await shop.write(as: actor, requiring: .manageTesters) { work in
            try ids.map { id in
                let tester = try work.tester(id)
                try TesterRules.status(after: step, of: tester.status, email: tester.email)
                let done = try body(tester, work)
                try work.note(
                    done.action, on: tester.email, of: tester.team, before: done.before,
                    after: done.after)
                return done.tester
            }
        }
    }
}

extension UnitOfWork {
    /// A tester that an actor sees: one that was deleted is gone for everybody.
    func tester(_ id: AccountID) throws -> Tester {
        guard let tester = try testers.tester(id), actor.sees(team: tester.team),
            tester.status != .deleted
        else { throw ConnectRefusal.notFound("sandbox tester", String(id.number)) }
        return tester
    }
}
