import Foundation
import StoreModel

/// An order that the rules have refused, kept by its purchase key: a copy of it that arrives
/// later is refused like the first one, whatever the rules would say by then.
///
/// The device has ended the payment, or asks its customer again under another key.
package struct RefusedPurchase: Sendable, Hashable {
    /// How long a refusal is kept at least, in seconds: 30 days, which no network keeps a
    /// request for.
    package static let retention: TimeInterval = 30 * 24 * 3600
    /// As much of an offer's identifier as is kept, in Unicode scalars: customers choose it.
    package static let offerLimit = 100

    package let account: AccountID
    package let environment: StoreEnvironment
    package let app: AppID
    package let key: String
    /// One for which `PurchaseRefusal.closesKey` is true.
    package let refusal: PurchaseRefusal
    package let date: Date

    package init(
        account: AccountID, environment: StoreEnvironment, app: AppID, key: String,
        refusal: PurchaseRefusal, date: Date
    ) {
        self.account = account
        self.environment = environment
        self.app = app
        self.key = key
        self.refusal =
            if case .offer(let offer, let why) = refusal {
                .offer(String(offer.unicodeScalars.prefix(Self.offerLimit)), why)
            } else {
                refusal
            }
        self.date = date
    }
}

extension PurchaseRefusal {
    /// Whether the refusal has to be kept so that its key never buys.
    ///
    /// These are the ones that come from the rules, which may say something else tomorrow: a
    /// device ends its payment when it hears one, or asks again. The others follow from a fact
    /// under the same key that is never deleted: a ledger row, a purchase that waits or waited,
    /// a declined payment. What is said before the rules are asked (who is calling, with which
    /// profile, in what form) is no refusal of the order: the device sends it again.
    package var closesKey: Bool {
        switch self {
        case .invalidProduct, .typeNotSold, .quantityOutOfRange, .priceChanged, .offer: true
        case .keyReused, .declined, .approvalLapsed, .paymentDeclined, .interrupted, .revoked:
            false
        }
    }
}

extension PurchaseRules {
    /// What the store says to an order under a key that it has refused before: the same again,
    /// with today's price where that was why.
    ///
    /// - Parameter decision: what the rules would say to a new order.
    package static func answer(
        to refused: RefusedPurchase, insteadOf decision: Result<LedgerDraft, PurchaseRefusal>
    ) -> PurchaseRefusal {
        guard case .priceChanged = refused.refusal else { return refused.refusal }
        switch decision {
        case .success(let draft): return .priceChanged(current: draft.unitPrice)
        case .failure(.priceChanged(let current)): return .priceChanged(current: current)
        case .failure: return refused.refusal
        }
    }
}
