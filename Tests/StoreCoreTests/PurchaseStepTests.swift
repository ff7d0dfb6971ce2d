import Foundation
@testable import StoreCore
import StoreModel
import Testing

/// What becomes of an order, by what the store knows of it.
@Suite struct PurchaseStepTests {
    private static let date = Date(timeIntervalSince1970: 1_800_000_000)
    private static let price = Money(thousandths: 990, currency: "USD")
    private static let trial = SubscriptionOffer(
        kind: .introductory, identifier: nil, paymentMode: .freeTrial,
        period: SubscriptionPeriod(unit: .month, count: 1), periodCount: 1, thousandths: 0)

    private static let draft = LedgerDraft(
        kind: .purchase, environment: .sandbox, account: AccountID(number: 4),
        app: AppID(number: 7), bundleID: Situation.bundleID, productID: Situation.badge,
        productType: .consumable, key: "AAAAAAAA-0000-0001", device: "device", quantity: 1,
        unitPrice: price, charged: price, storefront: .unitedStates, original: nil,
        applicationUsername: nil, date: date)

    /// - Parameters:
    ///   - isFree: whether the customer was told that it charges nothing.
    ///   - offer: the one that it asks for by name.
    private static func order(
        _ product: String = Situation.badge.text, isFree: Bool = false, offer: String? = nil,
        agreed: SubscriptionOffer? = nil, simulatesAskToBuy: Bool = false
    ) -> PurchaseOrder {
        PurchaseOrder(
            key: PurchaseKey(draft.key)!, productID: product, quantity: 1, confirmedPrice: price,
            applicationUsername: nil, device: "device", simulatesAskToBuy: simulatesAskToBuy,
            claim: OfferClaim(identifier: offer), agreedOffer: agreed, isFree: isFree)
    }

    private static func step(
        _ order: PurchaseOrder = order(), _ situation: PurchaseSituation
    ) -> PurchaseStep {
        PurchaseRules.step(for: order, situation, at: date)
    }

    private static func terms(
        _ draft: LedgerDraft = draft, offer: SubscriptionOffer? = nil,
        isSignatureUsed: Bool = false,
        settings: AccountSettings = AccountSettings()
    ) -> PurchaseSituation {
        .forSale(
            PurchaseTerms(
                price: price, draft: draft, offer: offer, isSignatureUsed: isSignatureUsed,
                settings: settings))
    }

    @Test func `an order that came before gets the answer of then`() {
        func pending(
            _ kind: PendingPurchase.Kind, _ outcome: PendingPurchase.Decision.Outcome? = nil
        ) -> PurchaseSituation {
            .pending(
                PendingPurchase(
                    id: PendingPurchaseID(number: 1), kind: kind, order: Self.draft,
                    decision: outcome.map { .init(outcome: $0, date: Self.date) }))
        }
        let declined = PurchaseSituation.declined(DeclinedPayment(Self.draft))
        let dearer = Money(thousandths: 1990, currency: "USD")
        func refused(_ refusal: PurchaseRefusal) -> PurchaseSituation {
            .refused(
                RefusedPurchase(
                    account: Self.draft.account, environment: .sandbox, app: Self.draft.app,
                    key: Self.draft.key, refusal: refusal, date: Self.date),
                today: .failure(.priceChanged(current: dearer)))
        }
        let other = Self.order("crown")
        let table: [(PurchaseOrder, PurchaseSituation, PurchaseStep)] = [
            (Self.order(), pending(.approval), .repeatWait),
            (Self.order(), pending(.approval, .approved), .repeatWait),
            (Self.order(), pending(.approval, .declined), .repeatRefusal(.declined)),
            (Self.order(), pending(.interruption), .repeatRefusal(.interrupted)),
            (other, pending(.approval), .repeatRefusal(.keyReused)),
            (Self.order(), declined, .repeatRefusal(.paymentDeclined)),
            (other, declined, .repeatRefusal(.keyReused)),
            (
                Self.order(), refused(.quantityOutOfRange(11)),
                .repeatRefusal(.quantityOutOfRange(11))
            ),
            // With the price of today.
            (
                Self.order(), refused(.priceChanged(current: Self.price)),
                .repeatRefusal(.priceChanged(current: dearer))
            ),
        ]
        for (order, situation, step) in table {
            #expect(Self.step(order, situation) == step)
        }
    }

    @Test func `a new order is refused, declined, kept waiting or sold, in this order`() {
        var owned = Self.draft
        owned.original = LedgerOriginal(id: TransactionID(number: 1), date: Self.date)
        owned.charged.thousandths = 0
        var production = Self.draft
        production.environment = .production
        let declines = AccountSettings(paymentFailure: .next)
        let asks = AccountSettings(asksToBuy: true)
        let interrupts = AccountSettings(interruptsPurchases: true)
        let changed = PurchaseStep.refuse(.priceChanged(current: Self.price))
        let table: [(PurchaseOrder, PurchaseSituation, PurchaseStep)] = [
            (
                Self.order(), .notForSale(.typeNotSold(.consumable)),
                .refuse(.typeNotSold(.consumable))
            ),
            (Self.order(), Self.terms(), .sell),
            // Who was told that it is free is asked before anything is charged.
            (Self.order(isFree: true), Self.terms(), changed),
            (Self.order(isFree: true), Self.terms(owned), .sell),
            // So is who asked for an offer, and was told of another one or of none.
            (Self.order(offer: "back"), Self.terms(offer: Self.trial), changed),
            (Self.order(agreed: Self.trial), Self.terms(), changed),
            (Self.order(agreed: Self.trial), Self.terms(offer: Self.trial), .sell),
            (Self.order(), Self.terms(offer: Self.trial), .sell),
            (
                Self.order(), Self.terms(isSignatureUsed: true, settings: declines),
                .refuse(.offer("introductory", .signatureInvalid))
            ),
            (Self.order(), Self.terms(settings: declines), .declinePayment(declines)),
            (Self.order(), Self.terms(production, settings: declines), .sell),
            (Self.order(), Self.terms(settings: asks), .wait(.approval)),
            (
                Self.order(agreed: Self.trial), Self.terms(offer: Self.trial, settings: asks),
                .wait(.approval)
            ),
            (Self.order(), Self.terms(settings: interrupts), .wait(.interruption)),
            (Self.order(simulatesAskToBuy: true), Self.terms(), .wait(.approval)),
            (Self.order(simulatesAskToBuy: true), Self.terms(production), .sell),
            // What is owned costs nothing and needs nobody.
            (Self.order(), Self.terms(owned, settings: asks), .sell),
            (Self.order(), Self.terms(owned, settings: declines), .sell),
        ]
        for (order, situation, step) in table {
            #expect(Self.step(order, situation) == step)
        }
    }
}
