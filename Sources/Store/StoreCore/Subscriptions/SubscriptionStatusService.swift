import Foundation
import StoreModel

/// Answers publishers' servers, and customers' devices, about subscriptions.
package struct SubscriptionStatusService: Sendable {
    private let shop: Shop

    package init(database: any ShopDatabase, clock: any StoreClock) {
        shop = Shop(database: database, clock: clock)
    }

    /// How the subscriptions of an account stand in an app.
    package func statuses(of subject: HistorySubject) async throws -> [SubscriptionStatus] {
        let storeTime = shop.clock.now()
        return try await shop.read { try Self.statuses(of: subject, $0, at: storeTime) }
    }

    /// How the subscriptions of a customer stand.
    ///
    /// - Throws: `TransactionRefusal`.
    package func statuses(
        of id: AnyTransactionID, in scope: AppScope
    ) async throws -> [SubscriptionStatus] {
        let storeTime = shop.clock.now()
        return try await shop.read { work in
            let subject = try TransactionSearch(scope, work).subject(of: id)
            return try Self.statuses(of: subject, work, at: storeTime)
        }
    }

    private static func statuses(
        of subject: HistorySubject, _ repositories: StoreRepositories, at storeTime: Date
    ) throws -> [SubscriptionStatus] {
        let time = try repositories.sandboxClocks.date(
            for: .account(subject.account, app: subject.app))
        return try SubscriptionStatusReading(repositories, at: time ?? storeTime)
            .statuses(of: subject)
    }
}
