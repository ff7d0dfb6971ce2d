import StoreCore
import StoreModel

/// A product without links that lead away: for pages on which a customer is to decide about it
/// and nothing else.
///
/// ```swift
/// let body = ItemPageBody(item: item, parts: parts, reviews: reviews, links: links)
/// let page = StorefrontPage(item.text.title, body.html(offer: form))
/// return .storefrontPage(StorefrontLayout(frame).focused(page))
/// ```
package struct ItemPageBody: Sendable {
    package let item: StorefrontItem
    /// Songs of an album, episodes of a season.
    package let parts: [StorefrontItem]
    /// Some of what customers say about it, best first.
    package let reviews: [CustomerReview]
    package let links: StorefrontLinks
    /// What of it the customer downloads here: the item itself, or parts of it.
    package let downloads: Set<ItemID>

    package init(
        item: StorefrontItem, parts: [StorefrontItem], reviews: [CustomerReview],
        links: StorefrontLinks, downloads: Set<ItemID> = []
    ) {
        self.item = item
        self.parts = parts
        self.reviews = reviews
        self.links = links
        self.downloads = downloads
    }

    /// - Parameters:
    ///   - offer: what gets it: a form, or what the customer has of it.
    ///   - download: what gives the customer a part that is theirs.
    package func html(offer: HTML, download: @escaping (ItemID) -> HTML = { _ in .nothing }) -> HTML
    {
        let previews = ItemPreviews(item: item, links: links)
        let texts = ItemTexts(item: item)
        return .element(
            "article", class: "product",
            [
                ItemHero(item: item, links: links, frame: nil, offer: offer).html,
                previews.gallery(of: .screenshot, "Screenshots", opens: false),
                previews.gallery(of: .tabletScreenshot, "Tablet Screenshots", opens: false),
                previews.players,
                ItemParts(
                    parts: parts, links: links,
                    offer: { downloads.contains($0.id) ? download($0.id) : price($0) },
                    leads: false
                ).html,
                texts.description, texts.news, opinions,
                ItemFactList(item: item, frame: nil).html,
            ])
    }

    private func price(_ part: StorefrontItem) -> HTML {
        part.price.map {
            .element("span", class: "price", StoreWords.price($0, in: part.storefront))
        } ?? .nothing
    }

    private var opinions: HTML {
        guard item.rating.total > 0 else { return .nothing }
        return .element(
            "section", [.init("class", "opinions")],
            [
                .element("h2", "Ratings and Reviews"), OpinionPieces.summary(item.rating),
                reviews.isEmpty
                    ? .nothing
                    : .element(
                        "ul", class: "reviews",
                        reviews.map { .element("li", [], OpinionPieces.review($0, isTop: true)) }),
            ])
    }
}
