import Foundation
import StoreDatabase

/// What the ledger says about sales.
package struct SalesRepository {
    let connection: any SQLConnection

    /// Adds up sales and refunds in the database.
    ///
    /// A unit counts on the day that it was written, a refund on the day that it was given, and below
    /// zero on the day that it was reversed: the figures of a day that is over stay. Repeated and
    /// restored purchases count nowhere, and neither does what came through a family, given or taken.
    ///
    /// - Parameters:
    ///   - team: whose apps; nil for all.
    ///   - add: gets one row for each key and price, ordered by key.
    package func read(
        _ query: SalesQuery, of team: Int64?, _ add: (SalesRow) throws -> Void
    ) throws {
        let facts = SalesFacts(query: query, team: team)
        func grouped(_ part: SalesGrouping, _ column: SQL, otherwise none: SQL) -> SQL {
            query.grouping.contains(part) ? column : none
        }
        let (noNumber, noText): (SQL, SQL) = ("CAST(NULL AS INTEGER)", "CAST(NULL AS TEXT)")
        try connection.read(
            SalesRow.self,
            """
            WITH shown (id) AS (\(facts.shown)), fact (date, app, product_id, item, storefront,
                currency, unit_price, sold, free, refunded_sold, refunded_free, part) AS (
                \(facts.sold) UNION ALL \(facts.returned) UNION ALL \(facts.items)
            )
            SELECT day, sold_app, sold_product, territory, currency, unit_price, sold, free,
                refunded_sold, refunded_free, sold_item,
                (SELECT title FROM item WHERE id = sold_item) AS item_title, part
            FROM (
                SELECT \(grouped(.day, "date / 86400000", otherwise: noNumber)) AS day,
                    \(grouped(.product, "app", otherwise: noNumber)) AS sold_app,
                    \(grouped(.product, "product_id", otherwise: noText)) AS sold_product,
                    \(grouped(.product, "item", otherwise: noNumber)) AS sold_item,
                    \(grouped(.territory, "storefront", otherwise: noText)) AS territory,
                    currency, unit_price, part, sum(sold) AS sold, sum(free) AS free,
                    sum(refunded_sold) AS refunded_sold, sum(refunded_free) AS refunded_free
                FROM fact
                GROUP BY day, sold_app, sold_product, sold_item, territory, currency, unit_price,
                    part
            ) total
            WHERE sold <> 0 OR free <> 0 OR refunded_sold <> 0 OR refunded_free <> 0
            ORDER BY day, sold_app NULLS FIRST, sold_product NULLS FIRST, sold_item NULLS FIRST,
                territory, currency, unit_price, part
            """, add)
    }
}

extension StoreRepositories {
    package var sales: SalesRepository { SalesRepository(connection: connection) }
}

/// What counts in a report, each as a statement that gives rows of the same columns.
struct SalesFacts {
    let query: SalesQuery
    let team: Int64?

    /// The apps of the report.
    var shown: SQL {
        let ofTeam: SQL? = team.map { "AND team = \($0)" }
        let ofApp: SQL? = query.app.map { "AND id = \($0)" }
        return "SELECT id FROM app WHERE 1 = 1 \(ofTeam) \(ofApp)"
    }

    /// Purchases and renewals. A renewal that the store wrote on a later day counts on that later day.
    var sold: SQL {
        """
        SELECT f.date, l.app, l.product_id, CAST(NULL AS INTEGER), l.storefront, l.currency,
            l.unit_price, iif(l.charged > 0, l.quantity, 0),
            iif(l.charged > 0, 0, l.quantity), 0, 0, 100000
        FROM (
            SELECT id, date FROM ledger
            WHERE app IN (SELECT id FROM shown) AND environment = \(query.environment)
                AND \(dated("date")) AND kind = 'purchase'
                AND NOT EXISTS (SELECT 1 FROM ledger_posting p WHERE p.id = ledger.id)
            UNION ALL
            SELECT id, date FROM ledger_posting WHERE \(dated("date"))
        ) f JOIN ledger l ON l.id = f.id
        WHERE l.app IN (SELECT id FROM shown) AND l.environment = \(query.environment)
            AND l.kind = 'purchase'
            AND (l.original IS NULL OR EXISTS (
                SELECT 1 FROM ledger_period p WHERE p.id = l.id AND p.is_paid = 1))
            AND NOT EXISTS (SELECT 1 FROM ledger_share s WHERE s.id = l.id)
        """
    }

