import Foundation
import StoreModel

/// What decides whether an item is sold to an account that has not got it.
package struct ItemOrderSituation: Sendable {
    package var item: Item
    package var account: Account
    package var settings: AccountSettings
    /// The price that the customer saw.
    package var expected: Money
    /// Whether the publisher may sell for money.
    package var hasPaidAgreement: Bool
    /// Whether its buyers get a file, of the item or of a part.
    package var hasFile: Bool
}

/// What the store says instead of selling an item.
package enum ItemSaleRefusal: Error, Sendable, Hashable, CustomStringConvertible {
    case itemUnknown(ItemID)
    /// Its publisher has taken it from sale.
    case notForSale
    case notInStorefront(Storefront)
    /// It costs money, and can't be sold for it.
    case obstacle(ItemSaleObstacle)
    case priceChanged(Money)
    /// Somebody else would have to approve it, which pages don't offer.
    case asksToBuy
    /// The tester's payments are declined on purpose.
    case paymentDeclined
    /// The tester's purchases are interrupted on purpose.
    case interrupted

    package var description: String {
        switch self {
        case .itemUnknown(let id): "There is no item \(id) in this store."
        case .notForSale: "This is not sold any more. Look for another one."
        case .notInStorefront(let storefront):
            "This is not sold in \(storefront.nameInSentence), where your account is."
        case .obstacle(let obstacle): obstacle.sentence
        case .priceChanged(let price):
            "The price is now \(price.decimal) \(price.currency). Nothing was charged; look at "
                + "the new price and decide again."
        case .asksToBuy:
            "Somebody else approves what this account buys, and that can't be asked for here. "
                + "Nothing was charged; sign in with the account of who approves."
        case .paymentDeclined: "The payment was declined. Nothing was charged."
        case .interrupted:
            "Purchases of this tester are interrupted. Nothing was charged; switch the "
                + "interruption off in Connect, and buy again."
        }
    }
}

/// The rules of a sale.
package enum ItemSaleRules {
    /// What a sale adds to an item's popularity.
    package static let popularity: Int64 = 10

    /// What the account is charged, or why the item is not sold to it.
    ///
    /// Whatever is wrong with the item is said first, then what is wrong with the payment, as
    /// with in-app purchases.
    package static func price(_ order: ItemOrderSituation) -> Result<Money, ItemSaleRefusal> {
        let (item, account) = (order.item, order.account)
        switch item.state {
        case .draft: return .failure(.itemUnknown(item.id))
        case .removed: return .failure(.notForSale)
        case .onSale: break
        }
        guard let price = item.details.prices.price(in: account.storefront) else {
            return .failure(.notInStorefront(account.storefront))
        }
        if let obstacle = ItemSaleObstacle.of(
            item.details, costs: price.thousandths > 0, hasPaidAgreement: order.hasPaidAgreement,
            hasFile: order.hasFile)
        {
            return .failure(.obstacle(obstacle))
        }
        guard price == order.expected else { return .failure(.priceChanged(price)) }
        // What costs nothing needs no payment.
        if account.environment == .sandbox, order.settings.paymentFailure != .none,
            price.thousandths > 0
        {
            return .failure(.paymentDeclined)
        }
        if order.settings.asksToBuy { return .failure(.asksToBuy) }
        return order.settings.interruptsPurchases ? .failure(.interrupted) : .success(price)
    }
}
