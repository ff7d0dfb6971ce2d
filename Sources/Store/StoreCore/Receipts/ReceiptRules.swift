import StoreModel

/// Which transactions receipts show.
package enum ReceiptRules {
    /// As many transactions as a receipt shows, and an answer about one: the newest. What is older
    /// is restored, and stands in the history that servers read in pages.
    package static let limit = 3_000

    /// What was bought for good stays for ever, under its first transaction, and so does each
    /// period of a subscription. Consumables stay until the app is done with them.
    ///
    /// A transaction that repeats or restores a purchase stands in the purchase's place until the
    /// app is done with it: a server of the app's may look for it while it unlocks what was bought.
    /// Of several the oldest does, which the app comes to first. An order of a lesser product of a
    /// subscription that runs does not: until the next period the customer has what was paid for.
    ///
    /// - Parameters:
    ///   - records: everything that the account has in the app, oldest first.
    ///   - unfinished: what the device of the receipt has yet to finish, oldest first; the
    ///     unfinished transactions of another device are for that one.
    package static func items(
        _ records: [TransactionRecord], unfinished: [TransactionRecord]
    ) -> [TransactionRecord] {
        // What is taken back together is one purchase.
        var shown: Set<TransactionID> = []
        let standing = unfinished.filter { !isChangeOfProduct($0, records) }
        let items = (standing + records.filter(staysForGood))
            .filter { shown.insert($0.entry.revocable).inserted }
        return Array(items.sorted { $0.id.number < $1.id.number }.suffix(limit))
    }

    /// Whether a transaction stands for a subscription's period of another product.
    private static func isChangeOfProduct(
        _ record: TransactionRecord, _ records: [TransactionRecord]
    ) -> Bool {
        guard let period = record.entry.period,
            let paid = records.first(where: { $0.id == period })
        else { return false }
        return paid.entry.details.productID != record.entry.details.productID
    }

    /// What a publisher's server hears of an account: what stays, and consumables that no device
    /// has finished.
    ///
    /// - Parameter records: everything that the account has in the app, without consumables that
    ///   were finished.
    package static func latest(_ records: [TransactionRecord]) -> [TransactionRecord] {
        records.filter { staysForGood($0) || $0.entry.details.productType == .consumable }
    }

    /// Of each subscription only the last transaction, for servers that want no older ones.
    ///
    /// - Parameter records: newest first.
    package static func withoutOld(_ records: [TransactionRecord]) -> [TransactionRecord] {
        var seen: Set<TransactionID> = []
        return records.filter { record in
            record.group == nil || seen.insert(record.entry.original.id).inserted
        }
    }

    private static func staysForGood(_ record: TransactionRecord) -> Bool {
        switch record.entry.details.productType {
        case .consumable: false
        case .nonConsumable, .nonRenewingSubscription: record.entry.details.original == nil
        case .autoRenewableSubscription: record.isPaidPeriod
        }
    }
}
