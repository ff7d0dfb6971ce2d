import Foundation
import StoreDatabase
import StoreModel

extension ItemRepository {
    /// What an artist made and customers of a storefront see, of some kinds.
    package func works(
        of artist: ArtistID, kinds: Set<ItemKind>, by order: ItemOrder, limit: Int,
        in storefront: Storefront
    ) throws -> [Item] {
        let ofKinds: SQL? = kinds.isEmpty ? nil : "AND i.kind IN \(list: Array(kinds))"
        let first: SQL = order == .recent ? "i.release_date DESC NULLS LAST," : ""
        return try connection.records(
            Item.self,
            """
            SELECT \(Item.columns, of: "i") FROM item i
            WHERE i.artist = \(artist) AND i.state = 'ON_SALE' \(ofKinds)
                AND \(ShownItemQuery(storefront: storefront).ofItem)
            ORDER BY \(first) i.popularity DESC, i.id LIMIT \(limit)
            """)
    }

    /// What customers of a storefront see of a list, best first.
    package func chart(_ chart: ItemChart, offset: Int, limit: Int) throws -> [Item] {
        guard limit > 0 else { return [] }
        let depth = offset + limit
        // An index holds the best of one kind in their order; what is asked for is merged from
        // the lists of the kinds.
        var places: [ChartPosition] = []
        let kinds = chart.kinds.isEmpty ? Set(ItemKind.allCases) : chart.kinds
        for kind in kinds {
            places += try ItemChartQuery(connection: connection, chart: chart, limit: depth)
                .best(of: kind)
        }
        places.sort { ($1.rank, $0.item) < ($0.rank, $1.item) }
        return try items(places.dropFirst(offset).prefix(limit).map(\.item))
    }
}

struct ChartPosition: RecordPart {
    let rank: Int64
    let item: ItemID

    init(_ column: borrowing RecordColumns<Self>) throws {
        rank = try column("rank", \.rank)
        item = try column("item", \.item)
    }
}

/// Reads the best of one kind, from indexes in their order.
///
/// What an item costs in a storefront stands in its prices: the own one of the storefront, else
/// the one of the tier, of which `0` is free. Only few items are free in some storefronts and not
/// in others, and an index knows them.
struct ItemChartQuery {
    let connection: any SQLConnection
    let chart: ItemChart
    let limit: Int

    func best(of kind: ItemKind) throws -> [ChartPosition] {
        // A root stands for all that is below it, which is what its kinds are.
        let genre = chart.genre.flatMap { Genre.numbered($0)?.parent == nil ? nil : $0 }
        if let wanted = chart.genre, genre == nil {
            guard Genre.root(of: kind).id == wanted else { return [] }
        }
        switch (chart.rank, chart.isFree) {
        case (.new, _):
            return try best(
                kind, by: "i.release_date", genre,
                "AND i.release_date IS NOT NULL \(costsWhatIsWanted)")
        case (.grossing, _): return try best(kind, by: "i.gross", genre, "AND i.gross > 0")
        case (_, nil): return try free(kind, genre) + priced(kind, genre)
        case (_, true?):
            let freeHere = try best(
                kind, by: "i.popularity", genre,
                "AND i.is_free_somewhere = 1 \(costsWhatIsWanted)")
            return try free(kind, genre) + freeHere
        case (_, false?): return try priced(kind, genre)
        }
    }

    /// What costs nothing anywhere.
    private func free(_ kind: ItemKind, _ genre: Int?) throws -> [ChartPosition] {
        guard let genre else {
            return try best(kind, by: "i.popularity", nil, "AND i.is_free = 1")
        }
        return try best(kind, in: genre, "AND g.is_free = 1")
    }

    /// What costs something somewhere: in the storefront too, where only that is wanted. What is
    /// only to look at has no price, and is not among that.
    private func priced(_ kind: ItemKind, _ genre: Int?) throws -> [ChartPosition] {
        guard let genre else {
            return try best(
                kind, by: "i.popularity", nil, "AND i.is_free = 0 \(costsWhatIsWanted)")
        }
        return try best(kind, in: genre, "AND g.is_free = 0 \(costsWhatIsWanted)")
    }

    /// Whether it costs something in the storefront, as the chart wants it.
    private var costsWhatIsWanted: SQL? {
        chart.isFree.map { isFree in
            """
            AND \(isFree) = CAST(ifnull(
                CAST(json_extract(i.prices, \("$.own.\(chart.storefront.code)")) AS INTEGER) = 0,
                json_extract(i.prices, '$.tier') = '0') AS INT)
            """
        }
    }

    private func best(
        _ kind: ItemKind, by rank: SQL, _ genre: Int?, _ condition: SQL
    ) throws -> [ChartPosition] {
        try connection.records(
            ChartPosition.self,
            """
            SELECT \(rank) AS rank, i.id AS item FROM item i
            WHERE i.kind = \(kind) AND i.state = 'ON_SALE' \(condition)
                AND \(shown(genre).ofItem)
            ORDER BY \(rank) DESC, i.id LIMIT \(limit)
            """)
    }

    /// The most popular ones of a genre.
    private func best(_ kind: ItemKind, in genre: Int, _ condition: SQL) throws -> [ChartPosition] {
        try connection.records(
            ChartPosition.self,
            """
            SELECT -g.rank AS rank, g.item AS item FROM item_genre g JOIN item i ON i.id = g.item
            WHERE g.genre = \(genre) AND g.kind = \(kind) \(condition)
                AND \(shown(nil).ofItem)
            ORDER BY g.rank, g.item LIMIT \(limit)
            """)
    }

    private func shown(_ genre: Int?) -> ShownItemQuery {
        ShownItemQuery(
            storefront: chart.storefront, includesExplicit: chart.includesExplicit,
            isForTablets: chart.isForTablets, genre: genre)
    }
}
