import StoreAPI
import StorePages

extension PortalStorefront {
    /// The pages work with the services that the API works with.
    package init(_ services: APIServices) {
        self.init(
            items: services.items, itemMedia: services.itemMedia,
            customerReviews: services.customerReviews, itemSales: services.itemSales,
            affiliates: services.affiliates, feedPartners: services.feedPartners)
    }
}
