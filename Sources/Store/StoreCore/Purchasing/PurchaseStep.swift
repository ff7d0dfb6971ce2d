import Foundation
import StoreModel

/// What the store knows of an order.
package enum PurchaseSituation: Sendable {
    /// The store has received the order before, and kept it for approval or until an interruption is
    /// settled.
    case pending(PendingPurchase)
    /// The store has received the order before, and declined its payment.
    case declined(DeclinedPayment)
    /// The store has received the order before, and refused it.
    ///
    /// - Parameter today: what the rules say of a new order.
    case refused(RefusedPurchase, today: Result<LedgerDraft, PurchaseRefusal>)
    /// The rules refuse it, unless its key has sold before.
    case notForSale(PurchaseRefusal)
    case forSale(PurchaseTerms)
}

/// What an order is sold at.
package struct PurchaseTerms: Sendable {
    /// The price of one, without an offer.
    package var price: Money
    /// As the ledger gets it.
    package var draft: LedgerDraft
    package var offer: SubscriptionOffer?
    /// Whether another purchase has used the publisher's signature.
    package var isSignatureUsed: Bool = false
    package var settings: AccountSettings = AccountSettings()
}

/// What becomes of an order. One whose key has sold before gets what was sold, and nothing else is
/// done.
package enum PurchaseStep: Sendable, Hashable {
    /// The order gets the refusal that it got before.
    case repeatRefusal(PurchaseRefusal)
    /// The order waited before: it gets the sale, if the order was approved, or goes on waiting.
    case repeatWait
    /// It is refused, and its key never buys.
    case refuse(PurchaseRefusal)
    case declinePayment(AccountSettings)
    case wait(PendingPurchase.Kind)
    case sell
}

extension PurchaseRules {
    package static func step(
        for order: PurchaseOrder, _ situation: PurchaseSituation, at date: Date
    ) -> PurchaseStep {
        switch situation {
        case .pending(let pending):
            answer(to: order, pending, at: date).map { .repeatRefusal($0) } ?? .repeatWait
        case .declined(let payment): .repeatRefusal(answer(to: order, payment))
        case .refused(let refused, let today):
            .repeatRefusal(answer(to: refused, insteadOf: today))
        case .notForSale(let refusal): .refuse(refusal)
        case .forSale(let terms): step(for: order, terms)
        }
    }

    private static func step(for order: PurchaseOrder, _ terms: PurchaseTerms) -> PurchaseStep {
        let (draft, offer, settings) = (terms.draft, terms.offer, terms.settings)
        guard isAgreed(draft, to: order), isAgreed(offer, to: order) else {
            return .refuse(.priceChanged(current: terms.price))
        }
        guard !terms.isSignatureUsed else {
            return .refuse(.offer(order.claim.name, .signatureInvalid))
        }
        if isDeclined(draft, settings: settings) { return .declinePayment(settings) }
        return wait(for: draft, order, offer: offer, settings: settings)
            .map { .wait($0) } ?? .sell
    }
}
