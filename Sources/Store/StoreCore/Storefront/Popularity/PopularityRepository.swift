import Foundation
import StoreModel

/// What the ledger and customers say about how popular items are.
package struct PopularityRepository {
    let connection: any SQLConnection
    let index: ItemSearchIndex

    /// Figures of items behind a number, in the order of their numbers. Items without any sale
    /// or rating have figures too.
    package func figures(
        after item: ItemID?, month: Date, year: Date, limit: Int
    ) throws -> [PopularityFigures] {
        var figures = try connection.rows(
            "SELECT id, popularity, gross FROM item WHERE id > ?1 ORDER BY id LIMIT ?2",
            [.integer(item?.number ?? 0), .integer(limit)]
        ) {
            PopularityFigures(
                item: ItemID(number: $0.integer(0)), popularity: $0.integer(1),
                gross: $0.integer(2))
        }
        guard let last = figures.last else { return [] }
        let bounds: [SQLValue] = [
            .integer(item?.number ?? 0), .integer(last.item.number), .date(month), .date(year),
            .integer(Money.highestPrice),
        ]
        let sales = try connection.rows(
            """
            SELECT s.item, s.storefront,
                sum(CAST(s.date >= ?3 AS INT)), sum(CAST(s.date >= ?4 AS INT)), count(*),
                sum(CASE WHEN s.date >= ?3 THEN min(s.price, ?5) ELSE 0 END)
            FROM item_sale s
            WHERE s.item > ?1 AND s.item <= ?2 AND s.environment = 'Production'
                AND NOT EXISTS (SELECT 1 FROM item_refund r WHERE r.sale = s.id)
            GROUP BY s.item, s.storefront
            """, bounds
        ) { row in
            (
                item: row.integer(0),
                sales: PopularityFigures.Sales(
                    storefront: try row.value(1) { Storefront.named($0) },
                    month: row.integer(2), year: row.integer(3), all: row.integer(4),
                    revenue: row.integer(5))
            )
        }
        let ratings = try connection.rows(
            """
            SELECT item, one, two, three, four, five FROM item_rating
            WHERE item > ?1 AND item <= ?2 AND environment = 'Production' AND version = ''
            """, Array(bounds.prefix(2))
        ) { row in
            (
                item: row.integer(0),
                rating: RatingSummary(counts: (1...5).map { Int(row.integer($0)) })
            )
        }
        let salesByItem = Dictionary(grouping: sales, by: \.item)
        let ratingByItem = Dictionary(
            ratings.map { ($0.item, $0.rating) }, uniquingKeysWith: { first, _ in first })
        for position in figures.indices {
            let number = figures[position].item.number
            figures[position].sales = salesByItem[number]?.map(\.sales) ?? []
            figures[position].rating = ratingByItem[number] ?? RatingSummary()
        }
        return figures
    }

    /// Gives an item another rank, and moves it in searches and charts.
    ///
    /// - Parameter gross: what it earned, as `PopularityRules` compares it.
    package func rank(_ item: ItemID, popularity: Int64, gross: Int64) throws {
        try connection.run(
            "UPDATE item SET popularity = ?2, gross = ?3 WHERE id = ?1",
            [.integer(item.number), .integer(popularity), .integer(gross)])
        try index.movePopularity(of: item)
        // Charts have another order, also where searches have not.
        try connection.run("UPDATE storefront_clock SET generation = generation + 1", [])
    }

    /// Gives artists behind a number the popularity of their most popular work.
    ///
    /// - Returns: the last of them; nil where there are none.
    package func rankArtists(after artist: ArtistID?, limit: Int) throws -> ArtistID? {
        let artists = try connection.rows(
            """
            SELECT a.id, a.popularity, ifnull((
                SELECT max(i.popularity) FROM item i
                WHERE i.artist = a.id AND i.state = 'ON_SALE'), 0)
            FROM artist a WHERE a.id > ?1 ORDER BY a.id LIMIT ?2
            """, [.integer(artist?.number ?? 0), .integer(limit)]
        ) { (id: $0.integer(0), before: $0.integer(1), after: $0.integer(2)) }
        for artist in artists where artist.before != artist.after {
            try connection.run(
                "UPDATE artist SET popularity = ?2 WHERE id = ?1",
                [.integer(artist.id), .integer(artist.after)])
            guard SearchRow.step(artist.before) != SearchRow.step(artist.after),
                let known = try ItemRepository(connection: connection, index: index)
                    .artist(ArtistID(number: artist.id))
            else { continue }
            try index.rewrite(known)
        }
        return artists.last.map { ArtistID(number: $0.id) }
    }
}
