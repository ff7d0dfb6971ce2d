/// Routes about items of the storefront and what customers say about them.
extension DeviceRoute {
    /// `GET`: what the item's page says. The storefront counts where nobody is signed in.
    package static func itemPage(_ id: Int64, storefront: String) -> String {
        "/device/v1/items/\(id)/page?storefront=\(storefront)"
    }

    /// `GET`: reviews in an order of `ItemReviewsAnswer.orders`, a page at a time.
    package static func itemReviews(_ id: Int64, sort: String, page: Int) -> String {
        "/device/v1/items/\(id)/reviews?sort=\(sort)&page=\(page)"
    }

    /// `POST`: buy the item.
    package static func itemSales(_ id: Int64) -> String { "/device/v1/items/\(id)/sales" }

    /// `GET`: the file for buyers, with a range if wanted.
    package static func itemFile(_ id: Int64) -> String { "/device/v1/items/\(id)/file" }

    /// `POST`: write the account's review, or change it. `DELETE`: remove it.
    package static func itemReview(_ id: Int64) -> String { "/device/v1/items/\(id)/review" }

    /// `POST`: say whether a review helps.
    package static func reviewVotes(_ id: Int64) -> String { "/device/v1/reviews/\(id)/votes" }
}
