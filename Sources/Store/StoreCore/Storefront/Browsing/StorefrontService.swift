import StoreModel

/// The storefront as customers see it: reads only, and only what is on sale where they are.
package struct StorefrontService: Sendable {
    let database: any ShopDatabase
    /// Whose customers' stars are shown.
    let environment: StoreEnvironment

    /// How many items one answer holds.
    package static let most = 200

    package init(database: any ShopDatabase, environment: StoreEnvironment = .production) {
        self.database = database
        self.environment = environment
    }

    /// The storefront with the stars that customers of an environment gave.
    package func seen(in environment: StoreEnvironment) -> StorefrontService {
        StorefrontService(database: database, environment: environment)
    }

    private func view(
        _ storefront: Storefront, _ locale: String?, _ repositories: StoreRepositories
    ) -> StorefrontView {
        StorefrontView(storefront, locale: locale, environment, repositories)
    }

    // MARK: Items

    /// An item; nil where it is not sold or shown in the storefront.
    ///
    /// - Parameter locale: the language of its texts; nil for the storefront's.
    package func item(
        _ id: ItemID, in storefront: Storefront, locale: String? = nil
    ) async throws -> StorefrontItem? {
        try await items([id], in: storefront, locale: locale).first
    }

    /// An item of the storefront, or one that the account owns; nil for any other.
    package func item(
        _ id: ItemID, in storefront: Storefront, orOwnedBy account: AccountID
    ) async throws -> StorefrontItem? {
        try await database.read { repositories in
            guard let item = try repositories.items.item(id) else { return nil }
            let isOwned = try repositories.itemSales.owned(id, by: account) != nil
            return try view(storefront, nil, repositories).items([item], areOwned: isOwned).first
        }
    }

    /// Those that are sold or shown in the storefront, in the order of the identifiers.
    package func items(
        _ ids: [ItemID], in storefront: Storefront, locale: String? = nil
    ) async throws -> [StorefrontItem] {
        guard !ids.isEmpty else { return [] }
        return try await database.read { repositories in
            try view(storefront, locale, repositories)
                .items(try repositories.items.items(ids))
        }
    }

    /// Numbers of the items that a key of a lookup names, wherever they are sold.
    package func ids(_ key: ItemKey) async throws -> [ItemID] {
        try await database.read { try $0.items.ids(key) }
    }

    /// Parts of an album or a season, in their order.
    package func parts(
        of item: ItemID, in storefront: Storefront, locale: String? = nil
    ) async throws -> [StorefrontItem] {
        try await database.read { repositories in
            try view(storefront, locale, repositories)
                .items(try repositories.items.parts(of: item))
        }
    }

    /// The parts of an album or a season that its owner sees, on sale or not.
    package func ownedParts(
        of item: ItemID, in storefront: Storefront
    ) async throws -> [StorefrontItem] {
        try await database.read { repositories in
            let parts = try repositories.items.parts(of: item).filter { $0.state != .draft }
            return try view(storefront, nil, repositories).items(parts, areOwned: true)
        }
    }

    /// Items on sale anywhere in the order of their numbers, from one of them on.
    package func itemsOnSale(from id: ItemID, limit: Int) async throws -> [Item] {
        try await database.read { try $0.items.onSale(from: id, limit: limit) }
    }

    /// The item on sale that stands some places behind the first one from a number on; nil where
    /// there are no more.
    package func itemOnSale(after places: Int, from id: ItemID) async throws -> ItemID? {
        try await database.read { try $0.items.onSale(after: places, from: id) }
    }

    // MARK: Artists

    package func artist(_ id: ArtistID) async throws -> Artist? {
        try await database.read { try $0.items.artist(id) }
    }

    package func artists(amgArtistID: Int64) async throws -> [Artist] {
        try await database.read { try $0.items.artists(amgArtistID: amgArtistID) }
    }

    /// What an artist made, of some kinds (none for all).
    package func works(
        of artist: ArtistID, kinds: Set<ItemKind> = [], by order: ItemOrder = .popular,
        limit: Int = most, in storefront: Storefront, locale: String? = nil
    ) async throws -> [StorefrontItem] {
        try await database.read { repositories in
            let view = view(storefront, locale, repositories)
            return try view.items(
                try repositories.items.works(
                    of: artist, kinds: kinds, by: order, limit: min(limit, Self.most),
                    in: storefront))
        }
    }

    // MARK: Finding

    /// What a search finds, best first.
    package func search(
        _ query: ItemQuery, locale: String? = nil
    ) async throws -> [StorefrontItem] {
        try await database.read { repositories in
            let ids = try repositories.itemSearch.items(query)
            return try view(query.storefront, locale, repositories)
                .items(try repositories.items.items(ids))
        }
    }

    /// Artists with works that customers of the query's storefront see, best first.
    package func searchArtists(_ query: ItemQuery) async throws -> [Artist] {
        try await database.read { repositories in
            try repositories.items.artists(try repositories.itemSearch.artists(query))
        }
    }

    /// A part of a list of the best.
    package func chart(
        _ chart: ItemChart, offset: Int = 0, limit: Int, locale: String? = nil
    ) async throws -> [StorefrontItem] {
        let offset = min(max(0, offset), 5_000)
        let limit = min(limit, Self.most)
        return try await database.read { repositories in
            try view(chart.storefront, locale, repositories)
                .items(try repositories.items.chart(chart, offset: offset, limit: limit))
        }
    }

    /// What customers who look at an item may like too: others of its artist, then the best of
    /// its genre.
    package func related(
        to item: StorefrontItem, limit: Int, locale: String? = nil
    ) async throws -> [StorefrontItem] {
        try await database.read { repositories in
            var found: [Item] = []
            if let artist = item.item.details.artist {
                found = try repositories.items.works(
                    of: artist, kinds: [item.kind], by: .popular, limit: limit / 2 + 1,
                    in: item.storefront)
            }
            let chart = ItemChart(
                kinds: [item.kind], rank: .all, genre: item.item.details.genres.first,
                storefront: item.storefront,
                includesExplicit: item.item.details.explicitness == .explicit)
            found += try repositories.items.chart(chart, offset: 0, limit: limit * 2 + 1)
            var seen: Set<ItemID> = [item.id]
            let others = found.filter { seen.insert($0.id).inserted }
            let shown = try view(item.storefront, locale, repositories)
                .items(others)
            return Array(shown.prefix(limit))
        }
    }
}
