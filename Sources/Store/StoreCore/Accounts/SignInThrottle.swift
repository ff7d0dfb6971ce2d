import Foundation

/// Against brute force: slows down whoever tries passwords. It counts wrong passwords for each account and
/// each address, in the database, so that all processes see the counts and a restart keeps them.
///
/// An account that isn't there is counted like one that is.
package struct SignInThrottle: Sendable {
    private let shop: Shop
    private let vault: any CredentialVault

    package init(database: any ShopDatabase, vault: any CredentialVault, clock: any StoreClock) {
        shop = Shop(database: database, clock: clock)
        self.vault = vault
    }

    /// Looks at a password, unless there were too many wrong ones.
    ///
    /// The try counts as a failure before the password is looked at, so that many at once are
    /// not more; it is taken back where the password was right.
    ///
    /// - Parameters:
    ///   - account: what is signed in to, unmistakably, for example `connect ada@example.com`.
    ///   - address: where the request comes from; nil counts by account only.
    ///   - forgetsFailures: whether the account's earlier failures are forgotten where the password
    ///     was right: not where the account has more than one secret that is right.
    ///   - isRight: whether the password is right.
    /// - Returns: whether it is.
    /// - Throws: `SignInDelay` where nothing is looked at, and what `isRight` throws; such a
    ///   try does not count.
    package func attempt(
        account: String, address: String?, forgetsFailures: Bool = true,
        isRight: () async throws -> Bool
    ) async throws -> Bool {
        let now = shop.clock.now()
        let subjects = subjects(account: account, address: address)
        let delay = try await shop.write { work -> Date? in
            let signIns = work.signIns
            let ends = try subjects.compactMap {
                $0.rules.end(of: try signIns.record(of: $0.digest), at: now)
            }
            if let end = ends.max() { return end }
            try signIns.forgetAll(before: now.addingTimeInterval(-SignInRules.memory))
            for subject in subjects {
                let known = try signIns.record(of: subject.digest)
                try signIns.set(subject.rules.adding(to: known, at: now), of: subject.digest)
            }
            return nil
        }
        if let delay { throw SignInDelay(end: delay, now: now) }
        do {
            guard try await isRight() else { return false }
        } catch {
            try await takeBack(subjects, forgettingAccount: false)
            throw error
        }
        try await takeBack(subjects, forgettingAccount: forgetsFailures)
        return true
    }

    /// - Parameter forgettingAccount: whether the account's earlier failures are forgotten as
    ///   well: the password was right.
    private func takeBack(_ subjects: [Subject], forgettingAccount: Bool) async throws {
        try await shop.write { work in
            for subject in subjects {
                let known = try work.signIns.record(of: subject.digest)
                let isForgotten = subject.isAccount && forgettingAccount
                let left = isForgotten ? nil : subject.rules.removing(from: known)
                if let left {
                    try work.signIns.set(left, of: subject.digest)
                } else {
                    try work.signIns.forget(subject.digest)
                }
            }
        }
    }

    private struct Subject: Sendable {
        let digest: Data
        let rules: SignInRules
        let isAccount: Bool
    }

    private func subjects(account: String, address: String?) -> [Subject] {
        var subjects = [
            Subject(
                digest: vault.digest(of: "sign-in account\n\(account)"), rules: .account,
                isAccount: true)
        ]
        if let address {
            subjects.append(
                Subject(
                    digest: vault.digest(of: "sign-in address\n\(address)"), rules: .address,
                    isAccount: false))
        }
        return subjects
    }
}

/// Nothing is looked at for a while.
package struct SignInDelay: Error, Sendable, Hashable, CustomStringConvertible {
    package let end: Date
    /// Whole minutes until then, at least 1.
    package let minutes: Int

    package init(end: Date, now: Date) {
        self.end = end
        self.minutes = max(1, Int((end.timeIntervalSince(now) / 60).rounded(.up)))
    }

    package var description: String {
        "There were too many wrong passwords; try again in "
            + (minutes == 1 ? "a minute." : "\(minutes) minutes.")
    }
}
