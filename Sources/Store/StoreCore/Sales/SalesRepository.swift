import Foundation
import StoreModel

/// What the ledger says about sales.
package struct SalesRepository {
    let connection: any SQLConnection

    /// Adds up sales and refunds in the database.
    ///
    /// A unit counts on the day that it was written, a refund on the day that it was given, and below
    /// zero on the day that it was reversed: the figures of a day that is over stay. Repeated and restored purchases count nowhere, and
    /// neither does what came through a family, given or taken.
    ///
    /// - Parameters:
    ///   - team: whose apps; nil for all.
    ///   - add: gets one row for each key and price, ordered by key.
    package func read(_ query: SalesQuery, of team: Int64?, _ add: (SalesRow) throws -> Void) throws
    {
        _ = try connection.rows(
            """
            WITH shown (id) AS (
                SELECT id FROM app WHERE (?1 IS NULL OR team = ?1) AND (?2 IS NULL OR id = ?2)
            ), sold_item_fact (date, item, storefront, currency, price, sold, refunded) AS (
                SELECT date, item, storefront, currency, price, 1, 0 FROM item_sale
                WHERE environment = ?3 AND date >= ?4 AND date < ?5
                    AND (?1 IS NULL OR team = ?1)
                UNION ALL
                SELECT r.date, s.item, s.storefront, s.currency, s.price, 0, 1
                FROM item_refund r JOIN item_sale s ON s.id = r.sale
                WHERE CAST(s.environment AS TEXT) = ?3 AND r.date >= ?4 AND r.date < ?5
                    AND (?1 IS NULL OR s.team = ?1)
            ), sold_fact (id, date) AS (
                SELECT id, date FROM ledger
                WHERE app IN (SELECT id FROM shown) AND environment = ?3
                    AND date >= ?4 AND date < ?5 AND kind = 'purchase'
                    AND NOT EXISTS (SELECT 1 FROM ledger_posting p WHERE p.id = ledger.id)
                UNION ALL
                SELECT id, date FROM ledger_posting WHERE date >= ?4 AND date < ?5
            ), returned_fact (id, date, percentage, sign) AS (
                SELECT id, date, percentage, 1 FROM ledger_revocation
                WHERE date >= ?4 AND date < ?5 AND type <> 'FAMILY_REVOKE'
                UNION ALL
                SELECT id, date,
                    (SELECT percentage FROM ledger_revocation r WHERE r.id = v.id), -1
                FROM ledger_reversal v WHERE date >= ?4 AND date < ?5
                UNION ALL
                SELECT id, date, percentage, 1 FROM ledger_upgrade
                WHERE date >= ?4 AND date < ?5 AND percentage > 0
            ), fact (date, app, product_id, item, storefront, currency, unit_price, sold, free,
                refunded_sold, refunded_free, part) AS (
                SELECT f.date, l.app, l.product_id, CAST(NULL AS INTEGER), l.storefront, l.currency,
                    l.unit_price, iif(l.charged > 0, l.quantity, 0),
                    iif(l.charged > 0, 0, l.quantity), 0, 0, 100000
                FROM sold_fact f JOIN ledger l ON l.id = f.id
                WHERE l.app IN (SELECT id FROM shown) AND l.environment = ?3
                    AND l.kind = 'purchase'
                    AND (l.original IS NULL OR EXISTS (
                        SELECT 1 FROM ledger_period p WHERE p.id = l.id AND p.is_paid = 1))
                    AND NOT EXISTS (SELECT 1 FROM ledger_share s WHERE s.id = l.id)
                UNION ALL
                SELECT r.date, l.app, l.product_id, NULL, l.storefront, l.currency, l.unit_price,
                    0, 0, r.sign * iif(l.charged > 0, l.quantity, 0),
                    r.sign * iif(l.charged > 0, 0, l.quantity), r.percentage
                FROM returned_fact r JOIN ledger l ON l.id = +r.id
                WHERE NOT EXISTS (SELECT 1 FROM ledger_share s WHERE s.id = l.id)
                    AND l.environment = ?3
                    AND l.app IN (SELECT id FROM shown)
                UNION ALL
                SELECT f.date, i.app, NULL, f.item, f.storefront, f.currency, f.price,
                    iif(f.price > 0, f.sold, 0), iif(f.price > 0, 0, f.sold),
                    iif(f.price > 0, f.refunded, 0), iif(f.price > 0, 0, f.refunded),
                    100000
                FROM sold_item_fact f JOIN item i ON i.id = f.item
                WHERE ?2 IS NULL OR i.app = ?2
            )
            SELECT day, sold_app, sold_product, territory, currency, unit_price, sold, free,
                refunded_sold, refunded_free, sold_item,
                (SELECT title FROM item WHERE id = sold_item), part
            FROM (
                SELECT iif(?6 = 1, date / 86400000, NULL) AS day,
                    iif(?7 = 1, app, NULL) AS sold_app,
                    iif(?7 = 1, product_id, NULL) AS sold_product,
                    iif(?7 = 1, item, NULL) AS sold_item,
                    iif(?8 = 1, storefront, NULL) AS territory, currency, unit_price, part,
                    sum(sold) AS sold, sum(free) AS free, sum(refunded_sold) AS refunded_sold,
                    sum(refunded_free) AS refunded_free
                FROM fact
                GROUP BY day, sold_app, sold_product, sold_item, territory, currency, unit_price,
                    part
            ) total
            WHERE sold <> 0 OR free <> 0 OR refunded_sold <> 0 OR refunded_free <> 0
            ORDER BY day, sold_app NULLS FIRST, sold_product NULLS FIRST, sold_item NULLS FIRST,
                territory, currency, unit_price, part
            """,
            [
                team.map { .integer($0) } ?? .noInteger,
                query.app.map { .integer($0.number) } ?? .noInteger,
                .text(query.environment.rawValue), .date(query.first.start),
                .date(query.last.advanced(by: 1).start),
                .integer(query.grouping.contains(.day)),
                .integer(query.grouping.contains(.product)),
                .integer(query.grouping.contains(.territory)),
            ]
        ) { row in
            try add(
                SalesRow(
                    key: SalesKey(
                        day: row.optionalInteger(0).map { SalesDay(number: Int($0)) },
                        app: row.optionalInteger(1).map(AppID.init(number:)),
                        product: try row.optionalText(2).map { _ in
                            try row.value(2) { ProductID($0) }
                        },
                        item: row.optionalInteger(10).map {
                            SalesKey.Item(id: ItemID(number: $0), title: row.text(11))
                        }, territory: row.optionalText(3)),
                    unitPrice: Money(thousandths: row.integer(5), currency: row.text(4)),
                    sold: row.integer(6), free: row.integer(7), refundedSold: row.integer(8),
                    refundedFree: row.integer(9), refundedPart: Int(row.integer(12))))
        }
    }
}
