import Foundation
import StoreModel

extension UnitOfWork {
    /// When a purchase of a product would charge an account: what the sale would do now.
    ///
    /// - Parameter claim: what the order would say of offers.
    func chargeNotice(
        for product: Product, _ claim: OfferClaim = OfferClaim(), by account: Account, in app: AppID
    ) throws -> Result<ChargeNotice, OfferRefusal> {
        switch try offer(for: claim, product, by: account, in: app) {
        case .failure(let refusal): return .failure(refusal)
        case .success(let offer):
            return .success(try chargeNotice(for: product, with: offer, by: account.id, in: app))
        }
    }

    /// The same with an offer that was chosen.
    func chargeNotice(
        for product: Product, with offer: SubscriptionOffer?, by account: AccountID, in app: AppID
    ) throws -> ChargeNotice {
        let details = product.details
        switch details.type {
        case .nonConsumable:
            let owned = try ledger.firstPurchase(
                of: details.productID, account: account, app: app)
            return owned == nil ? .now : .owned
        case .autoRenewableSubscription:
            let begins: ChargeNotice = offer.map { .offer($0) } ?? .now
            guard let terms = details.subscription,
                let known = try renewals.subscription(
                    of: account, app: app, group: terms.groupID)
            else { return begins }
            let current = try catalog.product(known.product, in: app)
            switch known.order(for: product, over: current, at: now) {
            case .keep:
                return offer.map { .accepted($0, start: known.expiration) } ?? .running
            case .downgrade:
                return offer.map { .accepted($0, start: known.expiration) }
                    ?? .later(known.expiration)
            case .upgrade:
                let paid = try ledger.entry(known.latest)?.details.charged.thousandths
                return paid ?? 0 > 0 ? .upgrade(offer) : begins
            case .begin, .recover, nil: return begins
            }
        case .consumable, .nonRenewingSubscription: return .now
        }
    }
}
