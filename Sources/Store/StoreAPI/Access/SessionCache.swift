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
    private struct State {
        var kept: [Key: Kept] = [:]
        /// How often something was forgotten: what was read before may have ended since.
        var forgotten = 0
    }

    private let state = Mutex(State())

    init(accounts: AccountService, clock: any StoreClock) {
        self.accounts = accounts
        self.clock = clock
    }

    /// The account of a session; nil where the token is unknown, ended, or of the other
    /// environment.
    func account(token: String, environment: StoreEnvironment) async throws -> Account? {
        let key = Key(token: token, environment: environment)
        let now = clock.now()
        let (known, forgotten) = state.withLock { ($0.kept[key], $0.forgotten) }
        if let known, known.end > now { return known.account }
        let session = try await accounts.session(token: token, environment: environment)
        state.withLock { state in
            guard state.forgotten == forgotten else { return }
            if state.kept.count >= Self.capacity { state.kept.removeAll() }
            state.kept[key] = session.map { session in
                Kept(account: session.account, end: min(session.end, now + Self.lifetime))
            }
        }
        return session?.account
    }

    func forget(_ token: String) {
        state.withLock { state in
            state.forgotten += 1
            for environment in StoreEnvironment.allCases {
                state.kept[Key(token: token, environment: environment)] = nil
            }
        }
    }
}
