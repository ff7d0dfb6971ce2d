import Foundation
import StoreModel

/// Answers publishers' servers, and customers' devices, about subscriptions.
package struct SubscriptionStatusService: Sendable {
    private let database: any StoreDatabase
    private let clock: any StoreClock

    package init(database: any StoreDatabase, clock: any StoreClock) {
        self.database = database
        self.clock = clock
    }

    /// How the subscriptions of an account stand in an app.
    package func statuses(of subject: HistorySubject) async throws -> [SubscriptionStatus] {
        let now = clock.now()
        return try await database.read {
            try SubscriptionStatusReading($0, at: now).statuses(of: subject)
        }
    }

    /// How the subscriptions of a customer stand.
    ///
    /// - Throws: `TransactionRefusal`.
    package func statuses(
        of id: AnyTransactionID, in scope: ServerScope
    ) async throws -> [SubscriptionStatus] {
        let now = clock.now()
        return try await database.read { repositories in
            let subject = try TransactionSearch(scope, repositories).subject(of: id)
            return try SubscriptionStatusReading(repositories, at: now).statuses(of: subject)
        }
    }
}
