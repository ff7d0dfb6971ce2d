import Foundation
import StoreModel

/// A request for a refund with what belongs to it, as publishers and the store's staff read it.
///
/// Who asks, and what they write, is the store's to know: publishers learn the reason.
package struct RefundCase: Sendable, Hashable {
    package enum State: String, Sendable, Hashable, CaseIterable {
        case waiting = "WAITING"
        case refunded = "REFUNDED"
        case declined = "DECLINED"
        /// It was refunded, and the refund was taken back.
        case reversed = "REVERSED"
    }

    /// Who asked, and what they wrote.
    package struct Customer: Sendable, Hashable {
        package let email: String
        /// May be empty.
        package let comment: String
    }

    package let id: RefundRequestID
    package let entry: LedgerEntry
    package let app: App
    /// By which the publisher knows the product.
    package let productName: String
    package let reason: RefundReason
    package let date: Date
    /// When the store decides by itself, at the latest.
    package let deadline: Date
    package let decision: RefundRequest.Decision?
    package let state: State
    /// What the publisher's server has said since; nil for nothing.
    package let information: ConsumptionInformation?
    /// Nil for publishers.
    package let customer: Customer?

    /// What the customer gets, or got, back by the decision; nil where nothing.
    package var amount: Money? {
        guard case .refunded(let percentage) = decision?.outcome else { return nil }
        return Revocation(
            transaction: entry.id, reason: .other, date: date, percentage: percentage
        ).amount(of: entry.details)
    }
}
