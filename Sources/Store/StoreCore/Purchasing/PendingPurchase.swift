import Foundation
import StoreModel

/// The number of a purchase that waits.
package struct PendingPurchaseID: Hashable, Sendable, CustomStringConvertible {
    package let number: Int64

    package init(number: Int64) {
        self.number = number
    }

    package var description: String { String(number) }
}

/// A purchase that the customer has confirmed and that waits for somebody: for approval
/// (Ask to Buy), or until what interrupted it is settled.
package struct PendingPurchase: Sendable, Hashable {
    package enum Kind: String, Sendable {
        case approval
        case interruption
    }

    /// What somebody decided, and when.
    package struct Decision: Sendable, Hashable {
        package enum Outcome: String, Sendable {
            case approved
            case declined
        }

        package var outcome: Outcome
        package var date: Date

        package init(outcome: Outcome, date: Date) {
            self.outcome = outcome
            self.date = date
        }
    }

    /// Where it stands at a moment.
    package enum Standing: Sendable, Hashable {
        case waiting
        case approved
        case declined
        /// Nobody has decided in time.
        case lapsed
    }

    /// How long an approval is waited for.
    package static let approvalPeriod: TimeInterval = 24 * 3600

    package let id: PendingPurchaseID
    package let kind: Kind
    /// What goes into the ledger once it is approved, as it was asked for.
    package let order: LedgerDraft
    /// The offer that it was asked for with, priced where the customer is.
    package let offer: SubscriptionOffer?
    package let decision: Decision?

    package init(
        id: PendingPurchaseID, kind: Kind, order: LedgerDraft, offer: SubscriptionOffer? = nil,
        decision: Decision?
    ) {
        self.offer = offer
        self.id = id
        self.kind = kind
        self.order = order
        self.decision = decision
    }

    package func standing(at date: Date) -> Standing {
        if let decision {
            return decision.outcome == .approved ? .approved : .declined
        }
        let isLate = date >= order.date.addingTimeInterval(Self.approvalPeriod)
        return kind == .approval && isLate ? .lapsed : .waiting
    }
}

/// Why a waiting purchase can't be decided.
package enum PendingPurchaseRefusal: Error, Sendable, Hashable, CustomStringConvertible {
    case unknown(PendingPurchaseID)
    case over(PendingPurchaseID, PendingPurchase.Standing)
    case removedFromSale(ProductID)
    /// The customer may have its introductory offer no longer.
    case offerOver(ProductID)

    package var description: String {
        switch self {
        case .unknown(let id):
            "There is no purchase \(id) that waits. openstore purchase list shows those that do."
        case .over(let id, .approved): "The purchase \(id) was approved already."
        case .over(let id, .declined): "The purchase \(id) was declined already."
        case .over(let id, _): "Nobody decided on the purchase \(id) within a day; it is over."
        case .removedFromSale(let product):
            "\(product) was removed from sale meanwhile, and can't be sold."
        case .offerOver(let product):
            "\(product) was asked for with an introductory offer, and the customer has subscribed, or "
                + "had such an offer, meanwhile. Decline it; the customer can ask again."
        }
    }
}
