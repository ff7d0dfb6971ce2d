import Foundation
import StoreModel

/// What the ledger and customers say about how popular items are.
package protocol PopularityRepository {
    /// Figures of items behind a number, in the order of their numbers. Items without any sale
    /// or rating have figures too.
    func figures(
        after item: ItemID?, month: Date, year: Date, limit: Int
    ) throws -> [PopularityFigures]
    /// Gives an item another rank, and moves it in searches and charts.
    ///
    /// - Parameter gross: what it earned, as `PopularityRules` compares it.
    func rank(_ item: ItemID, popularity: Int64, gross: Int64) throws
    /// Gives artists behind a number the popularity of their most popular work.
    ///
    /// - Returns: the last of them; nil where there are none.
    func rankArtists(after artist: ArtistID?, limit: Int) throws -> ArtistID?
}

/// What is known of how much customers like an item. Refunded sales don't count, and none of the
/// sandbox.
package struct PopularityFigures: Sendable, Hashable {
    /// Sales in one storefront.
    package struct Sales: Sendable, Hashable {
        package var storefront: Storefront
        package var month: Int64
        package var year: Int64
        package var all: Int64
        /// Thousandths of the storefront's currency, of the last month.
        package var revenue: Int64

        package init(
            storefront: Storefront, month: Int64, year: Int64, all: Int64, revenue: Int64
        ) {
            self.storefront = storefront
            self.month = month
            self.year = year
            self.all = all
            self.revenue = revenue
        }
    }

    package let item: ItemID
    /// What the item has now.
    package var popularity: Int64
    package var gross: Int64
    package var sales: [Sales]
    package var rating: RatingSummary

    package init(
        item: ItemID, popularity: Int64, gross: Int64, sales: [Sales] = [],
        rating: RatingSummary = RatingSummary()
    ) {
        self.item = item
        self.popularity = popularity
        self.gross = gross
        self.sales = sales
        self.rating = rating
    }
}
