import Foundation
import StoreCore
import StoreModel

/// An item with what the feed's tables say of it.
struct FeedItem: Sendable {
    let item: Item
    let artist: Artist?
    /// The album or season, where customers see it.
    let parent: Item?
    let sellerName: String
    /// Its own.
    let media: [ItemMedia]
    /// Its own picture, or the one of what it is a part of.
    let artwork: ItemMedia?

    var id: ItemID { item.id }
    var details: ItemDetails { item.details }
    var kind: ItemKind { item.details.kind }
    /// In the language that is shown where a storefront's own is missing.
    var text: ItemText { item.details.text(locale: item.details.primaryLocale) }

    /// The storefront whose page the links name: the United States', or the first that sells it.
    var storefront: Storefront {
        let prices = item.details.prices
        if prices.price(in: .unitedStates) != nil { return .unitedStates }
        return Storefront.all.first { prices.price(in: $0) != nil } ?? .unitedStates
    }

    /// A page of items.
    ///
    /// - Parameter withMedia: whether pictures and sellers are needed.
    static func load(
        _ ids: [ItemID], withMedia: Bool, _ repositories: StoreRepositories
    ) throws -> [FeedItem] {
        let items = try repositories.items.items(ids)
        guard withMedia else {
            return items.map {
                FeedItem(
                    item: $0, artist: nil, parent: nil, sellerName: "", media: [], artwork: nil)
            }
        }
        let parents = Dictionary(
            try repositories.items.items(Array(Set(items.compactMap(\.details.parent))))
                .filter { $0.state == .onSale }.map { ($0.id, $0) },
            uniquingKeysWith: { first, _ in first })
        let artists = Dictionary(
            try repositories.items.artists(Array(Set(items.compactMap(\.details.artist))))
                .map { ($0.id, $0) }, uniquingKeysWith: { first, _ in first })
        let media = try repositories.itemMedia.media(of: items.map(\.id) + parents.keys)
        var teams: [Int64: String] = [:]
        for team in Set(items.map(\.team)) {
            teams[team] = try repositories.catalog.team(team)?.name
        }
        return items.map { item in
            let parent = item.details.parent.flatMap { parents[$0] }
            let own = media[item.id] ?? []
            let ofParent = parent.flatMap { media[$0.id] } ?? []
            return FeedItem(
                item: item, artist: item.details.artist.flatMap { artists[$0] }, parent: parent,
                sellerName: item.details.facts.sellerName ?? teams[item.team] ?? "", media: own,
                artwork: own.first { $0.kind == .artwork }
                    ?? ofParent.first { $0.kind == .artwork })
        }
    }
}
