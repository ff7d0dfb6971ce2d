import Foundation
import StoreDatabase
import StoreModel

/// What the ledger and customers say about how popular items are.
package struct PopularityRepository {
    let connection: any SQLConnection
    let index: ItemSearchIndex

    /// Counts of items behind a number, in the order of their numbers. Items without any sale
    /// or rating have metrics too.
    package func metrics(
        after item: ItemID?, month: Date, year: Date, limit: Int
    ) throws -> [PopularityMetrics] {
        let items = try connection.records(
            RankedItem.self,
            """
            SELECT \(RankedItem.columns) FROM item WHERE id > \(item?.number ?? 0)
            ORDER BY id LIMIT \(limit)
            """)
        guard let last = items.last else { return [] }
        let sales = try connection.records(
            ItemSales.self,
            """
            SELECT s.item, s.storefront, sum(CAST(s.date >= \(month) AS INT)) AS month,
                sum(CAST(s.date >= \(year) AS INT)) AS year, count(*) AS sales,
                sum(CASE WHEN s.date >= \(month) THEN min(s.price, \(Money.highestPrice))
                    ELSE 0 END) AS revenue
            FROM item_sale s
            WHERE s.item > \(item?.number ?? 0) AND s.item <= \(last.id)
                AND s.environment = 'Production'
                AND NOT EXISTS (SELECT 1 FROM item_refund r WHERE r.sale = s.id)
            GROUP BY s.item, s.storefront
            """)
        let salesByItem = Dictionary(grouping: sales, by: \.item)
        let ratings = try CustomerReviewRepository(connection: connection)
            .summaries(of: items.map(\.id), environment: .production)
        return items.map { item in
            PopularityMetrics(
                item: item.id, popularity: item.popularity, gross: item.gross,
                sales: salesByItem[item.id]?.map(\.sales) ?? [],
                rating: ratings[item.id] ?? RatingSummary())
        }
    }

    /// Gives an item another rank, and moves it in searches and charts.
    ///
    /// - Parameter gross: what it earned, as `PopularityRules` compares it.
    package func rank(_ item: ItemID, popularity: Int64, gross: Int64) throws {
        try connection.run(
            "UPDATE item SET popularity = \(popularity), gross = \(gross) WHERE id = \(item)")
        try index.movePopularity(of: item)
        // Charts have another order, also where searches have not.
        try connection.run("UPDATE storefront_clock SET generation = generation + 1")
    }

    /// Gives artists behind a number the popularity of their most popular work.
    ///
    /// - Returns: the last of them; nil where there are none.
    package func rankArtists(after artist: ArtistID?, limit: Int) throws -> ArtistID? {
        let artists = try connection.records(
            RankedArtist.self,
            """
            SELECT a.id, a.popularity, ifnull((
                SELECT max(i.popularity) FROM item i
                WHERE i.artist = a.id AND i.state = 'ON_SALE'), 0) AS most
            FROM artist a WHERE a.id > \(artist?.number ?? 0) ORDER BY a.id LIMIT \(limit)
            """)
        for artist in artists where artist.popularity != artist.most {
            try connection.run(
                "UPDATE artist SET popularity = \(artist.most) WHERE id = \(artist.id)")
            guard SearchRow.step(artist.popularity) != SearchRow.step(artist.most),
                let known = try ItemRepository(connection: connection, index: index)
                    .artist(artist.id)
            else { continue }
            try index.rewrite(known)
        }
        return artists.last?.id
    }
}

extension StoreRepositories {
    package var popularity: PopularityRepository {
        PopularityRepository(connection: connection, index: index)
    }
}

/// What an item's rank is.
private struct RankedItem: RecordPart {
    let id: ItemID
    let popularity: Int64
    let gross: Int64

    init(_ column: borrowing RecordColumns<Self>) throws {
        id = try column("id", \.id)
        popularity = try column("popularity", \.popularity)
        gross = try column("gross", \.gross)
    }
}

/// What was sold of an item in one storefront.
private struct ItemSales: RecordPart {
    let item: ItemID
    let sales: PopularityMetrics.Sales

    init(_ column: borrowing RecordColumns<Self>) throws {
        item = try column("item", \.item)
        sales = try column.part(\.sales)
    }
}

/// What an artist's rank is, and that of their most popular work.
private struct RankedArtist: RecordPart {
    let id: ArtistID
    let popularity: Int64
    let most: Int64

    init(_ column: borrowing RecordColumns<Self>) throws {
        id = try column("id", \.id)
        popularity = try column("popularity", \.popularity)
        most = try column("most", \.most)
    }
}
