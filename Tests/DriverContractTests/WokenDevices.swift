import StoreCore
import StoreModel
import Synchronization

/// Remembers whose devices a database has woken.
final class WokenDevices: Sendable {
    private let accounts = Mutex<[Set<AccountID>]>([])

    func note(_ woken: Set<AccountID>) { accounts.withLock { $0.append(woken) } }

    /// What was woken since the last call, one set for each transaction.
    func taken() -> [Set<AccountID>] {
        accounts.withLock { accounts in
            defer { accounts = [] }
            return accounts
        }
    }
}
