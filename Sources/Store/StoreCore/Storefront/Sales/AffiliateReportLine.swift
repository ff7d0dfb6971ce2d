import Foundation
import StoreDatabase
import StoreModel

/// One line of the report of affiliates' sales.
package struct AffiliateReportLine: Sendable, Hashable {
    package var affiliate: Affiliate
    package var campaign: String
    package var day: CalendarDay
    package var sales: Int
    package var refunds: Int
    /// What customers paid, less what they got back.
    package var revenue: Money
    /// The affiliate's share of it.
    package var commission: Money
}

extension AffiliateReportLine: RecordPart {
    package init(_ column: borrowing RecordColumns<Self>) throws {
        affiliate = try column.part(\.affiliate, prefix: "affiliate_")
        campaign = try column("campaign", \.campaign)
        day = try column("day", \.day)
        sales = try column("sales", \.sales)
        refunds = try column("refunds", \.refunds)
        revenue = try column.money("revenue", "currency", \.revenue)
        commission = try column.money("commission", "currency", \.commission)
    }
}
