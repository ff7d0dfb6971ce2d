import Foundation
import StoreModel

/// The rules of a purchase.
package enum PurchaseRules {
    /// What a purchase writes into the ledger, or why it is refused.
    ///
    /// - Parameters:
    ///   - terms: what the app may sell.
    ///   - owned: the account's first purchase of the product.
    package static func decide(
        _ order: PurchaseOrder, by account: Account, in app: App, terms: SellingTerms,
        owned: LedgerEntry?, at date: Date
    ) -> Result<LedgerDraft, PurchaseRefusal> {
        let product: Product
        switch terms.product(order.productID, storefront: account.storefront) {
        case .success(let found): product = found
        case .failure(let error): return .failure(.invalidProduct(error.reason))
        }
        let details = product.details
        guard details.type != .autoRenewableSubscription || order.quantity == 1 else {
            return .failure(.quantityOutOfRange(order.quantity))
        }
        guard ProductType.quantities.contains(order.quantity) else {
            return .failure(.quantityOutOfRange(order.quantity))
        }
        guard let price = product.price(in: account.storefront, at: date),
            let total = price.multiplied(by: order.quantity)
        else { return .failure(.invalidProduct(.notInStorefront(account.storefront.code))) }
        guard price == order.confirmedPrice else {
            return .failure(.priceChanged(current: price))
        }
        // Buying again what one owns is free, and belongs to the first purchase.
        let original = details.type == .nonConsumable ? owned?.original : nil
        let charged =
            original == nil ? total : Money(thousandths: 0, currency: price.currency)
        return .success(
            LedgerDraft(
                kind: .purchase, environment: account.environment, account: account.id,
                app: app.id, bundleID: app.bundleID, productID: details.productID,
                productType: details.type, key: order.key.text, device: order.device,
                quantity: order.quantity, unitPrice: price, charged: charged,
                storefront: account.storefront, original: original,
                applicationUsername: order.applicationUsername, date: date))
    }

    /// Whether a fact under the same key is the answer to this order.
    package static func isRepetition(_ order: PurchaseOrder, of known: LedgerDraft) -> Bool {
        known.kind == .purchase && known.productID.text == order.productID
            && known.quantity == order.quantity
    }

    /// Whether the customer knows what a sale charges: who was told that it is free, and has lost
    /// what made it so, is to be asked again.
    package static func isAgreed(_ draft: LedgerDraft, to order: PurchaseOrder) -> Bool {
        !order.isFree || draft.charged.thousandths == 0
    }

    /// Whether the customer knows of the offer that an order is sold with.
    package static func isAgreed(_ offer: SubscriptionOffer?, to order: PurchaseOrder) -> Bool {
        // An introductory one that nobody was told of charges no more than the price.
        offer == order.agreedOffer || order.agreedOffer == nil && order.claim.identifier == nil
    }

    /// The offer without an introductory one that nobody was told of, as by frameworks that know no
    /// offers, and that charges more than the price.
    package static func affordable(
        _ offer: SubscriptionOffer?, _ order: PurchaseOrder
    ) -> SubscriptionOffer? {
        guard let offer, order.claim.identifier == nil, order.agreedOffer == nil,
            offer.thousandths > order.confirmedPrice.thousandths
        else { return offer }
        return nil
    }

    /// Whether the payment for it is declined.
    package static func isDeclined(_ draft: LedgerDraft, settings: AccountSettings) -> Bool {
        // What costs nothing needs no payment.
        draft.environment == .sandbox && settings.paymentFailure != .none
            && draft.charged.thousandths > 0
    }

    /// What a purchase has to wait for, such as Ask to Buy; nil where it is sold at once.
    ///
    /// - Parameter offer: what it is sold with.
    package static func wait(
        for draft: LedgerDraft, _ order: PurchaseOrder, offer: SubscriptionOffer? = nil,
        settings: AccountSettings
    ) -> PendingPurchase.Kind? {
        // What the account owns already costs nothing, and needs nobody's yes. What is free at first
        // does.
        guard draft.original == nil || draft.charged.thousandths > 0 || offer != nil else {
            return nil
        }
        if settings.asksToBuy || order.simulatesAskToBuy && draft.environment == .sandbox {
            return .approval
        }
        return settings.interruptsPurchases ? .interruption : nil
    }

    /// What the store says to an order whose payment was declined before: the same again, also
    /// where payments go through by now.
    package static func answer(
        to order: PurchaseOrder, _ declined: DeclinedPayment
    ) -> PurchaseRefusal {
        declined.productID.text == order.productID && declined.quantity == order.quantity
            ? .paymentDeclined : .keyReused
    }

    /// What the store says to an order that waits or waited.
    package static func answer(
        to order: PurchaseOrder, _ pending: PendingPurchase, at date: Date
    ) -> PurchaseRefusal? {
        guard isRepetition(order, of: pending.order) else { return .keyReused }
        guard pending.kind == .approval else { return .interrupted }
        switch pending.status(at: date) {
        case .waiting, .approved: return nil
        case .declined: return .declined
        case .lapsed: return .approvalLapsed
        }
    }
}
