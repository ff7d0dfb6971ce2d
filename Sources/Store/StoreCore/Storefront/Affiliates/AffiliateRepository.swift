import Foundation
import StoreModel

/// Who sends customers.
package struct AffiliateRepository {
    let connection: any SQLConnection

    package func affiliate(_ id: Int64) throws -> Affiliate? {
        try connection.row(
            """
            SELECT id, token, name, email, basis_points, active, created FROM affiliate
            WHERE id = ?1
            """, [.integer(id)]
        ) { read($0) }
    }

    package func affiliate(token: String) throws -> Affiliate? {
        try connection.row(
            """
            SELECT id, token, name, email, basis_points, active, created FROM affiliate
            WHERE token COLLATE NOCASE = ?1 COLLATE NOCASE AND token = ?1 COLLATE BINARY
            """, [.text(token)]
        ) { read($0) }
    }

    /// Whether the token, in any case of its letters, is given to somebody.
    package func isTaken(_ token: String) throws -> Bool {
        try connection.row(
            "SELECT 1 FROM affiliate WHERE token COLLATE NOCASE = ?1 COLLATE NOCASE",
            [.text(token)]
        ) { _ in true } ?? false
    }

    /// The first made first.
    package func page(_ request: PageRequest) throws -> ListPage<Affiliate> {
        let found = try connection.rows(
            """
            SELECT id, token, name, email, basis_points, active, created FROM affiliate
            ORDER BY id LIMIT ?1 OFFSET ?2
            """, [.integer(request.limit), .integer(try request.offset())]
        ) { read($0) }
        let total = try connection.row("SELECT count(*) FROM affiliate", []) {
            Int($0.integer(0))
        }
        return try ListPage(found, total: total ?? 0, from: request)
    }

    /// Adds an affiliate; gives it its number.
    package func insert(_ affiliate: Affiliate) throws -> Affiliate {
        let number = try connection.row(
            """
            INSERT INTO affiliate (token, name, email, basis_points, active, created)
            VALUES (?1, ?2, ?3, ?4, ?5, ?6) RETURNING id
            """,
            [
                .text(affiliate.token), .text(affiliate.name), .text(affiliate.email),
                .integer(affiliate.basisPoints), .integer(affiliate.isActive),
                .date(affiliate.created),
            ]
        ) { $0.integer(0) }
        guard let number, let added = try self.affiliate(number) else {
            throw SQLError(code: .other, "the affiliate was not added")
        }
        return added
    }

    /// Changes all but the token.
    package func update(_ affiliate: Affiliate) throws {
        try connection.run(
            """
            UPDATE affiliate SET name = ?2, email = ?3, basis_points = ?4, active = ?5
            WHERE id = ?1
            """,
            [
                .integer(affiliate.id), .text(affiliate.name), .text(affiliate.email),
                .integer(affiliate.basisPoints), .integer(affiliate.isActive),
            ])
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
        try connection.rows(
            """
            WITH fact (affiliate, campaign, day, currency, sales, refunds, revenue, commission) AS (
                SELECT affiliate, ifnull(campaign, ''), date / 86400000, currency, 1, 0, price,
                    commission
                FROM item_sale
                WHERE affiliate IS NOT NULL AND environment = 'Production'
                    AND date >= ?2 AND date < ?3 AND (?1 IS NULL OR affiliate = ?1)
                UNION ALL
                SELECT s.affiliate, ifnull(s.campaign, ''), r.date / 86400000, s.currency, 0, 1,
                    -s.price, -s.commission
                FROM item_refund r JOIN item_sale s ON s.id = r.sale
                WHERE s.affiliate IS NOT NULL AND s.environment = 'Production'
                    AND r.date >= ?2 AND r.date < ?3 AND (?1 IS NULL OR s.affiliate = ?1)
            ), line AS (
                SELECT affiliate, campaign, day, currency, sum(sales) AS sales,
                    sum(refunds) AS refunds, sum(revenue) AS revenue,
                    sum(commission) AS commission
                FROM fact GROUP BY affiliate, campaign, day, currency
                ORDER BY affiliate, campaign, day, currency LIMIT ?4
            )
            SELECT a.id, a.token, a.name, a.email, a.basis_points, a.active, a.created,
                l.campaign, l.day, l.currency, l.sales, l.refunds, l.revenue, l.commission
            FROM line l JOIN affiliate a ON a.id = l.affiliate
            ORDER BY l.affiliate, l.campaign, l.day, l.currency
            """,
            [
                .integer(affiliate), .date(first.beginning),
                .date(last.beginning.addingTimeInterval(86_400)), .integer(limit),
            ]
        ) { row in
            let start = Date(timeIntervalSince1970: TimeInterval(row.integer(8)) * 86_400)
            guard let day = CalendarDay(of: start) else {
                throw SQLError(code: .corrupt, "the database holds a sale of no day")
            }
            let currency = row.text(9)
            return AffiliateReportLine(
                affiliate: read(row), campaign: row.text(7), day: day,
                sales: Int(row.integer(10)), refunds: Int(row.integer(11)),
                revenue: Money(thousandths: row.integer(12), currency: currency),
                commission: Money(thousandths: row.integer(13), currency: currency))
        }
    }

    private func read(_ row: any SQLRow) -> Affiliate {
        Affiliate(
            id: row.integer(0), token: row.text(1), name: row.text(2), email: row.text(3),
            basisPoints: Int(row.integer(4)), isActive: row.integer(5) == 1,
            created: row.date(6))
    }
}
