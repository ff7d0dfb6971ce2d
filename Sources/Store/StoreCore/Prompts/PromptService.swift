import Foundation
import StoreModel

/// Puts questions to customers on pages of the store, and takes their answers.
package struct PromptService: Sendable {
    /// Whether somebody else approves what an account buys.
    package typealias ApprovalRule =
        @Sendable (AccountID, StoreRepositories) throws -> Bool

    private let shop: Shop
    private let accounts: AccountService
    private let vault: any CredentialVault
    private let promptEnded: @Sendable (PromptID) -> Void
    private let needsApproval: ApprovalRule

    /// - Parameter promptEnded: called when a prompt ends, to wake the requests of this process that
    ///   wait for it.
    package init(
        database: any ShopDatabase, accounts: AccountService, vault: any CredentialVault,
        clock: any StoreClock, needsApproval: @escaping ApprovalRule = { _, _ in false },
        promptEnded: @escaping @Sendable (PromptID) -> Void
    ) {
        shop = Shop(database: database, clock: clock)
        self.accounts = accounts
        self.vault = vault
        self.promptEnded = promptEnded
        self.needsApproval = needsApproval
    }

    // MARK: The device

    /// A prompt with what the device needs to go on: what the page is called, and the
    /// secret that the answer is given for.
    package struct Ticket: Sendable {
        package let prompt: Prompt
        package let pageToken: String
        package let secret: String
    }

    /// Puts a question; clears away what ended long ago.
    package func ask(
        _ subject: PromptSubject, for app: AppID, of account: AccountID?,
        in environment: StoreEnvironment, address: String
    ) async throws -> Ticket {
        let pageToken = try vault.makeToken()
        let secret = try vault.makeToken()
        let (page, proof) = (vault.digest(of: pageToken), vault.digest(of: secret))
        let now = shop.clock.now()
        let draft = PromptDraft(
            environment: environment, app: app, account: account, subject: subject,
            address: address, start: now,
            end: now.addingTimeInterval(PromptRules.duration(of: subject)))
        let prompt = try await shop.write { work in
            try work.prompts.deletePrompts(
                endedBefore: now.addingTimeInterval(-PromptRules.retention))
            return try work.prompts.insert(draft, pageDigest: page, secretDigest: proof)
        }
        return Ticket(prompt: prompt, pageToken: pageToken, secret: secret)
    }

    /// How a prompt stands, for the device that asked; nil where there is none that it
    /// could have asked.
    package func prompt(
        _ id: PromptID, secret: String, app: AppID, environment: StoreEnvironment
    ) async throws -> Prompt? {
        let digest = vault.digest(of: secret)
        let prompt = try await shop.read { work in
            try work.prompts.prompt(id, secretDigest: digest)
        }
        guard let prompt, prompt.details.app == app, prompt.details.environment == environment
        else { return nil }
        return prompt
    }

    /// Starts the session of a customer who has signed in on the page.
    ///
    /// - Returns: nil where it was given out before: that happens once.
    package func collect(
        _ prompt: Prompt
    ) async throws -> (account: Account, token: String, end: Date)? {
        guard case .decided(.signedIn(let id)) = prompt.ending else { return nil }
        let token = try vault.makeToken()
        let digest = vault.digest(of: token)
        let start = shop.clock.now()
        let end = start.addingTimeInterval(AccountService.sessionDuration)
        return try await shop.write { work in
            guard try work.prompts.recordCollection(of: prompt.id, at: start),
                let account = try work.accounts.account(id),
                // A tester can be deleted between the page and the device.
                try work.testers.status(of: id) == .active
            else { return nil }
            try work.accounts.insertSession(
                tokenDigest: digest, account: id, start: start, end: end)
            return (account, token, end)
        }
    }

    /// Ends a prompt whose app waits no longer; one that has ended stays as it is.
    package func abandon(_ prompt: Prompt) async throws {
        try await end(prompt.id, with: .abandoned)
    }

    // MARK: The page

    /// The prompt that a page is about.
    package func prompt(page token: String, environment: StoreEnvironment) async throws -> Prompt? {
        let digest = vault.digest(of: token)
        let prompt = try await shop.read { try $0.prompts.prompt(pageDigest: digest) }
        return prompt?.details.environment == environment ? prompt : nil
    }

    package func state(of prompt: Prompt) -> Prompt.State { prompt.state(at: shop.clock.now()) }

    /// What the page shows.
    package func question(of prompt: Prompt) async throws -> PromptQuestion {
        let details = prompt.details
        return try await shop.read { work in
            let account = try details.account.flatMap(work.accounts.account)
            let storefront = account?.storefront ?? .unitedStates
            let app = try work.catalog.app(details.app)
            func product(_ id: ProductID) throws -> PromptProduct {
                PromptProduct(
                    id, try work.catalog.product(id, in: details.app), in: storefront,
                    environment: details.environment)
            }
            let subject: PromptQuestion.Subject
            switch details.subject {
            case .signIn: subject = .signIn
            case .redeem: subject = .redemption
            case .item(let id, _): subject = .item(id, storefront)
            case .confirm(let id, let quantity, let price, let offer):
                var shown = try product(id)
                if let account, let sold = try work.catalog.product(id, in: details.app) {
                    shown.charge = try work.at(.account(account.id, app: details.app)).chargeNotice(
                        for: sold, with: offer, by: account.id, in: details.app)
                }
                var total = price.multiplied(by: quantity) ?? price
                if shown.charge == .owned { total.thousandths = 0 }
                let asks = try account.map { try needsApproval($0.id, work) } ?? false
                subject = .purchase(
                    shown, quantity: quantity, total: total,
                    needsApproval: asks && shown.charge.asksGuardian)
            case .consent(let id, let current, let new):
                subject = .consent(try product(id), currentPrice: current, newPrice: new)
            }
            return PromptQuestion(
                environment: details.environment, appName: app?.name ?? "", account: account?.email,
                storefront: storefront, subject: subject)
        }
    }

    /// Notes what the page of an item says of whether somebody looks at it.
    ///
    /// - Returns: how the prompt stands then; what has ended stays as it is.
    @discardableResult
    package func note(_ presence: PromptPresence, of prompt: Prompt) async throws -> Prompt.State {
        try await shop.write { work in
            guard let known = try work.prompts.prompt(prompt.id) else { return .expired }
            let state = known.state(at: work.now)
            let absence = PromptRules.absence(after: presence, at: work.now)
            if state == .open, known.absence != absence {
                try work.prompts.recordAbsence(from: absence, of: known.id)
            }
            return state
        }
    }

    /// Takes an answer. The first one counts.
    ///
    /// - Parameter proven: the account that the customer has shown to be.
    /// - Throws: `PromptRefusal`.
    package func answer(
        _ decision: PromptDecision, to prompt: Prompt, proven: Account?
    ) async throws {
        try await shop.write { work in
            if let proven, try !work.accounts.hasSamePassword(proven) {
                throw PromptRefusal.signInWrong
            }
            guard let prompt = try work.prompts.prompt(prompt.id) else {
                throw PromptRefusal.unknown
            }
            let ending = try PromptRules.decide(
                decision, on: prompt, proven: proven?.id, at: work.now
            ).get()
            try work.prompts.record(ending, of: prompt.id, at: work.now)
        }
        promptEnded(prompt.id)
    }

    /// Who the customer is, by password. Each wrong one counts against the prompt, and
    /// the last one ends it.
    ///
    /// - Parameters:
    ///   - email: nil for the account whose question it is.
    ///   - client: the address that the request comes from, where it is known.
    ///   - mayConvert: whether the customer has said yes to what a tester becomes by it.
    /// - Throws: `PromptRefusal`.
    package func prove(
        email: String?, password: String, for prompt: Prompt, client: String? = nil,
        mayConvert: Bool = false
    ) async throws -> Account {
        // Counted before the password is looked at, so that many at once are not more.
        let (attempt, address) = try await shop.write { work in
            let prompts = work.prompts
            guard let known = try prompts.prompt(prompt.id) else { throw PromptRefusal.unknown }
            guard known.state(at: work.now) == .open, known.attempts < PromptRules.attemptLimit
            else {
                throw PromptRefusal.notOpen
            }
            let own = try known.details.account.flatMap(work.accounts.account)?.email
            return (try prompts.countAttempt(of: known.id), own ?? email ?? "")
        }
        var isOther = false
        if case .signIn(let wanted?) = prompt.details.subject {
            isOther = wanted != EmailAddress.normalized(address)
        }
        do {
            // A sign-in with the wrong account never turns a tester into a customer.
            let account = try await accounts.authenticate(
                email: address, password: password, environment: prompt.details.environment,
                client: client, mayConvert: mayConvert && !isOther)
            guard !isOther else { throw PromptRefusal.otherAccount }
            return account
        } catch {
            guard error is AccountRefusal || error is PromptRefusal else { throw error }
            var refusal = error as? PromptRefusal ?? .signInWrong
            switch error as? AccountRefusal {
            case .wouldConvert where isOther: refusal = .otherAccount
            case .signInDelayed(let delay): refusal = .signInDelayed(delay)
            case .testerConverted(let email): refusal = .testerConverted(email)
            case .wouldConvert(let email): refusal = .wouldConvert(email)
            default: break
            }
            guard attempt < PromptRules.attemptLimit else {
                try await end(prompt.id, with: .exhausted)
                throw PromptRefusal.exhausted
            }
            throw refusal
        }
    }

    private func end(_ id: PromptID, with ending: Prompt.Ending) async throws {
        try await shop.write { work in
            guard let prompt = try work.prompts.prompt(id), prompt.state(at: work.now) == .open
            else { return }
            try work.prompts.record(ending, of: id, at: work.now)
        }
        promptEnded(id)
    }
}
