import Foundation
import StoreModel

/// The fact that a customer may not use what was bought any longer.
package struct Revocation: Sendable, Hashable {
    /// As the signed transactions have it.
    package enum Reason: String, Sendable {
        /// Something is wrong with the app.
        case developerIssue
        case other
    }

    package var transaction: TransactionID
    package var reason: Reason
    package var date: Date

    package init(transaction: TransactionID, reason: Reason, date: Date) {
        self.transaction = transaction
        self.reason = reason
        self.date = date
    }
}
