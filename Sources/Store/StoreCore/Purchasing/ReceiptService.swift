import Foundation
import StoreModel

/// What goes into an app receipt.
package struct ReceiptContents: Sendable, Hashable {
    package let app: App
    package let environment: StoreEnvironment
    package let creationDate: Date
    package let purchases: [ReceiptItem]
}

/// A transaction of a receipt.
package struct ReceiptItem: Sendable, Hashable {
    package let entry: LedgerEntry
    /// When the purchase was taken back; nil where it was not.
    package var cancellationDate: Date?

    package init(entry: LedgerEntry, cancellationDate: Date? = nil) {
        self.entry = entry
        self.cancellationDate = cancellationDate
    }
}

/// Which transactions a receipt shows.
package enum ReceiptRules {
    /// What was bought for good stays for ever, under its first transaction. Everything else
    /// stays until the app is done with it: consumables, and the transactions that repeat or
    /// restore a purchase, which a server of the app's may look for while it unlocks them.
    ///
    /// - Parameters:
    ///   - entries: everything of the account in the app, oldest first.
    ///   - unfinished: what the device of the receipt has yet to finish; the unfinished
    ///     transactions of another device are for that one.
    ///   - revocations: what was taken back, and when.
    package static func items(
        _ entries: [LedgerEntry], unfinished: Set<TransactionID>,
        revocations: [TransactionID: Date]
    ) -> [ReceiptItem] {
        entries.filter { entry in
            let staysForGood =
                switch entry.details.productType {
                case .consumable: false
                case .nonConsumable, .nonRenewingSubscription: entry.details.original == nil
                case .autoRenewableSubscription: entry.details.kind == .purchase
                }
            return staysForGood || unfinished.contains(entry.id)
        }.map { ReceiptItem(entry: $0, cancellationDate: revocations[$0.original.id]) }
    }
}

/// Gathers what receipts show.
package struct ReceiptService: Sendable {
    private let database: any StoreDatabase
    private let clock: any StoreClock

    package init(database: any StoreDatabase, clock: any StoreClock) {
        self.database = database
        self.clock = clock
    }

    /// The contents of the receipt of an account's app on a device.
    package func contents(
        for account: Account, in app: App, device: String
    ) async throws -> ReceiptContents {
        let now = clock.now()
        let items = try await database.read { repositories in
            let ledger = repositories.ledger
            let unfinished = try ledger.unfinished(
                account: account.id, app: app.id, device: device)
            let revocations = try ledger.revocations(account: account.id, app: app.id)
            return ReceiptRules.items(
                try ledger.entries(account: account.id, app: app.id),
                unfinished: Set(unfinished.map(\.id)),
                revocations: Dictionary(
                    uniqueKeysWithValues: revocations.map { ($0.transaction, $0.date) }))
        }
        return ReceiptContents(
            app: app, environment: account.environment, creationDate: now, purchases: items)
    }
}
