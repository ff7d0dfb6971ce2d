import Foundation
import StoreDatabase
import StoreModel

/// What is known of how much customers like an item. Refunded sales don't count, and none of the
/// sandbox.
package struct PopularityMetrics: Sendable, Hashable {
    /// Sales in one storefront.
    package struct Sales: Sendable, Hashable {
        package var storefront: Storefront
        package var month: Int64
        package var year: Int64
        package var all: Int64
        /// Thousandths of the storefront's currency, of the last month.
        package var revenue: Int64
    }

    package let item: ItemID
    /// What the item has now.
    package var popularity: Int64
    package var gross: Int64
    package var sales: [Sales] = []
    package var rating = RatingSummary()
}

extension PopularityMetrics.Sales: RecordPart {
    package init(_ column: borrowing RecordColumns<Self>) throws {
        storefront = try column("storefront", \.storefront)
        month = try column("month", \.month)
        year = try column("year", \.year)
        all = try column("sales", \.all)
        revenue = try column("revenue", \.revenue)
    }
}
