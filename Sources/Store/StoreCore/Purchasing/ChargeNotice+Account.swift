import Foundation
import StoreModel

extension ChargeNotice {
    /// When a purchase of a product would charge an account: what the sale would do now.
    ///
    /// - Parameter claim: what the order would say of offers.
    static func of(
        _ product: Product, _ claim: OfferClaim = OfferClaim(), by account: Account, in app: AppID,
        _ repositories: StoreRepositories, at date: Date
    ) throws -> Result<ChargeNotice, OfferRefusal> {
        let details = product.details
        let offer: SubscriptionOffer?
        switch try OfferReading(repositories, at: date).offer(
            for: claim, product, by: account, in: app)
        {
        case .success(let found): offer = found
        case .failure(let refusal): return .failure(refusal)
        }
        switch details.type {
        case .nonConsumable:
            let owned = try repositories.ledger.firstPurchase(
                of: details.productID, account: account.id, app: app)
            return .success(owned == nil ? .now : .owned)
        case .autoRenewableSubscription:
            let begins: ChargeNotice = offer.map { .offer($0) } ?? .now
            guard let terms = details.subscription,
                let known = try repositories.renewals.subscription(
                    of: account.id, app: app, group: terms.groupID)
            else { return .success(begins) }
            let current = try repositories.catalog.product(known.product, in: app)
            switch known.order(for: product, over: current, at: date) {
            case .keep: return .success(.running)
            case .downgrade: return .success(.later(known.expiration))
            case .begin, .upgrade, .recover, nil: return .success(begins)
            }
        case .consumable, .nonRenewingSubscription: return .success(.now)
        }
    }
}
