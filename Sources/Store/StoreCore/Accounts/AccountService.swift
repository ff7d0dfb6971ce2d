import Foundation
import StoreModel

/// Makes accounts, signs them in and recognizes their sessions.
package struct AccountService: Sendable {
    /// How long a session lasts without a new sign-in.
    package static let sessionDuration: TimeInterval = 90 * 86_400

    let shop: Shop
    private let vault: any CredentialVault
    private let throttle: SignInThrottle
    /// Compared with where an address is unknown, so that it takes as long as for a known one.
    private let decoyHash: String

    package init(
        database: any ShopDatabase, vault: any CredentialVault, clock: any StoreClock
    ) throws {
        shop = Shop(database: database, clock: clock)
        self.vault = vault
        self.throttle = SignInThrottle(database: database, vault: vault, clock: clock)
        self.decoyHash = try vault.makeDecoyHash()
    }

    /// Adds an account.
    ///
    /// - Throws: `AccountRefusal`.
    package func create(
        email: String, password: String, storefront: Storefront, environment: StoreEnvironment
    ) async throws -> Account {
        guard let address = EmailAddress.wellFormed(email) else {
            throw AccountRefusal.emailMalformed(email)
        }
        guard CustomerPassword.isPermitted(password) else { throw AccountRefusal.passwordLength }
        let draft = AccountDraft(
            environment: environment, email: address,
            passwordHash: try await vault.hash(password: password), storefront: storefront)
        return try await shop.write { work in
            if let known = try work.accounts.account(email: address, in: environment) {
                let isDeleted = try work.testers.status(of: known.id) == .deleted
                throw isDeleted
                    ? AccountRefusal.emailOfDeletedTester(address) : .emailTaken(address)
            }
            return try work.accounts.insert(draft, at: work.now)
        }
    }

    /// The account that an address and a password belong to. A tester who signs in to the
    /// production store, and has agreed to it, becomes a customer, and tests no longer.
    ///
    /// - Parameters:
    ///   - client: the address that the request comes from, where it is known.
    ///   - mayConvert: whether a tester has agreed to become a customer for good.
    /// - Throws: `AccountRefusal.signInWrong`, whichever of the two is wrong, or
    ///   `AccountRefusal.signInDelayed` after too many wrong ones, or
    ///   `AccountRefusal.testerConverted` where both are right and the sandbox is signed in to.
    ///   `AccountRefusal.wouldConvert` where a tester is right and may not become a customer yet.
    ///   `PasswordsBusy` where too many wait to sign in.
    package func authenticate(
        email: String, password: String, environment: StoreEnvironment, client: String? = nil,
        mayConvert: Bool = false
    ) async throws -> Account {
        let address = EmailAddress.normalized(email)
        let known = try await shop.read { work in
            try SignInCandidate.find(address, in: environment, work)
        }
        let isRight: Bool
        do {
            isRight = try await throttle.attempt(
                account: "\(environment.rawValue) \(address)", address: client
            ) {
                let isRight = try await vault.verify(
                    password: password, against: known?.account.passwordHash ?? decoyHash)
                return isRight && known != nil
            }
        } catch let delay as SignInDelay {
            throw AccountRefusal.signInDelayed(delay)
        }
        guard let known, isRight else { throw AccountRefusal.signInWrong }
        // Said to nobody who doesn't know the password.
        guard known.status == .active else {
            throw AccountRefusal.testerConverted(known.account.email)
        }
        guard known.becomesCustomer else { return known.account }
        guard mayConvert else { throw AccountRefusal.wouldConvert(known.account.email) }
        guard let customer = try await convert(known.account) else {
            throw AccountRefusal.signInWrong
        }
        return customer
    }

    /// Starts a session. A tester is refused by the production store: only a page asks whether to
    /// become a customer.
    ///
    /// - Parameter client: the address that the request comes from, where it is known.
    /// - Throws: as `authenticate`.
    package func signIn(
        email: String, password: String, environment: StoreEnvironment, client: String? = nil
    ) async throws -> (account: Account, token: String, end: Date) {
        let known = try await authenticate(
            email: email, password: password, environment: environment, client: client)
        let token = try vault.makeToken()
        let digest = vault.digest(of: token)
        let start = shop.clock.now()
        let end = start.addingTimeInterval(Self.sessionDuration)
        try await shop.write { work in
            // Deleted, or with another password, since the password was looked at.
            guard try work.testers.status(of: known.id) == .active,
                try work.accounts.hasSamePassword(known)
            else { throw AccountRefusal.signInWrong }
            try work.accounts.insertSession(
                tokenDigest: digest, account: known.id, start: start, end: end)
        }
        return (known, token, end)
    }

    /// The session of a token; nil where it is unknown, ended, or of the other environment.
    package func session(token: String, environment: StoreEnvironment) async throws -> Session? {
        let digest = vault.digest(of: token)
        let session = try await shop.read { work in
            try work.accounts.session(tokenDigest: digest, at: work.now)
        }
        return session?.account.environment == environment ? session : nil
    }

    package func signOut(token: String) async throws {
        let digest = vault.digest(of: token)
        try await shop.write { work in
            try work.accounts.deleteSession(tokenDigest: digest)
        }
    }

    /// The account with an address.
    ///
    /// - Throws: `AccountRefusal.unknown`.
    package func account(email: String, environment: StoreEnvironment) async throws -> Account {
        let address = EmailAddress.normalized(email)
        return try await shop.read { work in
            guard
                let account = try work.accounts.account(email: address, in: environment)
            else { throw AccountRefusal.unknown(address, environment) }
            return account
        }
    }

    /// Changes how an account buys.
    ///
    /// - Throws: `AccountRefusal` for a guardian that can't be one.
    package func change(
        _ account: AccountID, _ change: @escaping @Sendable (inout AccountSettings) -> Void
    ) async throws -> AccountSettings {
        try await shop.write { work in
            var settings = try work.accounts.settings(of: account)
            change(&settings)
            if let guardian = settings.guardian {
                let ward = try work.accounts.account(account)
                guard guardian != account else {
                    throw AccountRefusal.guardianOfItself(ward?.email ?? "")
                }
                let environment = ward?.environment ?? .sandbox
                guard try work.accounts.account(guardian)?.environment == environment
                else { throw AccountRefusal.guardianElsewhere(environment) }
            }
            try work.accounts.set(settings, of: account)
            return settings
        }
    }

    package func settings(of account: AccountID) async throws -> AccountSettings {
        try await shop.read { try $0.accounts.settings(of: account) }
    }
}
