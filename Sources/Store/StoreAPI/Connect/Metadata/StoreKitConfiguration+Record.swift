import Foundation
import StoreCore
import StoreModel
import StoreWire

extension StoreKitConfiguration.Item {
    /// A product as Xcode's configuration lists it; nil where it has no price in the storefront,
    /// which the file can't say.
    init?(_ record: ProductRecord, in storefront: Storefront, at date: Date) {
        let details = record.product.details
        guard let price = details.prices.price(in: storefront, at: date) else { return nil }
        var subscription = details.subscription
        let offers = (subscription?.offers ?? []).compactMap { $0.priced(in: storefront) }
        subscription?.offers = offers
        self.init(
            productID: record.id, type: record.summary.type,
            referenceName: record.summary.referenceName,
            isFamilyShareable: record.summary.isFamilyShareable,
            texts: details.texts.sorted { $0.key < $1.key }.map { locale, text in
                StoreKitConfiguration.Text(
                    locale: locale, title: text.title, description: text.description)
            },
            thousandths: price.thousandths, subscription: subscription)
    }
}
