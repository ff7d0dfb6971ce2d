import StoreCore
import StoreModel
import StoreWire

extension ListedProduct {
    /// What Xcode's configuration says of a product.
    ///
    /// - Parameter storefront: the one whose currency the file's prices are in.
    /// - Throws: `ProductFileError` for a price that is no tier's.
    init(_ item: StoreKitConfiguration.Item, in storefront: Storefront) throws {
        let price = Money(thousandths: item.thousandths, currency: storefront.currency)
        guard let tier = PriceTier.priced(price, in: storefront) else {
            throw ProductFileError(problems: [
                (
                    nil,
                    "\(item.productID) costs \(price.formatted(locale: storefront.locale)), which "
                        + "is no price of the price list in \(storefront.code)"
                )
            ])
        }
        let texts = item.texts.map { text in
            (
                ProductLocale.code(of: text.locale),
                ProductText(
                    title: text.title.isEmpty ? item.referenceName : text.title,
                    description: text.description)
            )
        }
        self.init(
            productID: item.productID, type: item.type, referenceName: item.referenceName,
            isFamilyShareable: item.isFamilyShareable,
            texts: texts.isEmpty
                ? nil : Dictionary(texts, uniquingKeysWith: { first, _ in first }),
            prices: ListedPrices(
                world: [.init(tier: tier.identifier)],
                shown: .init(storefront: storefront, thousandths: item.thousandths)),
            subscription: item.subscription)
        takesNearLanguages = true
    }
}
