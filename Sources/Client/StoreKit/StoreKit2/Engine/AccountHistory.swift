import StoreModel
import StoreWire

/// What the store has signed for one account in this app, kept in the journal so that it can be
/// read without a network.
struct AccountHistory: Sendable, Hashable {
    /// What the next request for changes begins after; nil before the first.
    var revision: String?
    /// Signed transactions.
    var transactions: [TransactionID: String] = [:]
    /// Transactions that have changed in the store, and that no loop over `Transaction.updates` has
    /// taken yet.
    var untold: Set<TransactionID> = []
    var subscriptions: [DeviceSubscriptionsAnswer.Group] = []
    /// The signed app transaction.
    var appTransaction: String?

    mutating func apply(_ change: HistoryChange) {
        if change.startsOver == true { transactions = [:] }
        for signed in change.transactions ?? [] { transactions[signed.id] = signed.text }
        for id in change.forgotten ?? [] { transactions[id] = nil }
        if let revision = change.revision { self.revision = revision }
        untold.formUnion(change.untold ?? [])
        untold.subtract(change.told ?? [])
        if let subscriptions = change.subscriptions { self.subscriptions = subscriptions }
        if let appTransaction = change.appTransaction { self.appTransaction = appTransaction }
    }

    /// Changes that make this history of an empty one, few transactions in each, so that one
    /// damaged line loses little.
    func changes(of account: String) -> [HistoryChange] {
        let signed = transactions.map { HistoryChange.Signed(id: $0.key, text: $0.value) }
            .sorted { $0.id < $1.id }
        var changes = stride(from: 0, to: signed.count, by: Self.transactionsInChange).map {
            start in
            HistoryChange(
                account: account,
                transactions: Array(signed[start...].prefix(Self.transactionsInChange)))
        }
        var rest = HistoryChange(account: account, revision: revision)
        rest.untold = untold.isEmpty ? nil : untold.sorted()
        rest.subscriptions = subscriptions.isEmpty ? nil : subscriptions
        rest.appTransaction = appTransaction
        changes.append(rest)
        return changes
    }

    private static let transactionsInChange = 20
}

/// One step of an account's history.
struct HistoryChange: Codable, Sendable, Hashable {
    struct Signed: Codable, Sendable, Hashable {
        var id: TransactionID
        var text: String
    }

    var account: String
    /// Whether the transactions from before are forgotten.
    var startsOver: Bool?
    var revision: String?
    var transactions: [Signed]?
    /// Transactions that the store has lost.
    var forgotten: [TransactionID]?
    var untold: [TransactionID]?
    var told: [TransactionID]?
    var subscriptions: [DeviceSubscriptionsAnswer.Group]?
    var appTransaction: String?
}
