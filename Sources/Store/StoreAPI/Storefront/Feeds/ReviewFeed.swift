import Foundation
import StoreCore
import StoreModel

/// What customers think of an item, as a feed: what is asked for.
struct ReviewFeed: Hashable, Sendable {
    var item: ItemID
    var storefront: Storefront
    /// From 1 on.
    var page: Int
    var order: ReviewOrder

    static let pageSize = 50
    /// As in the App Store; older reviews are on the item's page.
    static let lastPage = 10

    /// - Throws: `ParameterRefusal`.
    init(_ parts: FeedParts, in storefront: Storefront) throws {
        guard let item = parts["id"].flatMap({ ItemID($0) }) else {
            throw ParameterRefusal(key: "id")
        }
        self.item = item
        self.storefront = storefront
        page = try parts["page"].map { try QueryParameters.count($0, key: "page") } ?? 1
        guard page <= Self.lastPage else { throw ParameterRefusal(key: "page") }
        let name = parts["sortby"]?.lowercased() ?? ReviewOrder.mostRecent.rawValue
        guard let order = ReviewOrder(rawValue: name) else { throw ParameterRefusal(key: "sortby") }
        self.order = order
    }

    func address(page: Int, _ links: StorefrontLinks) -> String {
        "\(links.home(of: storefront))/rss/customerreviews/page=\(page)/id=\(item)"
            + "/sortby=\(order.rawValue)"
    }
}

/// Writes the feed of an item's reviews.
struct ReviewFeedWriter {
    let asked: ReviewFeed
    let links: StorefrontLinks
    let prices: PriceTexts
    /// Ending of the addresses, `json` or `xml`.
    let format: FeedFormat

    private var kit: FeedWriter { FeedWriter(storefront: asked.storefront, links: links) }

    /// - Parameters:
    ///   - item: nil where customers of the storefront don't see it; clients know that by the
    ///     missing links.
    ///   - total: of the reviews on all pages.
    func feed(
        _ reviews: [CustomerReview], total: Int, of item: StorefrontItem?, now: Date
    ) -> FeedNode {
        let title = "\(FeedWriter.title): Customer Reviews"
        let own = address(asked.page)
        guard let item else {
            return kit.feed(title: title, id: own, updated: now, entries: [], links: [])
        }
        let result = ItemResult(item: item, links: links, prices: prices)
        let pages = (total + ReviewFeed.pageSize - 1) / ReviewFeed.pageSize
        let last = min(max(1, pages), ReviewFeed.lastPage)
        var relations = [
            kit.link("alternate", result.pageAddress, type: "text/html"), kit.link("self", own),
            kit.link("first", address(1)), kit.link("last", address(last)),
        ]
        if asked.page > 1 { relations.append(kit.link("previous", address(asked.page - 1))) }
        if asked.page < last { relations.append(kit.link("next", address(asked.page + 1))) }
        return kit.feed(
            title: title, id: own, updated: reviews.map(\.changed).max() ?? now,
            entries: reviews.map { entry($0, result) }, links: relations)
    }

    private func address(_ page: Int) -> String {
        "\(asked.address(page: page, links))/\(format.rawValue)"
    }

    private func entry(_ review: CustomerReview, _ result: ItemResult) -> FeedNode {
        let kind = FeedContentType(result.item.kind)
        return FeedNode(
            "entry",
            children: [
                FeedNode(
                    "author",
                    children: [
                        FeedNode("uri", result.pageAddress), FeedNode("name", review.nickname),
                    ]),
                FeedNode("updated", review.changed.formatted(.iso8601)),
                FeedNode("im:rating", String(review.rating)),
                FeedNode("im:version", review.version ?? ""),
                FeedNode("id", review.id.description),
                FeedNode("title", review.title),
                FeedNode("content", review.body, [("type", "text")]),
                kit.link("related", result.pageAddress),
                FeedNode("im:voteSum", String(review.helpfulVotes)),
                FeedNode("im:contentType", nil, [("term", kind.term), ("label", kind.label)]),
                FeedNode("im:voteCount", String(review.votes)),
            ])
    }
}

/// In which form a feed is written.
enum FeedFormat: String, Hashable, Sendable {
    case json
    case xml
}
