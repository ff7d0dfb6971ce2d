import StoreModel
import StoreWire

/// What the store has signed for one account in this app, kept in the journal so that it can be
/// read without a network.
struct AccountHistory: Sendable, Hashable {
    /// The revision that the next request for changes starts from; `nil` before the first request.
    var revision: String?
    /// What the sandbox clock shows that the account follows, milliseconds since 1970; `nil` for the
    /// device's time.
    var time: Int64?
    /// Signed transactions.
    var transactions: [TransactionID: String] = [:]
    /// Transactions that have changed in the store and that no loop over `Transaction.updates` has
    /// received yet.
    var untold: Set<TransactionID> = []
    var subscriptions: [DeviceSubscriptionsAnswer.Group] = []
    /// The signed app transaction.
    var appTransaction: String?
    /// The age in years that the app is rated for, as the store said it with the app transaction.
    var ageRatingCode: Int?

    mutating func apply(_ change: HistoryChange) {
        if change.startsOver == true { transactions = [:] }
        for signed in change.transactions ?? [] { transactions[signed.id] = signed.text }
        for id in change.forgotten ?? [] { transactions[id] = nil }
        if let revision = change.revision { (self.revision, time) = (revision, change.time) }
        untold.formUnion(change.untold ?? [])
        untold.subtract(change.told ?? [])
        if let subscriptions = change.subscriptions { self.subscriptions = subscriptions }
        if let appTransaction = change.appTransaction {
            self.appTransaction = appTransaction
            ageRatingCode = change.ageRatingCode
        }
    }

    /// Changes that rebuild this history from an empty one. Each has few transactions, so that one
    /// damaged line of the journal loses little.
    func changes(of account: String) -> [HistoryChange] {
        let signed = transactions.map { HistoryChange.Signed(id: $0.key, text: $0.value) }
            .sorted { $0.id < $1.id }
        var changes = stride(from: 0, to: signed.count, by: Self.transactionsInChange).map {
            start in
            HistoryChange(
                account: account,
                transactions: Array(signed[start...].prefix(Self.transactionsInChange)))
        }
        var rest = HistoryChange(account: account, revision: revision, time: time)
        rest.untold = untold.isEmpty ? nil : untold.sorted()
        rest.subscriptions = subscriptions.isEmpty ? nil : subscriptions
        rest.appTransaction = appTransaction
        rest.ageRatingCode = ageRatingCode
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
    /// Whether the transactions known until now are discarded. Earlier versions wrote it.
    var startsOver: Bool?
    var revision: String?
    /// Read only if `revision` is not `nil`.
    var time: Int64?
    var transactions: [Signed]?
    /// Transactions that the store has lost.
    var forgotten: [TransactionID]?
    var untold: [TransactionID]?
    var told: [TransactionID]?
    var subscriptions: [DeviceSubscriptionsAnswer.Group]?
    var appTransaction: String?
    /// Read only if `appTransaction` is not `nil`.
    var ageRatingCode: Int?
}
