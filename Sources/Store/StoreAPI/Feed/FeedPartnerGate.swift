import Foundation
import StoreCore
import StoreKernel

/// Recognizes partners of the feed by user name and password.
///
/// A password that was right is remembered for a while as a digest, so that a download in many
/// ranges isn't a slow hash for each. Who is active, and which password is the one, is looked
/// up each time.
package final class FeedPartnerGate: Sendable {
    /// How long a password is remembered, seconds.
    package static let memory: TimeInterval = 300
    /// The last use is written down so often at most, seconds.
    static let useInterval: TimeInterval = 3600

    private let database: any ShopDatabase
    private let vault: any CredentialVault
    private let clock: any StoreClock
    private let throttle: SignInThrottle
    /// Compared with where a user name is unknown, so that it takes as long as for a known one.
    private let decoyHash: String
    /// The hashes that passwords were right for.
    private let known: Cache<Data, String>

    package init(
        database: any ShopDatabase, vault: any CredentialVault, clock: any StoreClock
    ) throws {
        self.database = database
        self.vault = vault
        self.clock = clock
        self.known = Cache(limit: 256, lifetime: Self.memory, now: clock.now)
        self.throttle = SignInThrottle(database: database, vault: vault, clock: clock)
        self.decoyHash = try vault.makeDecoyHash()
    }

    /// The active partner that a user name and a password belong to; nil where either is wrong.
    ///
    /// - Parameter address: where the request comes from; nil where that is not known.
    /// - Throws: `SignInDelay` after too many wrong ones, `PasswordsBusy` where too many wait.
    package func partner(
        userName: String, password: String, address: String?
    ) async throws -> FeedPartner? {
        // What is longer is nobody's, and not worth its hash.
        guard userName.utf8.count <= 64, password.utf8.count <= 256 else { return nil }
        let found = try await database.read { try $0.feedPartners.partner(userName: userName) }
        let credential = vault.digest(of: "feed partner\n\(userName)\n\(password)")
        let now = clock.now()
        if let found, known.value(for: credential) == found.passwordHash {
            return try await admitted(found, at: now)
        }
        let isRight = try await throttle.attempt(
            account: "feed partner \(userName)", address: address
        ) {
            let isRight = try await vault.verify(
                password: password, against: found?.passwordHash ?? decoyHash)
            return isRight && found?.isActive == true
        }
        guard let found, isRight else { return nil }
        known.insert(found.passwordHash, for: credential)
        return try await admitted(found, at: now)
    }

    private func admitted(_ partner: FeedPartner, at now: Date) async throws -> FeedPartner? {
        guard partner.isActive else { return nil }
        if let lastUse = partner.lastUse, now < lastUse.addingTimeInterval(Self.useInterval) {
            return partner
        }
        return try await database.write { repositories in
            guard var current = try repositories.feedPartners.find(partner.id),
                current.isActive, current.passwordHash == partner.passwordHash
            else { return nil }
            current.lastUse = now
            try repositories.feedPartners.update(current)
            return current
        }
    }
}
