import Foundation
import StoreDatabase
import StoreModel

/// The number of an app transaction: that an account has an app.
package typealias AppTransactionID = ID<AppTransaction>

/// That an account has an app.
package struct AppTransaction: Sendable, Hashable {
    package let id: AppTransactionID
    package let account: AccountID
    package let environment: StoreEnvironment
    package let app: AppID
    /// When the account had the app first, as far as the store knows.
    package let date: Date
}

extension AppTransaction: Record {
    package static let table: StaticString = "app_transaction"

    package init(_ column: borrowing RecordColumns<Self>) throws {
        id = try column("id", \.id, .key)
        account = try column("account", \.account)
        environment = try column("environment", \.environment)
        app = try column("app", \.app)
        date = try column("date", \.date)
    }
}

/// Why a period of a subscription was charged, as signed transactions say it.
package enum TransactionReason: String, Sendable, Hashable, Codable, CaseIterable {
    case purchase = "PURCHASE"
    case renewal = "RENEWAL"
}

extension TransactionReason: TextColumnValue {}

/// What is true of a transaction today and may be otherwise tomorrow.
package struct TransactionFacts: Sendable, Hashable, Codable {
    /// When the period ends that was paid for; nil for what is no subscription.
    package var expiration: Date?
    /// Whether the customer went on to a better product before the period's end.
    package var isUpgraded = false
    /// When the customer went on to the better product. Nil also in notifications that were written by
    /// older versions.
    package var upgradeDate: Date?
    /// What the customer got back for the upgrade; nil for nothing.
    package var upgradeRefund: UpgradeRefund?
    /// The token by which the publisher's server knows the customer; a UUID in small letters.
    package var accountToken: String?
    package var revocation: Revocation?

    /// The refund of the unused part of a period, given when the customer upgraded.
    package struct UpgradeRefund: Sendable, Hashable, Codable {
        package let date: Date
        /// In thousandths of a per cent of what was charged.
        package let percentage: Int
    }
}

/// A fact of the ledger with everything that a signed transaction says about it.
package struct TransactionRecord: Sendable, Hashable {
    package let entry: LedgerEntry
    package let appTransaction: AppTransactionID
    /// The group of its subscription; nil for what is none.
    package let group: String?
    package let reason: TransactionReason
    /// What the family's member bought that this one came from; nil for what the account bought.
    package let shared: TransactionID?
    /// False for an order that changed a subscription, or repeated it, and began no period.
    package let isPaidPeriod: Bool
    /// The offer that its period was charged by.
    package let offer: AppliedOffer?
    package var facts: TransactionFacts

    package var id: TransactionID { entry.id }

    /// The number of the charge for a subscription's period, the same for all transactions that
    /// stand for it; nil for what is no subscription.
    package var webOrderLineItem: TransactionID? {
        group.map { _ in TransactionID(number: entry.revocable.number + Self.lineItemOffset) }
    }

    /// As much of a part of the charge as has not come back yet, both in thousandths of a per cent.
    package func refundable(of part: Int) -> Int {
        min(part, Revocation.everything - (facts.upgradeRefund?.percentage ?? 0))
    }

    /// How much of a subscription's period is ahead, in thousandths of a per cent, for proration: nothing of one that
    /// an upgrade has ended. Nil for other products than subscriptions.
    ///
    /// - Parameter end: of the time that was paid for, where more was given; of the period unless given.
    package func unusedPart(at date: Date, paidUntil end: Date? = nil) -> Int? {
        guard let end = end ?? facts.expiration else { return nil }
        let whole = end.timeIntervalSince(entry.details.date)
        guard whole > 0, !facts.isUpgraded else { return 0 }
        let ahead = end.timeIntervalSince(date) / whole
        return Int((min(max(ahead, 0), 1) * Double(Revocation.everything)).rounded())
    }

    /// Line items are told from transactions by their first digit.
    private static let lineItemOffset: Int64 = 1_000_000_000_000_000
}

extension LedgerEntry {
    /// The transaction whose revocation ends what this one gives: the period of a subscription that
    /// it is, or stands for, and of all else the first purchase.
    package var revocable: TransactionID {
        if let period { return period }
        return details.productType == .autoRenewableSubscription && details.kind == .purchase
            ? id : original.id
    }
}
