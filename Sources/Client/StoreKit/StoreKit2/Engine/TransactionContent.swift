import StoreModel

extension Transaction {
    /// The number as the store writes it; nil if it can't be one of the store's.
    var storeID: TransactionID? { TransactionID(id.description) }
}

/// What two versions of a transaction are compared by. The store may sign again what has not
/// changed: signature and signing date always differ.
struct TransactionContent: Hashable {
    let id: UInt64
    let revocationDate: Date?
    let expirationDate: Date?
    let isUpgraded: Bool

    init(_ transaction: Transaction) {
        id = transaction.id
        revocationDate = transaction.revocationDate
        expirationDate = transaction.expirationDate
        isUpgraded = transaction.isUpgraded
    }
}
