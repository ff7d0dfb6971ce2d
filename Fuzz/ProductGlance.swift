import Foundation

@testable import StoreKit
@testable import StoreWire

extension Glance {
    /// Looks at all that an app can see of an answer, in both interfaces.
    static func products(_ answer: ProductsAnswer) {
        products(SKProductsResponse(answer))
        for product in answer.values(log: { _ in }) {
            _ = product.displayPrice + product.price.formatted(product.priceFormatStyle)
            _ = product.displayName + product.description + product.type.localizedDescription
            let json = must { try JSONBacking(product.jsonRepresentation) }
            let read = must { try Product(json) }
            demand(read.id == product.id && read.price == product.price, "a product changed")
            product.subscription.map { subscription($0, of: product) }
        }
    }

    private static func subscription(_ subscription: Product.SubscriptionInfo, of product: Product)
    {
        _ = subscription.groupDisplayName + "\(subscription.groupLevel)"
        period(subscription.subscriptionPeriod, of: product)
        let offers =
            subscription.promotionalOffers + subscription.winBackOffers
            + subscription.pricingTerms.flatMap(\.subscriptionOffers)
        for offer in offers {
            _ = offer.displayPrice + offer.paymentMode.localizedDescription
            period(offer.period, of: product)
        }
    }

    private static func period(_ period: Product.SubscriptionPeriod, of product: Product) {
        let start = Date(timeIntervalSince1970: 0)
        demand(!period.dateRange(referenceDate: start).isEmpty, "a period without an end")
        _ = period.formatted(product.subscriptionPeriodFormatStyle, referenceDate: start)
        _ = period.unit.formatted(product.subscriptionPeriodUnitFormatStyle)
    }
}
