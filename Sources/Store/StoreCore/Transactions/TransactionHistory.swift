import Foundation
import StoreDatabase
import StoreModel

/// An account's purchases in an app, as a server asks for them.
package struct HistoryQuery: Sendable, Hashable {
    package enum Order: String, Sendable, Hashable {
        case ascending = "ASCENDING"
        case descending = "DESCENDING"
    }

    package var start: Date?
    package var end: Date?
    /// Empty for all.
    package var products: [String] = []
    package var types: [ProductType] = []
    package var groups: [String] = []
    package var isShared: Bool?
    package var isRevoked: Bool?
    package var order: Order = .ascending

    package init() {}

    package func includes(_ record: TransactionRecord) -> Bool {
        let details = record.entry.details
        if let start, details.date < start { return false }
        if let end, details.date >= end { return false }
        if !products.isEmpty, !products.contains(details.productID.text) { return false }
        if !types.isEmpty, !types.contains(details.productType) { return false }
        if !groups.isEmpty {
            guard let group = record.group, groups.contains(group) else { return false }
        }
        if let isShared, isShared != (record.shared != nil) { return false }
        if let isRevoked, isRevoked != (record.facts.revocation != nil) { return false }
        return true
    }
}

/// How far an account's history has come: grows with every change of a transaction.
package struct HistoryRevision: Sendable, Hashable, Comparable {
    package let number: Int64

    package init(number: Int64) {
        self.number = number
    }

    package static func < (left: Self, right: Self) -> Bool { left.number < right.number }
}

extension HistoryRevision: NumberColumnValue {}

/// A page of an account's history.
package struct HistoryPage: Sendable, Hashable {
    package let records: [TransactionRecord]
    /// What the next page begins behind.
    package let revision: HistoryRevision
    /// Whether there is more now.
    package let hasMore: Bool
}

/// How far a device has read its account's history.
package struct DeviceHistoryCursor: Sendable, Hashable {
    package let revision: HistoryRevision
    /// The last transaction that was cleared away then; nil for none. After another clearing the
    /// device begins again, for nothing tells it what is gone.
    package let cleared: TransactionID?
    /// The mark of the last time by then that the database had gone back to an earlier state. After
    /// another time the device begins again: it may have noted purchases that are lost.
    package let restoration: Int64

    package init(revision: HistoryRevision, cleared: TransactionID?, restoration: Int64) {
        self.revision = revision
        self.cleared = cleared
        self.restoration = restoration
    }
}

/// A page of an account's history, for a device.
package struct DeviceHistoryPage: Sendable, Hashable {
    package let records: [TransactionRecord]
    /// What the next page begins behind.
    package let cursor: DeviceHistoryCursor
    /// Whether there is more now.
    package let hasMore: Bool
    /// Whether it is the first page although another one was asked for.
    package let startsOver: Bool
}

/// Whose history it is.
package struct HistorySubject: Sendable, Hashable {
    package let account: AccountID
    package let app: AppID

    package init(account: AccountID, app: AppID) {
        self.account = account
        self.app = app
    }
}
