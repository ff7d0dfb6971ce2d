import Foundation
import StoreModel

/// Answers publishers' servers, and customers' devices, about subscriptions.
package struct SubscriptionStatusService: Sendable {
    private let database: any ShopDatabase
    private let clock: any StoreClock

    package init(database: any ShopDatabase, clock: any StoreClock) {
        self.database = database
        self.clock = clock
    }

    /// How the subscriptions of an account stand in an app.
    package func statuses(of subject: HistorySubject) async throws -> [SubscriptionStatus] {
        let storeTime = clock.now()
        return try await database.read { try Self.statuses(of: subject, $0, at: storeTime) }
    }

    /// How the subscriptions of a customer stand.
    ///
    /// - Throws: `TransactionRefusal`.
    package func statuses(
        of id: AnyTransactionID, in scope: AppScope
    ) async throws -> [SubscriptionStatus] {
        let storeTime = clock.now()
        return try await database.read { repositories in
            let subject = try TransactionSearch(scope, repositories).subject(of: id)
            return try Self.statuses(of: subject, repositories, at: storeTime)
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
