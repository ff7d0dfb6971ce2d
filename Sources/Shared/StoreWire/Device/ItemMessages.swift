import StoreModel

/// An item of the storefront as lists show it.
package struct WireItem: Codable, Sendable, Hashable {
    package var itemId: Int64
    /// The raw value of an `ItemKind`.
    package var kind: String
    package var title: String
    /// Who made it; empty where the store does not say.
    package var maker: String
    /// Nil where it is not sold by itself.
    package var price: Money?

    package init(itemId: Int64, kind: String, title: String, maker: String, price: Money?) {
        self.itemId = itemId
        self.kind = kind
        self.title = title
        self.maker = maker
        self.price = price
    }
}

/// Answer of `GET /device/v1/items/{id}/page`: what the item's page says, and what the caller's
/// account has of it.
package struct ItemPageAnswer: Codable, Sendable, Hashable {
    package var item: WireItem
    /// The alpha-3 code of the storefront.
    package var storefront: String
    /// The address of the page.
    package var url: String
    package var seller: String
    package var subtitle: String
    package var description: String
    /// In English; nil where it has none.
    package var genre: String?
    package var ageRating: String?
    /// Bytes of what a customer downloads.
    package var fileSize: Int64?
    /// What the publisher names for questions; `http` or `https`.
    package var supportUrl: String?
    package var rating: WireRating
    /// The newest first.
    package var versions: [WireItemVersion]
    /// What is sold inside of an app.
    package var purchases: [WireItemPurchase]
    /// Songs of an album, episodes of a season.
    package var parts: [WireItem]
    /// Other items of its maker.
    package var others: [WireItem]
    package var related: [WireItem]
    /// Why nobody can buy it now, as a sentence; nil where it can be bought.
    package var obstacle: String?
    /// Nil where nobody is signed in.
    package var customer: WireItemCustomer?

    package init(
        item: WireItem, storefront: String, url: String, seller: String, subtitle: String,
        description: String, genre: String?, ageRating: String?, fileSize: Int64?,
        supportUrl: String?, rating: WireRating, versions: [WireItemVersion],
        purchases: [WireItemPurchase], parts: [WireItem], others: [WireItem],
        related: [WireItem], obstacle: String?, customer: WireItemCustomer?
    ) {
        self.item = item
        self.storefront = storefront
        self.url = url
        self.seller = seller
        self.subtitle = subtitle
        self.description = description
        self.genre = genre
        self.ageRating = ageRating
        self.fileSize = fileSize
        self.supportUrl = supportUrl
        self.rating = rating
        self.versions = versions
        self.purchases = purchases
        self.parts = parts
        self.others = others
        self.related = related
        self.obstacle = obstacle
        self.customer = customer
    }
}

/// The stars of an item, over all storefronts.
package struct WireRating: Codable, Sendable, Hashable {
    /// For one star to five.
    package var counts: [Int]

    package init(counts: [Int]) {
        self.counts = counts
    }
}

/// A version of an item that was on sale.
package struct WireItemVersion: Codable, Sendable, Hashable {
    package var version: String
    /// Milliseconds since 1970; nil where it is not known.
    package var date: Int64?
    package var notes: String

    package init(version: String, date: Int64?, notes: String) {
        self.version = version
        self.date = date
        self.notes = notes
    }
}

/// Something that is sold inside of an app.
package struct WireItemPurchase: Codable, Sendable, Hashable {
    package var title: String
    package var price: Money

    package init(title: String, price: Money) {
        self.title = title
        self.price = price
    }
}

/// What an account has of an item, and may do with it.
package struct WireItemCustomer: Codable, Sendable, Hashable {
    package var isOwned: Bool
    /// What it downloads; nil where there is nothing, and where it may not.
    package var file: WireItemFile?
    /// Whether there is a file that is not for this tester.
    package var isWithheld: Bool
    /// Whether somebody else approves what the account buys (Ask to Buy).
    package var needsApproval: Bool
    package var mayReview: Bool
    /// What it wrote.
    package var review: WireReview?

    package init(
        isOwned: Bool, file: WireItemFile?, isWithheld: Bool, needsApproval: Bool,
        mayReview: Bool, review: WireReview?
    ) {
        self.isOwned = isOwned
        self.file = file
        self.isWithheld = isWithheld
        self.needsApproval = needsApproval
        self.mayReview = mayReview
        self.review = review
    }
}

/// What a buyer of an item downloads.
package struct WireItemFile: Codable, Sendable, Hashable {
    package var name: String
    /// Bytes.
    package var size: Int64
    /// SHA-256 of all bytes, hexadecimal.
    package var digest: String

    package init(name: String, size: Int64, digest: String) {
        self.name = name
        self.size = size
        self.digest = digest
    }
}

/// A customer's review.
package struct WireReview: Codable, Sendable, Hashable {
    package var reviewId: Int64
    /// 1 to 5 stars.
    package var rating: Int
    /// Both empty where the customer has only rated.
    package var title: String
    package var body: String
    package var nickname: String
    /// Of the item, where it has versions.
    package var version: String?
    /// Milliseconds since 1970.
    package var date: Int64
    package var helpfulVotes: Int
    package var votes: Int
    /// What the publisher answered.
    package var response: String?
    /// For the account's own only: `PUBLISHED`, `HELD` or `REJECTED`.
    package var state: String?

    package init(
        reviewId: Int64, rating: Int, title: String, body: String, nickname: String,
        version: String?, date: Int64, helpfulVotes: Int, votes: Int, response: String?,
        state: String?
    ) {
        self.reviewId = reviewId
        self.rating = rating
        self.title = title
        self.body = body
        self.nickname = nickname
        self.version = version
        self.date = date
        self.helpfulVotes = helpfulVotes
        self.votes = votes
        self.response = response
        self.state = state
    }
}

/// Answer of `GET /device/v1/items/{id}/reviews`.
package struct ItemReviewsAnswer: Codable, Sendable, Hashable {
    package var reviews: [WireReview]
    /// From 1 on; the last one where a later one was asked for.
    package var page: Int
    package var pages: Int

    package init(reviews: [WireReview], page: Int, pages: Int) {
        self.reviews = reviews
        self.page = page
        self.pages = pages
    }

    /// How reviews can be sorted: the values of `sort`, the standard first.
    package static let orders = ["mosthelpful", "mostrecent", "mostfavorable", "mostcritical"]
}

/// Body of `POST /device/v1/items/{id}/sales`. The same order twice is one sale.
package struct ItemOrderRequest: Codable, Sendable, Hashable {
    /// What the customer has agreed to.
    package var price: Money
    package var at: String?
    package var ct: String?
    package var pt: String?

    package init(price: Money, at: String?, ct: String?, pt: String?) {
        self.price = price
        self.at = at
        self.ct = ct
        self.pt = pt
    }
}

/// Body of `POST /device/v1/items/{id}/review`.
package struct ReviewRequest: Codable, Sendable, Hashable {
    package var rating: Int
    package var title: String
    package var body: String
    package var nickname: String

    package init(rating: Int, title: String, body: String, nickname: String) {
        self.rating = rating
        self.title = title
        self.body = body
        self.nickname = nickname
    }
}

/// Body of `POST /device/v1/reviews/{id}/votes`.
package struct ReviewVoteRequest: Codable, Sendable, Hashable {
    package var isHelpful: Bool

    package init(isHelpful: Bool) {
        self.isHelpful = isHelpful
    }
}
