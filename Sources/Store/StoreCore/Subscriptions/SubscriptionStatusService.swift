import Foundation

/// Answers publishers' servers, and customers' devices, about subscriptions.
package struct SubscriptionStatusService: Sendable {
    private let shop: Shop

    package init(database: any ShopDatabase, clock: any StoreClock) {
        shop = Shop(database: database, clock: clock)
    }

    /// How the subscriptions of an account stand in an app.
    package func statuses(of subject: HistorySubject) async throws -> [SubscriptionStatus] {
        try await shop.read { try Self.statuses(of: subject, $0) }
    }

    /// How the subscriptions of a customer stand.
    ///
    /// - Throws: `TransactionRefusal`.
    package func statuses(
        of id: AnyTransactionID, in scope: AppScope
    ) async throws -> [SubscriptionStatus] {
        try await shop.read { work in
            try Self.statuses(of: TransactionSearch(scope, work).subject(of: id), work)
        }
    }

    private static func statuses(
        of subject: HistorySubject, _ work: UnitOfWork
    ) throws -> [SubscriptionStatus] {
        try work.at(.account(subject.account, app: subject.app)).subscriptionStatuses(of: subject)
    }
}
