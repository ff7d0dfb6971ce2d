import Foundation
import StoreCore
import StoreModel
import Synchronization

/// The accounts of sessions as last read, for a few seconds.
///
/// Every request of a device carries the same token. Signing out forgets it at once; what
/// another process ends is noticed after `lifetime`.
final class SessionCache: Sendable {
    /// How long a session is good without asking the database again.
    static let lifetime: TimeInterval = 5
    /// Some ten megabytes, with what a table needs that grows; then all are read again.
    private static let capacity = 24_576

    private struct Key: Hashable {
        let token: String
        let environment: StoreEnvironment
    }

    private struct Kept {
        let account: Account
        let end: Date
    }

    private let accounts: AccountService
    private let clock: any StoreClock
    private let kept = Mutex<[Key: Kept]>([:])

    init(accounts: AccountService, clock: any StoreClock) {
        self.accounts = accounts
        self.clock = clock
    }

    /// The account of a session; nil where the token is unknown, ended, or of the other
    /// environment.
    func account(token: String, environment: StoreEnvironment) async throws -> Account? {
        let key = Key(token: token, environment: environment)
        let now = clock.now()
        if let known = kept.withLock({ $0[key] }), known.end > now { return known.account }
        let session = try await accounts.session(token: token, environment: environment)
        kept.withLock { kept in
            if kept.count >= Self.capacity { kept.removeAll() }
            kept[key] = session.map { session in
                Kept(account: session.account, end: min(session.end, now + Self.lifetime))
            }
        }
        return session?.account
    }

    func forget(_ token: String) {
        kept.withLock { kept in
            for environment in StoreEnvironment.allCases {
                kept[Key(token: token, environment: environment)] = nil
            }
        }
    }
}
