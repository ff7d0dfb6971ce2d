import Foundation
import StoreModel

/// What publishers' servers change about transactions.
package struct TransactionChanges: Sendable {
    private let database: any ShopDatabase
    private let clock: any StoreClock

    package init(database: any ShopDatabase, clock: any StoreClock) {
        self.database = database
        self.clock = clock
    }

    /// Sets the token by which a publisher's server knows whoever made a first purchase: what
    /// follows from it has it too.
    ///
    /// - Throws: `TransactionRefusal`.
    package func setAccountToken(
        _ token: UUID, of original: TransactionID, in scope: AppScope
    ) async throws {
        let now = clock.now()
        try await database.write { repositories in
            let record = try TransactionSearch(scope, repositories).record(original)
            guard record.shared == nil else { throw TransactionRefusal.shared }
            guard record.entry.details.original == nil else {
                throw TransactionRefusal.notOriginal
            }
            try repositories.transactions.setAccountToken(
                token.uuidString.lowercased(), of: original, at: now)
        }
    }

    /// Records that the publisher is done with a transaction; the second time changes nothing.
    ///
    /// - Throws: `TransactionRefusal`.
    package func finish(_ id: TransactionID, in scope: AppScope) async throws {
        let now = clock.now()
        try await database.write { repositories in
            _ = try TransactionSearch(scope, repositories).record(id)
            try repositories.ledger.recordFinish(of: id, at: now)
        }
    }
}
