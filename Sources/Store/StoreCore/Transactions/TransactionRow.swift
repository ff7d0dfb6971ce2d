import Foundation
import StoreDatabase
import StoreModel

/// A row of the view `transaction_record`.
struct TransactionRow: Sendable {
    private let entry: LedgerEntry
    private let appTransaction: AppTransactionID
    private let group: String?
    private let expiration: Date?
    private let reason: TransactionReason?
    private let shared: TransactionID?
    private let accountToken: String?
    private let isPaid: Bool?
    private let offer: AppliedOffer?
    private let revoked: Revoked?
    private let upgrade: TransactionFacts.UpgradeRefund?

    /// How what the transaction gives was taken back.
    fileprivate struct Revoked: Sendable {
        let reason: Revocation.Reason
        let date: Date
        let kind: Revocation.Kind
        let percentage: Int
    }

    var record: TransactionRecord {
        TransactionRecord(
            entry: entry, appTransaction: appTransaction, group: group,
            reason: reason ?? .purchase, shared: shared, isPaidPeriod: isPaid ?? false,
            offer: offer,
            facts: TransactionFacts(
                expiration: expiration, isUpgraded: upgrade != nil, upgradeDate: upgrade?.date,
                upgradeRefund: upgrade.flatMap { $0.percentage > 0 ? $0 : nil },
                accountToken: accountToken ?? entry.details.applicationUsername,
                revocation: revoked.map {
                    Revocation(
                        transaction: entry.revocable, reason: $0.reason, date: $0.date,
                        kind: $0.kind, percentage: $0.percentage)
                }))
    }
}

extension TransactionRow: Record {
    static let table: StaticString = "transaction_record"

    init(_ column: borrowing RecordColumns<Self>) throws {
        entry = try column.part(\.entry)
        appTransaction = try column("app_transaction", \.appTransaction)
        group = try column("group_id", \.group)
        expiration = try column("expires", \.expiration)
        reason = try column("period_reason", \.reason)
        shared = try column("shared", \.shared)
        accountToken = try column("token", \.accountToken)
        isPaid = try column("is_paid", \.isPaid)
        offer = try column.part(\.offer)
        revoked = try column.part(\.revoked)
        upgrade = try column.part(\.upgrade)
    }
}

extension TransactionRow.Revoked: RecordPart {
    init(_ column: borrowing RecordColumns<Self>) throws {
        reason = try column("reason", \.reason)
        date = try column("revocation_date", \.date)
        kind = try column("revocation_type", \.kind)
        percentage = try column("percentage", \.percentage)
    }
}

extension TransactionFacts.UpgradeRefund: RecordPart {
    package init(_ column: borrowing RecordColumns<Self>) throws {
        date = try column("upgrade_date", \.date)
        percentage = try column("upgrade_percentage", \.percentage)
    }
}

/// A transaction with its place in the order of an account's changes.
struct HistoryRow: Sendable {
    let revision: HistoryRevision
    let transaction: TransactionRow
}

extension HistoryRow: RecordPart {
    init(_ column: borrowing RecordColumns<Self>) throws {
        revision = try column("revision", \.revision)
        transaction = try column.part(\.transaction)
    }
}
