import Foundation
import StoreModel

/// Lets an operator help people who have lost their password.
package struct PasswordResetService: Sendable {
    private static let tokenLimit = 128

    let shop: Shop
    let vault: any CredentialVault
    let throttle: SignInThrottle

    /// Makes a link, which takes the place of an earlier one of the same password.
    ///
    /// - Parameter environment: of the account of a customer or a tester; nil for somebody who uses
    ///   Connect.
    /// - Throws: `ConnectRefusal`.
    package func issue(
        email: String, in environment: StoreEnvironment?, by actor: ConnectActor
    ) async throws -> IssuedPasswordReset {
        try actor.require(.operate)
        let address = EmailAddress.normalized(email)
        let token = try vault.makeToken()
        let digest = vault.digest(of: token)
        return try await shop.write(as: actor) { work in
            let end = work.now.addingTimeInterval(PasswordReset.duration)
            let owner = try Self.owner(address, in: environment, work)
            let resets = work.passwordResets
            try resets.deleteUnused(of: owner)
            try resets.delete(
                endedBefore: work.now.addingTimeInterval(-PasswordReset.retention))
            try resets.insert(
                PasswordReset(tokenDigest: digest, owner: owner, created: work.now, end: end))
            try work.note(
                "password.makeLink", on: address, of: nil, after: environment?.word ?? "Connect")
            return IssuedPasswordReset(email: address, end: end, token: token)
        }
    }

    /// Whose password a link sets.
    ///
    /// - Parameter address: where the request comes from: links that there are not count as wrong
    ///   passwords do.
    /// - Returns: the email address.
    /// - Throws: `ConnectRefusal` where the link does not work, or no longer.
    package func email(token: String, address: String?) async throws -> String {
        try await subject(token, address).email
    }

    /// Sets the password, and ends all sessions of its owner; the link works no longer.
    ///
    /// - Returns: whose it is.
    /// - Throws: `ConnectRefusal`; nothing has changed then.
    package func set(
        _ password: String, token: String, address: String?
    ) async throws -> PasswordOwner {
        let (owner, email) = try await subject(token, address)
        switch owner {
        case .person: try PersonRules.check(password: password, email: email)
        case .account:
            guard CustomerPassword.isPermitted(password) else {
                throw ConnectRefusal(
                    .invalid, rule: "passwordLength", field: "password", CustomerPassword.rule,
                    help: "A few words are easier to remember than many symbols.")
            }
        }
        let hash = try await vault.hash(password: password)
        let digest = vault.digest(of: token)
        try await shop.write { work in
            // Somebody may have used it in between.
            _ = try Self.open(digest, work)
            try work.passwordResets.recordUse(of: digest, at: work.now)
            switch owner {
            case .person(let id):
                guard var person = try work.people.person(id) else { throw Self.unknown }
                person.passwordHash = hash
                try work.people.update(person)
                try work.connectSessions.deleteAll(of: id, except: nil)
            case .account(let id):
                try work.accounts.setPasswordHash(hash, of: id)
                try work.accounts.deleteSessions(of: id)
            }
            try work.note("password.setByLink", on: email, of: nil)
        }
        return owner
    }

    // MARK: Pieces

    private func subject(
        _ token: String, _ address: String?
    ) async throws -> (owner: PasswordOwner, email: String) {
        guard token.utf8.count <= Self.tokenLimit else { throw Self.unknown }
        let digest = vault.digest(of: token)
        let isKnown: Bool
        do {
            isKnown = try await throttle.attempt(
                account: "password link \(token)", address: address
            ) {
                try await shop.read {
                    try $0.passwordResets.reset(tokenDigest: digest) != nil
                }
            }
        } catch let delay as SignInDelay {
            throw ConnectRefusal(
                .tooMany, rule: "signInDelayed", "There were too many wrong links.",
                help: "Try again in "
                    + (delay.minutes == 1 ? "a minute." : "\(delay.minutes) minutes."))
        }
        guard isKnown else { throw Self.unknown }
        return try await shop.read { try Self.open(digest, $0) }
    }

    private static func open(
        _ digest: Data, _ work: UnitOfWork
    ) throws -> (owner: PasswordOwner, email: String) {
        guard let reset = try work.passwordResets.reset(tokenDigest: digest) else {
            throw unknown
        }
        switch reset.state(at: work.now) {
        case .open: break
        case .used: throw refusal("This link was used already.")
        case .expired: throw refusal("This link has expired: it worked for an hour.")
        }
        switch reset.owner {
        case .person(let id):
            guard let person = try work.people.person(id), person.disabled == nil else {
                throw unknown
            }
            return (reset.owner, person.email)
        case .account(let id):
            guard let account = try work.accounts.account(id),
                try isInUse(account, work)
            else { throw unknown }
            return (reset.owner, account.email)
        }
    }

    private static func owner(
        _ address: String, in environment: StoreEnvironment?,
        _ repositories: StoreRepositories
    ) throws -> PasswordOwner {
        guard let environment else {
            guard let person = try repositories.people.person(email: address),
                person.disabled == nil
            else { throw missing(address, "to Connect") }
            return .person(person.id)
        }
        guard let account = try repositories.accounts.account(email: address, in: environment),
            try isInUse(account, repositories)
        else { throw missing(address, "to \(environment.nameInSentence)") }
        return .account(account.id)
    }

    /// Whether somebody can sign in to it: testers are deleted, and become customers.
    private static func isInUse(
        _ account: Account, _ repositories: StoreRepositories
    ) throws -> Bool {
        try account.environment == .production
            || repositories.testers.status(of: account.id) == .active
    }

    private static func missing(_ address: String, _ place: String) -> ConnectRefusal {
        ConnectRefusal(
            .invalid, rule: "emailUnknown", field: "email",
            "Nobody signs in \(place) as \(quoted(address)).",
            help: "Check the address, and where it is used.")
    }

    private static let unknown = refusal("This link does not work.")

    private static func refusal(_ problem: String) -> ConnectRefusal {
        ConnectRefusal(
            .notFound, rule: "passwordLink", problem,
            help: "Ask the store's operator for another one.")
    }
}
