import Foundation
import StoreModel

/// What a customer bought in an app, or has of it through the family, as the customer reads it.
package struct CustomerOrder: Sendable, Hashable {
    package let record: TransactionRecord
    package let appName: String
    /// The product in the customer's language.
    package let title: String
    /// The last request for a refund of it.
    package let request: RefundRequest?
    /// Why the customer can't ask for a refund of it; nil where they can.
    package let refusal: RefundRefusal?

    package var id: OrderID { OrderID(record.id) }

    /// What the customer got back; nil for nothing.
    package var refunded: Money? {
        guard let revocation = record.facts.revocation, revocation.kind != .family else {
            return nil
        }
        return revocation.amount(of: record.entry.details)
    }

    /// What the customer got back by upgrading before the period ended; nil if nothing came back.
    package var upgradeRefund: Money? {
        guard let refund = record.facts.upgradeRefund else { return nil }
        let amount = Revocation.amount(refund.percentage, of: record.entry.details)
        return amount.thousandths > 0 ? amount : nil
    }

    package var status: Status {
        if let revocation = record.facts.revocation {
            return revocation.kind == .family ? .familyEnded : .refunded
        }
        if record.shared != nil { return .shared }
        return request.map { $0.decision == nil } ?? false ? .waiting : .bought
    }

    /// How it stands with an order.
    package enum Status: Sendable, Hashable {
        case bought
        /// A refund was asked for, and is not decided.
        case waiting
        case refunded
        /// Somebody of the family bought it.
        case shared
        /// It came through the family, and is gone.
        case familyEnded
    }

    /// What became of the last request; nil where there is none.
    package var outcome: Outcome? {
        guard let request else { return nil }
        switch request.decision?.outcome {
        case nil: return .waiting
        case .declined?: return .declined
        case .refunded?: return record.facts.revocation == nil ? .reversed : .refunded
        }
    }

    package enum Outcome: Sendable, Hashable {
        case waiting
        case declined
        case refunded
        /// It was refunded, and the refund was taken back.
        case reversed
    }
}
