import StoreModel

/// The accounts whose devices look again as soon as a transaction is on disk.
final class WokenAccounts {
    // One transaction's, on its thread.
    private(set) var accounts: Set<AccountID> = []

    func insert(_ account: AccountID) { accounts.insert(account) }
}
