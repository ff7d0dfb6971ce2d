import StoreCore
import StoreModel

/// What the pages about the storefront work with.
package struct PortalStorefront: Sendable {
    let items: ItemService
    let itemMedia: ItemMediaService
    let customerReviews: CustomerReviewService
    let itemSales: ItemSaleService
    let affiliates: AffiliateService
    let feedPartners: FeedPartnerService

    package init(
        items: ItemService, itemMedia: ItemMediaService, customerReviews: CustomerReviewService,
        itemSales: ItemSaleService, affiliates: AffiliateService, feedPartners: FeedPartnerService
    ) {
        self.items = items
        self.itemMedia = itemMedia
        self.customerReviews = customerReviews
        self.itemSales = itemSales
        self.affiliates = affiliates
        self.feedPartners = feedPartners
    }
}

extension PortalServices {
    var items: ItemService { storefront.items }
    var itemMedia: ItemMediaService { storefront.itemMedia }
    var customerReviews: CustomerReviewService { storefront.customerReviews }
    var itemSales: ItemSaleService { storefront.itemSales }
    var affiliates: AffiliateService { storefront.affiliates }
    var feedPartners: FeedPartnerService { storefront.feedPartners }
}

extension PortalCall {
    /// Titles of items, for lists of what is about them.
    func titles(of items: [ItemID]) async throws -> [ItemID: String] {
        let found = try await services.database.read { repositories in
            try repositories.items.items(Array(Set(items)))
        }
        return Dictionary(found.map { ($0.id, $0.title) }) { first, _ in first }
    }

    /// The title of an item, as a link where its pages are open to whoever looks.
    func itemLink(_ id: ItemID, _ titles: [ItemID: String]) -> HTML {
        let title = HTML.foreign(titles[id] ?? "Item \(id)")
        return actor.allows(.manageItems) ? .link(ItemTabs.path(id), [title]) : title
    }
}
