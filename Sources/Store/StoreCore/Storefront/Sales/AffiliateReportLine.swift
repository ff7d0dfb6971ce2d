import Foundation
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

    package init(
        affiliate: Affiliate, campaign: String, day: CalendarDay, sales: Int, refunds: Int,
        revenue: Money, commission: Money
    ) {
        self.affiliate = affiliate
        self.campaign = campaign
        self.day = day
        self.sales = sales
        self.refunds = refunds
        self.revenue = revenue
        self.commission = commission
    }
}
