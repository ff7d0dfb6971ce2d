import Foundation
import StoreModel

/// Subscriptions of accounts, as they stand.
package protocol RenewalRepository {
    func subscription(_ original: TransactionID) throws -> Subscription?
    /// What an account has in a group, whether it runs or has ended.
    func subscription(
        of account: AccountID, app: AppID, group: String
    ) throws -> Subscription?
    /// Everything of an account in an app, without what was cleared.
    func subscriptions(of account: AccountID, app: AppID) throws -> [Subscription]
    /// Everything of an account, without what was cleared.
    func subscriptions(of account: AccountID) throws -> [Subscription]
    /// Adds a subscription, or changes how it stands.
    func save(_ subscription: Subscription) throws
    /// Notes that a transaction is a paid period of a subscription.
    func insertPeriod(
        _ id: TransactionID, of subscription: Subscription, end: Date, reason: TransactionReason
    ) throws
    /// Notes that a transaction stands for a paid period: ends when it does, and is taken back with
    /// it. Changes nothing where there is no such period.
    func insertStandIn(_ id: TransactionID, for period: TransactionID) throws
    func recordUpgrade(of period: TransactionID, at date: Date) throws
    /// Those that are due, the longest waiting first, without those that were set aside.
    func due(at date: Date, limit: Int) throws -> [TransactionID]
    /// Keeps a subscription that can't be renewed or ended from keeping others waiting, with the
    /// reason, until it is saved again.
    func setAside(_ original: TransactionID, because reason: String) throws
    /// When the next one is due; nil for none, and for those that were set aside.
    func nextDue() throws -> Date?
    /// Running subscriptions to a product behind a number, in order.
    func running(
        product: ProductID, app: AppID, in environment: StoreEnvironment, after: Int64, limit: Int
    ) throws -> [Subscription]
    /// How the last question about the price of a product stands.
    ///
    /// - Parameter since: of questions from then on.
    func priceIncrease(
        of product: ProductID, account: AccountID, app: AppID, since: Date
    ) throws -> RenewalSituation.PriceIncrease
    func insert(_ renewal: RenewalExtension) throws
    /// What was extended under a request's identifier.
    func `extension`(of original: TransactionID, request: String) throws -> RenewalExtension?
    /// How often a subscription was extended since a date.
    func extensions(of original: TransactionID, since date: Date) throws -> Int
    func massExtension(
        _ request: String, app: AppID, in environment: StoreEnvironment
    ) throws -> MassExtension?
    func insert(_ extension: MassExtension) throws
    func unfinishedMassExtensions(of app: AppID, in environment: StoreEnvironment) throws -> Int
    /// When requests of an app came after a date, the newest first.
    func massExtensions(
        of app: AppID, in environment: StoreEnvironment, since date: Date, limit: Int
    ) throws -> [Date]
    /// Records how far one has come.
    func update(_ extension: MassExtension) throws
    /// The oldest that is not complete.
    func waitingMassExtension() throws -> MassExtension?
}
