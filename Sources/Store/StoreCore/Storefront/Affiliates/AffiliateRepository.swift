import Foundation
import StoreDatabase
import StoreModel

extension StoreRepositories {
    /// Who sends customers.
    package var affiliates: Records<Affiliate> { Records(connection) }
}

extension Records<Affiliate> {
    package func affiliate(token: String) throws -> Affiliate? {
        try connection.first(
            Affiliate.self,
            """
            WHERE token COLLATE NOCASE = \(token) COLLATE NOCASE
                AND token = \(token) COLLATE BINARY
            """)
    }

    /// Whether the token, in any case of its letters, is given to somebody.
    package func isTaken(_ token: String) throws -> Bool {
        try connection.exists("FROM affiliate WHERE token COLLATE NOCASE = \(token) COLLATE NOCASE")
    }

    /// What affiliates sold in production, added up by affiliate, campaign, day and currency, in
    /// this order. A refund counts on the day on which it was made.
    ///
    /// - Parameters:
    ///   - affiliate: nil for all.
    ///   - limit: gives so many lines at most.
    package func report(
        of affiliate: Int64?, from first: CalendarDay, to last: CalendarDay, limit: Int
    ) throws -> [AffiliateReportLine] {
        let (start, end) = (first.beginning, last.beginning.addingTimeInterval(86_400))
        let (ofSale, ofRefund): (SQL?, SQL?) = (
            affiliate.map { "AND affiliate = \($0)" }, affiliate.map { "AND s.affiliate = \($0)" }
        )
        return try connection.records(
            AffiliateReportLine.self,
            """
            WITH fact (affiliate, campaign, day, currency, sales, refunds, revenue, commission) AS (
                SELECT affiliate, ifnull(campaign, ''), date / 86400000, currency, 1, 0, price,
                    commission
                FROM item_sale
                WHERE affiliate IS NOT NULL AND environment = 'Production'
                    AND date >= \(start) AND date < \(end) \(ofSale)
                UNION ALL
                SELECT s.affiliate, ifnull(s.campaign, ''), r.date / 86400000, s.currency, 0, 1,
                    -s.price, -s.commission
                FROM item_refund r JOIN item_sale s ON s.id = r.sale
                WHERE s.affiliate IS NOT NULL AND s.environment = 'Production'
                    AND r.date >= \(start) AND r.date < \(end) \(ofRefund)
            ), line AS (
                SELECT affiliate, campaign, day, currency, sum(sales) AS sales,
                    sum(refunds) AS refunds, sum(revenue) AS revenue,
                    sum(commission) AS commission
                FROM fact GROUP BY affiliate, campaign, day, currency
                ORDER BY affiliate, campaign, day, currency LIMIT \(limit)
            )
            SELECT \(Affiliate.columns, of: "a", prefix: "affiliate_"), l.campaign,
                l.day * 86400000 AS day, l.currency, l.sales, l.refunds, l.revenue, l.commission
            FROM line l JOIN affiliate a ON a.id = l.affiliate
            ORDER BY l.affiliate, l.campaign, l.day, l.currency
            """)
    }
}
