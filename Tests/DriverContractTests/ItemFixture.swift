import Foundation
import StoreCore
import StoreModel
import StoreTestSupport
import Testing

/// A team with items, and the services over them.
struct ItemFixture: Sendable {
    let connect: ConnectFixture

    init(_ driver: StoreDriver) async throws {
        connect = try await ConnectFixture(driver)
    }

    var database: OpenedDatabase { connect.database }
    var items: ItemService { ItemService(database: database, clock: connect.clock) }
    var storefront: StorefrontService { StorefrontService(database: database) }

    /// An item on sale everywhere.
    @discardableResult
    func add(
        _ title: String, _ kind: ItemKind = .ebook, artist: String? = nil, id: Int64? = nil,
        popularity: Int64 = 0, _ change: (inout ItemDetails) -> Void = { _ in }
    ) async throws -> ItemID {
        let genre = try #require(Genre.root(of: kind).children.first)
        var details = ItemDetails(
            kind: kind, title: title, genres: [genre.id], prices: ItemPrices(tier: "3"))
        if let artist { details.artist = try await self.artist(artist, kind) }
        change(&details)
        let item = try await items.create(
            details, id: id.map { ItemID(number: $0) }, state: .draft, of: connect.team,
            by: connect.admin)
        try await database.write { try $0.addFile(to: item.id) }
        _ = try await items.setState(.onSale, of: item.id, by: connect.admin)
        if popularity > 0 {
            try await database.write {
                try $0.items.raisePopularity(of: item.id, by: popularity)
            }
        }
        return item.id
    }

    private func artist(_ name: String, _ kind: ItemKind) async throws -> ArtistID {
        let type = ArtistType(makerOf: kind)
        let known = try await database.read {
            try $0.items.artist(named: name, type: type, of: connect.team)
        }
        if let known { return known.id }
        return try await items.createArtist(
            name: name, type: type, of: connect.team, by: connect.admin
        ).id
    }

    /// Titles of what a search finds, in their order.
    func search(
        _ term: String, _ kinds: Set<ItemKind> = [], in attribute: ItemAttribute? = nil,
        _ change: (inout ItemQuery) -> Void = { _ in }
    ) async throws -> [String] {
        var query = ItemQuery(
            term: term, kinds: kinds, attribute: attribute, storefront: .unitedStates)
        change(&query)
        return try await storefront.search(query).map(\.item.details.title)
    }
}
