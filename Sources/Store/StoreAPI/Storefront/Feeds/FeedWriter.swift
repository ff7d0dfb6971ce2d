import Foundation
import StoreCore
import StoreModel

/// What the feeds have in common.
struct FeedWriter {
    let storefront: Storefront
    let links: StorefrontLinks

    static let title = "OpenStore"

    func link(_ relation: String, _ address: String, type: String? = nil) -> FeedNode {
        var attributes = [(name: "rel", value: relation)]
        if let type { attributes.append(("type", type)) }
        attributes.append(("href", address))
        return FeedNode("link", nil, attributes)
    }

    /// - Parameters:
    ///   - updated: when something in it changed.
    ///   - id: the feed's own address.
    func feed(
        title: String, id: String, updated: Date, entries: [FeedNode], links: [FeedNode]
    ) -> FeedNode {
        let author = FeedNode(
            "author",
            children: [
                FeedNode("name", Self.title),
                FeedNode("uri", self.links.home(of: storefront)),
            ])
        let about = [
            FeedNode("updated", updated.formatted(.iso8601)),
            FeedNode("rights", "Copyright of the publishers"), FeedNode("title", title),
        ]
        return FeedNode(
            "feed", children: [author] + entries + about + links + [FeedNode("id", id)])
    }
}

/// Writes the feed of a list.
struct ChartFeedWriter {
    let asked: ChartFeed
    let links: StorefrontLinks
    let prices: PriceTexts
    /// Ending of the feed's own address.
    let format: FeedFormat

    private var kit: FeedWriter { FeedWriter(storefront: asked.storefront, links: links) }

    func feed(_ items: [StorefrontItem], now: Date) -> FeedNode {
        let home = links.home(of: asked.storefront)
        let own = asked.address(links, format)
        return kit.feed(
            title: "\(FeedWriter.title): \(asked.collection.title)",
            id: own,
            updated: items.map(\.item.changed).max() ?? now, entries: items.map(entry),
            links: [
                kit.link("alternate", home, type: "text/html"),
                kit.link("self", own),
            ])
    }

    private func entry(_ item: StorefrontItem) -> FeedNode {
        let result = ItemResult(item: item, links: links, prices: prices)
        var nodes = [FeedNode("im:name", item.text.title)]
        for size in [53, 75, 100] {
            guard let artwork = result.artwork(size) else { continue }
            nodes.append(FeedNode("im:image", artwork, [("height", String(size))]))
        }
        if let count = item.item.details.facts.trackCount, item.kind.isCollection {
            nodes.append(FeedNode("im:itemCount", String(count)))
        }
        if !item.text.description.isEmpty {
            nodes.append(FeedNode("summary", item.text.description))
        }
        if let price = item.price {
            nodes.append(
                FeedNode(
                    "im:price", prices.text(price, locale: item.storefront.locale),
                    [("amount", price.resultNumber), ("currency", price.currency)]))
        }
        let kind = FeedContentType(item.kind)
        nodes.append(
            FeedNode("im:contentType", nil, [("term", kind.term), ("label", kind.label)]))
        if let rights = item.item.details.facts.copyright {
            nodes.append(FeedNode("rights", rights))
        }
        nodes.append(FeedNode("title", "\(item.text.title) - \(result.artistName)"))
        nodes.append(kit.link("alternate", result.pageAddress, type: "text/html"))
        nodes.append(id(of: item, result))
        nodes.append(
            FeedNode(
                "im:artist", result.artistName,
                result.artistAddress.map { [("href", $0)] } ?? []))
        if let genre = result.primaryGenre { nodes.append(category(genre)) }
        if let date = item.item.details.releaseDate {
            nodes.append(
                FeedNode("im:releaseDate", date.formatted(.iso8601), [("label", day(date))]))
        }
        return FeedNode("entry", children: nodes)
    }

    private func id(of item: StorefrontItem, _ result: ItemResult) -> FeedNode {
        var attributes = [(name: "im:id", value: item.id.description)]
        if let bundleID = item.item.details.bundleID ?? item.app?.bundleID.text {
            attributes.append(("im:bundleId", bundleID))
        }
        return FeedNode("id", result.pageAddress, attributes)
    }

    private func category(_ genre: Genre) -> FeedNode {
        FeedNode(
            "category", nil,
            [
                ("im:id", String(genre.id)), ("term", genre.name),
                ("scheme", GenreAnswer.address(of: genre, in: asked.storefront, links)),
                ("label", genre.name),
            ])
    }

    /// A day as people of the storefront write it.
    private func day(_ date: Date) -> String {
        let style = Date.FormatStyle(
            date: .long, time: .omitted, locale: Locale(identifier: asked.storefront.locale),
            calendar: Calendar(identifier: .gregorian), timeZone: .gmt)
        return date.formatted(style)
    }
}

/// What feeds call the kinds.
struct FeedContentType {
    let term: String
    let label: String

    init(_ kind: ItemKind) {
        switch kind {
        case .software, .macSoftware: term = "Application"
        case .ebook: term = "ebook"
        case .album, .song: term = "Music"
        case .musicVideo: term = "Music Video"
        case .movie, .shortFilm: term = "Movie"
        case .tvEpisode, .tvSeason: term = "TV Show"
        case .podcast: term = "Podcast"
        case .audiobook: term = "Audiobook"
        }
        label = term == "ebook" ? "Book" : term
    }
}
