import Foundation
import StoreModel

/// The offer that an order is sold with.
extension UnitOfWork {
    /// The offer that an account's order for a product is sold with; nil for none.
    func offer(
        for claim: OfferClaim, _ product: Product, by account: Account, in app: AppID
    ) throws -> Result<SubscriptionOffer?, OfferRefusal> {
        let choices = product.offers(in: account.storefront, at: now)
        guard !choices.isEmpty,
            let situation = try offerSituation(
                of: account.id, for: product, in: app, currency: account.storefront.currency)
        else { return claim.identifier == nil ? .success(nil) : .failure(.unknown) }
        return OfferRules.offer(
            for: claim, among: choices, situation.order, situation.customer)
    }

    /// Whether an account may still have an offer that it asked for at a date: what is for who begins
    /// is had once.
    func mayHave(
        _ offer: SubscriptionOffer, _ product: Product, by account: AccountID, in app: AppID,
        since asked: Date
    ) throws -> Bool {
        guard offer.kind == .introductory || offer.kind == .winBack else { return true }
        guard let situation = try offerSituation(of: account, for: product, in: app),
            let group = product.details.subscription?.groupID
        else { return false }
        // The rest of an introductory offer, with a code behind it.
        if situation.order == .keep, offer.follower != nil {
            return situation.customer.introductory != nil
        }
        guard offer.kind == .introductory else {
            return [.begin, .recover].contains(situation.order)
                && situation.customer.status == .expired(cancelled: true)
        }
        guard situation.order == .begin else { return false }
        guard offer.follower == nil else { return !situation.customer.hadIntroductory }
        return try !offers.hadIntroductory(
            account: account, app: app, group: group, since: asked)
    }

    /// What an order would do, and what the account is to the subscription's group; nil for what is no
    /// subscription.
    ///
    /// - Parameter currency: the currency of the customer's storefront; nil counts offers in any currency.
    private func offerSituation(
        of account: AccountID, for product: Product, in app: AppID, currency: String? = nil
    ) throws -> (order: SubscriptionOrder, customer: OfferCustomer)? {
        guard let terms = product.details.subscription else { return nil }
        let known = try renewals.subscription(
            of: account, app: app, group: terms.groupID)
        let current = try known.flatMap { try catalog.product($0.product, in: app) }
        let order = known?.order(for: product, over: current, at: now) ?? .begin
        return (
            order,
            OfferCustomer(
                status: known.map { .init(of: $0, at: now) } ?? .new,
                hasSubscribed: try known != nil
                    || !renewals.subscriptions(of: account, app: app).isEmpty,
                hadIntroductory: try offers.hadIntroductory(
                    account: account, app: app, group: terms.groupID),
                hasAccepted: try known.map {
                    try offers.accepted(by: $0.original.id) != nil
                } ?? false,
                introductory: try order == .keep
                    ? known.flatMap { try introductory(of: $0, in: currency) } : nil)
        )
    }

    /// What is left of the introductory offer that a subscription is charged by.
    private func introductory(
        of subscription: Subscription, in currency: String?
    ) throws -> SubscriptionOffer? {
        guard
            let next = try offers.offer(of: subscription.latest)?.next,
            next.kind == .introductory,
            let last = try ledger.entry(subscription.latest),
            currency == nil || last.details.unitPrice.currency == currency
        else { return nil }
        return SubscriptionOffer(
            kind: next.kind, identifier: next.identifier, paymentMode: next.paymentMode,
            period: next.period, periodCount: next.periodCount - next.number + 1,
            thousandths: last.details.unitPrice.thousandths)
    }
}
