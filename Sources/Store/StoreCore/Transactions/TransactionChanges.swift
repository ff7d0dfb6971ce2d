import Foundation
import StoreModel

/// What publishers' servers change about transactions.
package struct TransactionChanges: Sendable {
    private let shop: Shop

    package init(database: any ShopDatabase, clock: any StoreClock) {
        shop = Shop(database: database, clock: clock)
    }

    /// Sets the token by which a publisher's server knows who made a first purchase: of a subscription, for the
    /// last period and those that follow. Earlier periods keep theirs.
    ///
    /// - Throws: `TransactionRefusal`.
    package func setAccountToken(
        _ token: UUID, of original: TransactionID, in scope: AppScope
    ) async throws {
        try await shop.write { work in
            let record = try TransactionSearch(scope, work).record(original)
            guard record.shared == nil else { throw TransactionRefusal.shared }
            guard record.entry.details.original == nil else {
                throw TransactionRefusal.notOriginal
            }
            var subscription = try work.renewals.subscription(original)
            try work.transactions.setAccountToken(
                token.uuidString.lowercased(), of: subscription?.latest ?? original, at: work.now)
            guard subscription?.accountToken != nil else { return }
            subscription?.accountToken = nil
            try subscription.map(work.renewals.save)
        }
    }

    /// Records that the publisher is done with a transaction; the second time changes nothing.
    ///
    /// - Throws: `TransactionRefusal`.
    package func finish(_ id: TransactionID, in scope: AppScope) async throws {
        try await shop.write { work in
            _ = try TransactionSearch(scope, work).record(id)
            try work.ledger.recordFinish(of: id, at: work.now)
        }
    }
}
