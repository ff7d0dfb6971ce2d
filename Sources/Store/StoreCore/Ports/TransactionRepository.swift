import Foundation
import StoreModel

/// The ledger's facts as servers read them.
package protocol TransactionRepository {
    func record(_ id: TransactionID) throws -> TransactionRecord?
    /// Everything of an account in an app, oldest first, from the last clearing of its history on.
    func records(of subject: HistorySubject) throws -> [TransactionRecord]
    /// What an account has in an app, oldest first, from the last clearing of its history on: what
    /// was bought for good, paid periods, and consumables that were not finished.
    ///
    /// - Parameter limit: gives so many at most, the newest.
    func recordsInUse(of subject: HistorySubject, limit: Int) throws -> [TransactionRecord]
    /// What a device of an account has not finished, and what was not revoked, oldest first.
    ///
    /// - Parameter limit: gives so many at most, the newest.
    func unfinishedRecords(
        of subject: HistorySubject, device: String, limit: Int
    ) throws -> [TransactionRecord]
    /// A part of an account's history, in the order of its last changes.
    ///
    /// - Parameters:
    ///   - after: gives what lies behind it, in the order that is asked for; nil for the beginning.
    ///   - onlyRevoked: leaves out what was not taken back.
    ///   - limit: gives so many at most.
    func history(
        of subject: HistorySubject, after: HistoryRevision?, _ order: HistoryQuery.Order,
        onlyRevoked: Bool, limit: Int
    ) throws -> [(revision: HistoryRevision, record: TransactionRecord)]
    /// Whether a revision was given before the database went back to an earlier state, which did not
    /// have it.
    func isLost(_ revision: HistoryRevision, of subject: HistorySubject) throws -> Bool
    /// The last revision of an account's history; 0 for none.
    func lastRevision(of subject: HistorySubject) throws -> HistoryRevision
    /// A part of what an account bought in all apps, the newest first: what servers see of it.
    ///
    /// - Parameters:
    ///   - before: gives older ones only; nil for the newest.
    ///   - limit: gives so many at most.
    func purchases(
        of account: AccountID, before: TransactionID?, limit: Int
    ) throws -> [TransactionRecord]
    /// Whether an account has a product at a date by something that was not taken back: a purchase
    /// that lasts, or a period that runs, its own or its family's.
    func isEntitled(
        _ subject: HistorySubject, to product: ProductID, at date: Date
    ) throws -> Bool
    /// Whether the transaction is one that servers see.
    func isInHistory(_ id: TransactionID) throws -> Bool
    func appTransaction(_ id: AppTransactionID) throws -> AppTransaction?
    func appTransaction(of account: AccountID, app: AppID) throws -> AppTransaction?
    /// That an account has an app, written down where it is not yet.
    func appTransaction(
        of account: AccountID, in environment: StoreEnvironment, app: AppID, at date: Date
    ) throws -> AppTransaction
    /// Sets the token by which a publisher's server knows whoever made a first purchase.
    func setAccountToken(_ token: String, of original: TransactionID, at date: Date) throws
    /// Takes a revocation back; the second time changes nothing.
    ///
    /// - Returns: whether it was the first time.
    func recordReversal(of id: TransactionID, at date: Date) throws -> Bool
    /// Whether a revocation was taken back.
    func isReversed(_ id: TransactionID) throws -> Bool
}
