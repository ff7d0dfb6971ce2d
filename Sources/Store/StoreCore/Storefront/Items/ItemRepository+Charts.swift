import Foundation
import StoreModel

extension ItemRepository {
    /// What an artist made and customers of a storefront see, of some kinds.
    package func works(
        of artist: ArtistID, kinds: Set<ItemKind>, by order: ItemOrder, limit: Int,
        in storefront: Storefront
    ) throws -> [Item] {
        try connection.rows(
            """
            SELECT r.* FROM item i JOIN item_row r ON r.id = i.id
            WHERE i.artist = ?1 AND i.state = 'ON_SALE'
                AND (?2 IS NULL OR i.kind IN (SELECT value FROM json_each(?2)))
                AND (i.storefronts IS NULL OR instr(i.storefronts, ?5) > 0)
            ORDER BY CASE ?3 WHEN 'recent' THEN i.release_date ELSE i.popularity END DESC
                    NULLS LAST,
                i.popularity DESC, i.id
            LIMIT ?4
            """,
            [
                .integer(artist.number), .list(kinds.map(\.rawValue).sorted()),
                .text(order.rawValue), .integer(limit), .text(":\(storefront.code):"),
            ], Self.read)
    }

    /// What customers of a storefront see of a list, best first.
    package func chart(_ chart: ItemChart, offset: Int, limit: Int) throws -> [Item] {
        guard limit > 0 else { return [] }
        let depth = offset + limit
        // An index holds the best of one kind in their order; what is asked for is merged from
        // the lists of the kinds.
        var places: [ChartPlace] = []
        let kinds = chart.kinds.isEmpty ? Set(ItemKind.allCases) : chart.kinds
        for kind in kinds {
            places += try SQLItemChart(connection: connection, chart: chart, limit: depth)
                .best(of: kind)
        }
        places.sort { ($1.rank, $0.item) < ($0.rank, $1.item) }
        return try items(places.dropFirst(offset).prefix(limit).map { ItemID(number: $0.item) })
    }
}

typealias ChartPlace = (rank: Int64, item: Int64)

/// Reads the best of one kind, from indexes in their order.
///
/// What an item costs in a storefront stands in its prices: the own one of the storefront, else
/// the one of the tier, of which `0` is free. Only few items are free in some storefronts and not
/// in others, and an index knows them.
struct SQLItemChart {
    let connection: any SQLConnection
    let chart: ItemChart
    let limit: Int

    func best(of kind: ItemKind) throws -> [ChartPlace] {
        // A root stands for all that is below it, which is what its kinds are.
        let genre = chart.genre.flatMap { Genre.numbered($0)?.parent == nil ? nil : $0 }
        if let wanted = chart.genre, genre == nil {
            guard Genre.root(of: kind).id == wanted else { return [] }
        }
        switch (chart.rank, chart.isFree) {
        case (.new, _): return try newest(kind, genre)
        case (.grossing, _): return try grossing(kind, genre)
        case (_, nil): return try free(kind, genre) + priced(kind, genre)
        case (_, true?): return try free(kind, genre) + freeHere(kind, genre)
        case (_, false?): return try priced(kind, genre)
        }
    }

    private func newest(_ kind: ItemKind, _ genre: Int?) throws -> [ChartPlace] {
        try ranked(
            """
            SELECT release_date, id FROM item
            WHERE kind = ?1 AND state = 'ON_SALE' AND release_date IS NOT NULL
                AND (storefronts IS NULL OR instr(storefronts, ?2) > 0)
                AND (?3 = 1 OR explicitness <> 'explicit')
                AND (?4 IS NULL OR EXISTS (
                    SELECT 1 FROM item_genre g WHERE g.item = item.id AND g.genre = ?4))
                AND (?6 = 0 OR search_row & 64 <> 0)
                AND (?7 IS NULL OR ?7 = CAST(ifnull(
                    CAST(json_extract(prices, '$.own.' || substr(?2, 2, 3)) AS INTEGER) = 0,
                    json_extract(prices, '$.tier') = '0') AS INT))
            ORDER BY release_date DESC, id LIMIT ?5
            """, kind, genre)
    }

    private func grossing(_ kind: ItemKind, _ genre: Int?) throws -> [ChartPlace] {
        try ranked(
            """
            SELECT gross, id FROM item
            WHERE kind = ?1 AND state = 'ON_SALE' AND gross > 0
                AND (storefronts IS NULL OR instr(storefronts, ?2) > 0)
                AND (?3 = 1 OR explicitness <> 'explicit')
                AND (?4 IS NULL OR EXISTS (
                    SELECT 1 FROM item_genre g WHERE g.item = item.id AND g.genre = ?4))
                AND (?6 = 0 OR search_row & 64 <> 0) AND ?7 IS ?7
            ORDER BY gross DESC, id LIMIT ?5
            """, kind, genre)
    }

