import Foundation
import StoreModel

extension ChargeNotice {
    /// When a purchase of a product would charge an account: what the sale would do now.
    init(
        for product: Product, by account: AccountID, in app: AppID,
        _ repositories: StoreRepositories, at date: Date
    ) throws {
        let details = product.details
        self = .now
        switch details.type {
        case .nonConsumable:
            let owned = try repositories.ledger.firstPurchase(
                of: details.productID, account: account, app: app)
            if owned != nil { self = .owned }
        case .autoRenewableSubscription:
            guard let terms = details.subscription,
                let known = try repositories.renewals.subscription(
                    of: account, app: app, group: terms.groupID)
            else { return }
            let current = try repositories.catalog.product(known.product, in: app)
            switch known.order(for: product, over: current, at: date) {
            case .keep: self = .running
            case .downgrade: self = .later(known.expiration)
            case .begin, .upgrade, .recover, nil: break
            }
        case .consumable, .nonRenewingSubscription: break
        }
    }
}