    /// What was given back of these, by refunds and upgrades, and refunds that were reversed.
    var returned: SQL {
        """
        SELECT r.date, l.app, l.product_id, NULL, l.storefront, l.currency, l.unit_price,
            0, 0, r.sign * iif(l.charged > 0, l.quantity, 0),
            r.sign * iif(l.charged > 0, 0, l.quantity), r.percentage
        FROM (
            SELECT id, date, percentage, 1 AS sign FROM ledger_revocation
            WHERE \(dated("date")) AND type <> 'FAMILY_REVOKE'
            UNION ALL
            SELECT id, date,
                (SELECT percentage FROM ledger_revocation r WHERE r.id = v.id), -1
            FROM ledger_reversal v WHERE \(dated("date"))
            UNION ALL
            SELECT id, date, percentage, 1 FROM ledger_upgrade
            WHERE \(dated("date")) AND percentage > 0
        ) r JOIN ledger l ON l.id = +r.id
        WHERE NOT EXISTS (SELECT 1 FROM ledger_share s WHERE s.id = l.id)
            AND l.environment = \(query.environment) AND l.app IN (SELECT id FROM shown)
        """
    }

    /// Items of the storefront, sold and given back.
    var items: SQL {
        // Read by day: an index of teams or of items leads to everything that was ever sold.
        let ofTeam: SQL? = team.map { "AND +s.team = \($0)" }
        let ofApp: SQL? = query.app.map { "WHERE +i.app = \($0)" }
        return """
            SELECT f.date, i.app, NULL, f.item, f.storefront, f.currency, f.price,
                iif(f.price > 0, f.sold, 0), iif(f.price > 0, 0, f.sold),
                iif(f.price > 0, f.refunded, 0), iif(f.price > 0, 0, f.refunded), 100000
            FROM (
                SELECT s.date, s.item, s.storefront, s.currency, s.price, 1 AS sold, 0 AS refunded
                FROM item_sale s
                WHERE s.environment = \(query.environment) AND \(dated("s.date")) \(ofTeam)
                UNION ALL
                SELECT r.date, s.item, s.storefront, s.currency, s.price, 0, 1
                FROM item_refund r JOIN item_sale s ON s.id = r.sale
                WHERE CAST(s.environment AS TEXT) = \(query.environment) AND \(dated("r.date"))
                    \(ofTeam)
            ) f JOIN item i ON i.id = f.item \(ofApp)
            """
    }

    private func dated(_ column: SQL) -> SQL {
        "\(column) >= \(query.first.start) AND \(column) < \(query.last.advanced(by: 1).start)"
    }
}

extension SalesRow: RecordPart {
    package init(_ column: borrowing RecordColumns<Self>) throws {
        key = try column.part(\.key)
        unitPrice = try column.money("unit_price", "currency", \.unitPrice)
        sold = try column("sold", \.sold)
        free = try column("free", \.free)
        refundedSold = try column("refunded_sold", \.refundedSold)
        refundedFree = try column("refunded_free", \.refundedFree)
        refundedPart = try column("part", \.refundedPart)
    }
}

extension SalesKey: RecordPart {
    package init(_ column: borrowing RecordColumns<Self>) throws {
        day = try column("day", \.day)
        app = try column("sold_app", \.app)
        product = try column("sold_product", \.product)
        item = try column.part(\.item)
        territory = try column("territory", \.territory)
    }
}

extension SalesKey.Item: RecordPart {
    package init(_ column: borrowing RecordColumns<Self>) throws {
        id = try column("sold_item", \.id)
        title = try column("item_title", \.title)
    }
}

/// Days since 1 January 1970.
extension SalesDay: ColumnValue {
    package static var null: SQLValue { Int.null }
    package static func sample(_ number: Int) -> SalesDay { SalesDay(number: number) }
    package init(_ row: any SQLRow, _ column: Int) { self.init(number: Int(row, column)) }
    package var sql: SQLValue { number.sql }
}
