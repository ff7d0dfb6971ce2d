import Foundation
import StoreDatabase
import StoreModel

/// The number of a purchase that waits.
package typealias PendingPurchaseID = ID<PendingPurchase>

/// A purchase that the customer has confirmed and that waits for somebody: for approval
/// (Ask to Buy), or until what interrupted it is settled.
package struct PendingPurchase: Sendable, Hashable {
    package enum Kind: String, Sendable, CaseIterable {
        case approval
        case interruption
    }

    /// What somebody decided, and when.
    package struct Decision: Sendable, Hashable {
        package enum Outcome: String, Sendable, CaseIterable {
            case approved
            case declined
        }

        package var outcome: Outcome
        package var date: Date
    }

    /// Where it stands at a moment.
    package enum Status: Sendable, Hashable {
        case waiting
        case approved
        case declined
        /// Nobody has decided in time.
        case lapsed
    }

    /// How long an approval is waited for.
    package static let approvalPeriod: TimeInterval = 24 * 3600

    private let request: PendingPurchaseRequest
    package let decision: Decision?

    package init(
        id: PendingPurchaseID, kind: Kind, order: LedgerDraft, offer: SubscriptionOffer? = nil,
        decision: Decision?
    ) {
        self.init(
            PendingPurchaseRequest(id: id, kind: kind, order, offer: offer), decision: decision)
    }

    init(_ request: PendingPurchaseRequest, decision: Decision? = nil) {
        self.request = request
        self.decision = decision
    }

    package var id: PendingPurchaseID { request.id }
    package var kind: Kind { request.kind }
    /// What goes into the ledger once it is approved, as it was asked for.
    package var order: LedgerDraft { request.order }
    /// The offer that it was asked for with, priced where the customer is.
    package var offer: SubscriptionOffer? { request.offer }

    package func status(at date: Date) -> Status {
        if let decision {
            return decision.outcome == .approved ? .approved : .declined
        }
        let isLate = date >= order.date.addingTimeInterval(Self.approvalPeriod)
        return kind == .approval && isLate ? .lapsed : .waiting
    }
}

/// A row of the view `pending_entry`.
extension PendingPurchase: RecordPart {
    package init(_ column: borrowing RecordColumns<Self>) throws {
        request = try column.part(\.request)
        decision = try column.part(\.decision)
    }
}

extension PendingPurchase.Decision: RecordPart {
    package init(_ column: borrowing RecordColumns<Self>) throws {
        outcome = try column("decision", \.outcome)
        date = try column("decision_date", \.date)
    }
}

extension PendingPurchase.Decision.Outcome: TextColumnValue {}

/// Why a waiting purchase can't be decided.
package enum PendingPurchaseRefusal: Error, Sendable, Hashable, CustomStringConvertible {
    case unknown(PendingPurchaseID)
    case over(PendingPurchaseID, PendingPurchase.Status)
    /// The app may not sell the product any longer.
    case notSold(ProductID, InvalidReason, BundleID)
    /// The customer may have its introductory offer no longer.
    case offerOver(ProductID)

    package var description: String {
        switch self {
        case .unknown(let id):
            "There is no purchase \(id) that waits. openstore purchase list shows those that do."
        case .over(let id, .approved): "The purchase \(id) was approved already."
        case .over(let id, .declined): "The purchase \(id) was declined already."
        case .over(let id, _): "Nobody decided on the purchase \(id) within a day; it is over."
        case .notSold(let product, let reason, let app):
            "\(product) can't be sold any longer. \(reason.message(to: app))"
        case .offerOver(let product):
            "\(product) was asked for with an introductory offer, and the customer has subscribed, or "
                + "had such an offer, meanwhile. Decline it; the customer can ask again."
        }
    }
}
