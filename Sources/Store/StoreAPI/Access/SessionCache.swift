import Foundation
import StoreCore
import StoreKernel
import StoreModel

/// The accounts of sessions as last read, for a few seconds.
///
/// Every request of a device carries the same token. Signing out forgets it at once; what
/// another process ends is noticed after `lifetime`.
final class SessionCache: Sendable {
    /// How long a session is good without asking the database again.
    static let lifetime: TimeInterval = 5
    /// Some ten megabytes.
    private static let limit = 24_576

    private struct Key: Hashable {
        let token: String
        let environment: StoreEnvironment
    }

    private let accounts: AccountService
    private let sessions: Cache<Key, Session>

    init(accounts: AccountService, clock: any StoreClock) {
        self.accounts = accounts
        sessions = Cache(
            limit: Self.limit, now: clock.now, end: { min($0.end, $1 + Self.lifetime) })
    }

    /// The account of a session; nil where the token is unknown, ended, or of the other
    /// environment.
    func account(token: String, environment: StoreEnvironment) async throws -> Account? {
        try await sessions.valueIfAny(for: Key(token: token, environment: environment)) {
            try await accounts.session(token: token, environment: environment)
        }?.account
    }

    /// Also what is being read now is not kept: the session may have ended since.
    func forget(_ token: String) {
        for environment in StoreEnvironment.allCases {
            sessions.removeValue(for: Key(token: token, environment: environment))
        }
    }
}
