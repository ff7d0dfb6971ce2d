import Foundation
import StoreModel

/// What a customer confirmed.
package struct PurchaseOrder: Sendable, Hashable {
    package var key: PurchaseKey
    package var productID: String
    package var quantity: Int
    /// The price of one that the customer saw.
    package var confirmedPrice: Money
    package var applicationUsername: String?
    package var device: String

    package init(
        key: PurchaseKey, productID: String, quantity: Int, confirmedPrice: Money,
        applicationUsername: String?, device: String
    ) {
        self.key = key
        self.productID = productID
        self.quantity = quantity
        self.confirmedPrice = confirmedPrice
        self.applicationUsername = applicationUsername
        self.device = device
    }
}

/// What the store says instead of selling.
package enum PurchaseRefusal: Error, Sendable, Hashable {
    case invalidProduct(InvalidReason)
    case typeNotSold(ProductType)
    case quantityOutOfRange(Int)
    case priceChanged(current: Money)
    /// The key was used for another product or quantity.
    case keyReused
}

/// The rules of a purchase.
package enum PurchaseRules {
    /// As many of a product as one payment may be for.
    package static let quantities: ClosedRange<Int> = 1...10

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
        guard details.type != .autoRenewableSubscription else {
            return .failure(.typeNotSold(details.type))
        }
        guard quantities.contains(order.quantity) else {
            return .failure(.quantityOutOfRange(order.quantity))
        }
        guard let price = product.price(in: account.storefront),
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
    package static func isRepetition(_ order: PurchaseOrder, of entry: LedgerEntry) -> Bool {
        entry.details.kind == .purchase && entry.details.productID.text == order.productID
            && entry.details.quantity == order.quantity
    }
}
