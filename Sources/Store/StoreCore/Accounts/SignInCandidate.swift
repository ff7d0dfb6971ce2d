import StoreModel

/// The account that an address may sign in to, before the password is looked at.
struct SignInCandidate: Sendable {
    /// The account whose password counts.
    let account: Account
    /// Where it is in its life; customers of the production store are active.
    let status: TesterStatus
    /// Whether it is a sandbox account that the production store is signed in to with.
    let becomesCustomer: Bool

    /// The candidate for an address; nil where there is none. Deleted testers are none.
    ///
    /// - Parameter address: as it is kept.
    static func find(
        _ address: String, in environment: StoreEnvironment,
        _ repositories: StoreRepositories
    ) throws -> SignInCandidate? {
        if let account = try repositories.accounts.account(email: address, in: environment) {
            let status =
                environment == .sandbox
                ? try repositories.testers.status(of: account.id) : .active
            guard status != .deleted else { return nil }
            return SignInCandidate(account: account, status: status, becomesCustomer: false)
        }
        guard environment == .production,
            let tester = try repositories.accounts.account(email: address, in: .sandbox)
        else { return nil }
        let status = try repositories.testers.status(of: tester.id)
        guard TesterRules.steps[.convert]?[status] != nil else { return nil }
        return SignInCandidate(account: tester, status: status, becomesCustomer: true)
    }
}

extension AccountService {
    /// Makes a tester a customer of the production store, with the same address and password.
    /// The tester's sessions in the sandbox end.
    ///
    /// - Returns: the customer; nil where somebody else took the address meanwhile.
    func convert(_ tester: Account) async throws -> Account? {
        try await shop.write { work in
            if let known = try work.accounts.account(
                email: tester.email, in: .production)
            {
                // The same sign-in, twice at once.
                return known.passwordHash == tester.passwordHash ? known : nil
            }
            guard
                let next = TesterRules.steps[.convert]?[
                    try work.testers.status(of: tester.id)]
            else { return nil }
            let storefront = try work.accounts.account(tester.id)?.storefront
            let customer = try work.accounts.insert(
                AccountDraft(
                    environment: .production, email: tester.email,
                    passwordHash: tester.passwordHash,
                    storefront: storefront ?? tester.storefront), at: work.now)
            try work.testers.record(next, of: tester.id, at: work.now)
            try work.accounts.deleteSessions(of: tester.id)
            return customer
        }
    }
}