    /// What costs nothing anywhere.
    private func free(_ kind: ItemKind, _ genre: Int?) throws -> [ChartPlace] {
        guard let genre else {
            return try ranked(
                """
                SELECT popularity, id FROM item
                WHERE kind = ?1 AND is_free = 1 AND state = 'ON_SALE'
                    AND (storefronts IS NULL OR instr(storefronts, ?2) > 0)
                    AND (?3 = 1 OR explicitness <> 'explicit') AND ?4 IS NULL
                    AND (?6 = 0 OR search_row & 64 <> 0) AND ?7 IS ?7
                ORDER BY popularity DESC, id LIMIT ?5
                """, kind, nil)
        }
        return try ranked(
            """
            SELECT -g.rank, g.item FROM item_genre g JOIN item i ON i.id = g.item
            WHERE g.genre = ?4 AND g.kind = ?1 AND g.is_free = 1
                AND (i.storefronts IS NULL OR instr(i.storefronts, ?2) > 0)
                AND (?3 = 1 OR i.explicitness <> 'explicit')
                AND (?6 = 0 OR i.search_row & 64 <> 0) AND ?7 IS ?7
            ORDER BY g.rank, g.item LIMIT ?5
            """, kind, genre)
    }

    /// What costs nothing in the storefront, and something in others.
    private func freeHere(_ kind: ItemKind, _ genre: Int?) throws -> [ChartPlace] {
        try ranked(
            """
            SELECT popularity, id FROM item
            WHERE kind = ?1 AND is_free_somewhere = 1 AND state = 'ON_SALE'
                AND (storefronts IS NULL OR instr(storefronts, ?2) > 0)
                AND (?3 = 1 OR explicitness <> 'explicit')
                AND (?4 IS NULL OR EXISTS (
                    SELECT 1 FROM item_genre g WHERE g.item = item.id AND g.genre = ?4))
                AND (?6 = 0 OR search_row & 64 <> 0)
                AND ?7 = CAST(ifnull(
                    CAST(json_extract(prices, '$.own.' || substr(?2, 2, 3)) AS INTEGER) = 0,
                    json_extract(prices, '$.tier') = '0') AS INT)
            ORDER BY popularity DESC, id LIMIT ?5
            """, kind, genre)
    }

    /// What costs something somewhere: in the storefront too, where only that is wanted. What is
    /// only to look at has no price, and is not among that.
    private func priced(_ kind: ItemKind, _ genre: Int?) throws -> [ChartPlace] {
        guard let genre else {
            return try ranked(
                """
                SELECT popularity, id FROM item
                WHERE kind = ?1 AND is_free = 0 AND state = 'ON_SALE'
                    AND (storefronts IS NULL OR instr(storefronts, ?2) > 0)
                    AND (?3 = 1 OR explicitness <> 'explicit') AND ?4 IS NULL
                    AND (?6 = 0 OR search_row & 64 <> 0)
                    AND (?7 IS NULL OR ?7 = CAST(ifnull(
                        CAST(json_extract(prices, '$.own.' || substr(?2, 2, 3)) AS INTEGER) = 0,
                        json_extract(prices, '$.tier') = '0') AS INT))
                ORDER BY popularity DESC, id LIMIT ?5
                """, kind, nil)
        }
        return try ranked(
            """
            SELECT -g.rank, g.item FROM item_genre g JOIN item i ON i.id = g.item
            WHERE g.genre = ?4 AND g.kind = ?1 AND g.is_free = 0
                AND (i.storefronts IS NULL OR instr(i.storefronts, ?2) > 0)
                AND (?3 = 1 OR i.explicitness <> 'explicit')
                AND (?6 = 0 OR i.search_row & 64 <> 0)
                AND (?7 IS NULL OR ?7 = CAST(ifnull(
                    CAST(json_extract(i.prices, '$.own.' || substr(?2, 2, 3)) AS INTEGER) = 0,
                    json_extract(i.prices, '$.tier') = '0') AS INT))
            ORDER BY g.rank, g.item LIMIT ?5
            """, kind, genre)
    }

    private func ranked(
        _ sql: StaticString, _ kind: ItemKind, _ genre: Int?
    ) throws -> [ChartPlace] {
        try connection.rows(
            sql,
            [
                .text(kind.rawValue), .text(":\(chart.storefront.code):"),
                .integer(chart.includesExplicit), genre.map { .integer($0) } ?? .noInteger,
                .integer(limit), .integer(chart.isForTablets),
                chart.isFree.map { .integer($0) } ?? .noInteger,
            ]
        ) { (rank: $0.integer(0), item: $0.integer(1)) }
    }
}
