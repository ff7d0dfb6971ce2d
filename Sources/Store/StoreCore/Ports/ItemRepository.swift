import Foundation
import StoreModel

/// Items of the storefront, and who made them.
package protocol ItemRepository {
    /// Grows with each change to what customers see on the storefront's pages: items, artists,
    /// pictures, reviews. A sale alone is none; popularity counts where it changes the order of
    /// searches.
    func generation() throws -> Int64

    func item(_ id: ItemID) throws -> Item?
    /// Those that there are, in the order of the identifiers.
    func items(_ ids: [ItemID]) throws -> [Item]
    /// Numbers of the items that a key of a lookup names.
    func ids(_ key: ItemKey) throws -> [ItemID]
    /// Parts of an album or a season, in their order.
    func parts(of item: ItemID) throws -> [Item]
    /// What an artist made and customers of a storefront see, of some kinds.
    func works(
        of artist: ArtistID, kinds: Set<ItemKind>, by order: ItemOrder, limit: Int,
        in storefront: Storefront
    ) throws -> [Item]
    /// Items on sale in the order of their numbers, from one of them on.
    func onSale(from id: ItemID, limit: Int) throws -> [Item]
    /// The number of the item on sale that stands some places behind the first one from a number
    /// on; nil where there are no more.
    func onSale(after places: Int, from id: ItemID) throws -> ItemID?
    /// What customers of a storefront see of a list, best first.
    func chart(_ chart: ItemChart, offset: Int, limit: Int) throws -> [Item]
    /// A page of a team's items (nil for all teams) for its publisher, the newest first.
    func page(
        of team: Int64?, _ filter: ItemFilter, _ request: PageRequest
    ) throws -> ListPage<Item>
    /// Adds an item.
    ///
    /// - Parameter id: its number; nil for the next free one. An app's item has the app's.
    func insert(
        _ details: ItemDetails, id: ItemID?, of team: Int64, state: ItemState, at date: Date
    ) throws -> Item
    /// Changes an item, and what searches know of it.
    func update(_ item: Item, at date: Date) throws
    /// Apps on sale that have no item yet.
    func unlistedApps(limit: Int) throws -> [AppID]
    /// Whether a number is the "Apple ID" of an app, an in-app purchase, an item or an artist, or
    /// was the one of an app that was deleted: nothing else gets it.
    func isTaken(_ number: Int64) throws -> Bool
    /// Adds to an item's popularity.
    func raisePopularity(of item: ItemID, by amount: Int64) throws

    func artist(_ id: ArtistID) throws -> Artist?
    func artists(_ ids: [ArtistID]) throws -> [Artist]
    func artists(amgArtistID: Int64) throws -> [Artist]
    /// The artist of a name and a type, of a team.
    func artist(named name: String, type: ArtistType, of team: Int64) throws -> Artist?
    func insert(_ artist: Artist, isNumbered: Bool) throws -> Artist
    func update(_ artist: Artist) throws
}

/// By what a lookup finds items.
package enum ItemKey: Sendable, Hashable {
    case app(AppID)
    /// The app that an in-app purchase belongs to.
    case purchase(ProductNumber)
    case bundleID(String)
    case upc(String)
    case isbn(String)
    case amgAlbumID(Int64)
    case amgVideoID(Int64)
}

package enum ItemOrder: String, Sendable, Hashable {
    case popular
    case recent
}

/// A list of the best of a kind.
package struct ItemChart: Sendable, Hashable {
    package enum Rank: String, Sendable, Hashable, CaseIterable {
        case free, paid, new, grossing, all
    }

    package var kinds: Set<ItemKind>
    package var rank: Rank
    /// The number of a `Genre`; nil for all.
    package var genre: Int?
    package var storefront: Storefront
    package var includesExplicit: Bool
    /// Whether only what costs nothing in the storefront is listed, or only what costs something;
    /// nil for what the rank says.
    package var isFree: Bool?
    /// Apps for tablets only.
    package var isForTablets: Bool

    package init(
        kinds: Set<ItemKind>, rank: Rank, genre: Int? = nil, storefront: Storefront,
        includesExplicit: Bool = true, isFree: Bool? = nil, isForTablets: Bool = false
    ) {
        self.kinds = kinds
        self.rank = rank
        self.genre = genre
        self.storefront = storefront
        self.includesExplicit = includesExplicit
        self.isFree =
            switch rank {
            case .free: true
            case .paid: false
            case .new, .grossing, .all: isFree
            }
        self.isForTablets = isForTablets
    }
}

/// Which items a publisher wants to see.
package struct ItemFilter: Sendable, Hashable {
    package var kinds: Set<ItemKind>
    package var states: Set<ItemState>
    /// A part of a title, in any case.
    package var search: String?

    package init(kinds: Set<ItemKind> = [], states: Set<ItemState> = [], search: String? = nil) {
        self.kinds = kinds
        self.states = states
        self.search = search
    }
}

/// Finds items by words. FTS5 stands behind it on SQLite; PostgreSQL's search can.
package protocol ItemSearchRepository {
    /// Items that customers of the query's storefront see, best first.
    func items(_ query: ItemQuery) throws -> [ItemID]
    /// Artists with at least one such item, best first.
    func artists(_ query: ItemQuery) throws -> [ArtistID]
}
