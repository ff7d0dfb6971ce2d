import Foundation
import StoreModel

/// Who got which items: facts are added, never changed.
package struct ItemSaleRepository {
    let connection: any SQLConnection

    package func sale(_ id: ItemSaleID) throws -> ItemSale? {
        try connection.row(
            "SELECT * FROM item_sale_entry WHERE id = ?1", [.integer(id.number)], read)
    }

    /// The sale by which an account has an item now: of the item, or of the album or season that
    /// it is a part of; nil where it has not, or not any longer.
    package func owned(_ item: ItemID, by account: AccountID) throws -> ItemSale? {
        try connection.row(
            """
            SELECT * FROM item_sale_entry
            WHERE account = ?2 AND item IN (?1, (SELECT parent FROM item WHERE id = ?1))
                AND refund_date IS NULL AND NOT is_cleared
            ORDER BY item = ?1 DESC LIMIT 1
            """, [.integer(item.number), .integer(account.number)], read)
    }

    /// What an account has of a list of items.
    package func owned(of items: [ItemID], by account: AccountID) throws -> Set<ItemID> {
        guard !items.isEmpty else { return [] }
        return Set(
            try connection.rows(
                """
                SELECT i.id FROM json_each(?1) j CROSS JOIN item i ON i.id = CAST(j.value AS INTEGER)
                WHERE EXISTS (
                    SELECT 1 FROM item_sale s LEFT JOIN item_refund r ON r.sale = s.id
                    WHERE s.account = ?2 AND s.item IN (i.id, i.parent) AND r.sale IS NULL
                        AND s.id > ifnull((
                            SELECT id FROM last_cleared_sale WHERE account = ?2), 0))
                """, [.list(items.map(\.number)), .integer(account.number)]
            ) { ItemID(number: $0.integer(0)) })
    }

    /// Whether an account has, or had, an item, or what it is a part of. An app counts as had by
    /// who bought something in it, and by the testers of its team. What was cleared was not had.
    package func hasBought(_ item: ItemID, by account: AccountID) throws -> Bool {
        try connection.row(
            """
            SELECT 1 FROM item i WHERE i.id = ?1 AND (
                EXISTS (SELECT 1 FROM item_sale WHERE account = ?2 AND item IN (i.id, i.parent)
                    AND id > ifnull((SELECT id FROM last_cleared_sale WHERE account = ?2), 0))
                OR EXISTS (SELECT 1 FROM ledger
                    WHERE account = ?2 AND app = i.app AND kind = 'purchase'
                        AND id > ifnull((
                            SELECT max(last) FROM history_clearing WHERE account = ?2), 0))
                OR i.app IS NOT NULL
                    AND EXISTS (SELECT 1 FROM tester WHERE account = ?2 AND team = i.team))
            """, [.integer(item.number), .integer(account.number)]
        ) { _ in true } ?? false
    }

    /// What an account got, the newest first, refunded ones too; nothing that was cleared.
    package func sales(of account: AccountID, _ request: PageRequest) throws -> ListPage<ItemSale> {
        let before = try request.key() ?? Int64.max
        let found = try connection.rows(
            """
            SELECT * FROM item_sale_entry WHERE account = ?1 AND id < ?2 AND NOT is_cleared
            ORDER BY id DESC LIMIT ?3
            """, [.integer(account.number), .integer(before), .integer(request.limit + 1)], read)
        let total = try connection.row(
            """
            SELECT count(*) FROM item_sale WHERE account = ?1
                AND id > ifnull((SELECT id FROM last_cleared_sale WHERE account = ?1), 0)
            """, [.integer(account.number)]
        ) { Int($0.integer(0)) }
        return page(found, total: total, request)
    }

    /// What a team sold (nil for all), the newest first.
    package func sales(
        of team: Int64?, item: ItemID?, _ request: PageRequest
    ) throws -> ListPage<ItemSale> {
        let before = try request.key() ?? Int64.max
        let place: [SQLValue] = [.integer(before), .integer(request.limit + 1)]
        // A statement for each, so that each is found by its index.
        let (found, total): ([ItemSale], Int?)
        if let item {
            let values: [SQLValue] = [.integer(item.number), .integer(team)]
            found = try connection.rows(
                """
                SELECT * FROM item_sale_entry
                WHERE item = ?1 AND (?2 IS NULL OR team = ?2) AND id < ?3
                ORDER BY id DESC LIMIT ?4
                """, values + place, read)
            total = try connection.row(
                """
                SELECT count(*) FROM item_sale WHERE item = ?1 AND (?2 IS NULL OR team = ?2)
                """, values
            ) { Int($0.integer(0)) }
        } else if let team {
            found = try connection.rows(
                """
                SELECT * FROM item_sale_entry WHERE team = ?1 AND id < ?2
                ORDER BY id DESC LIMIT ?3
                """, [.integer(team)] + place, read)
            total = try connection.row(
                "SELECT count(*) FROM item_sale WHERE team = ?1", [.integer(team)]
            ) { Int($0.integer(0)) }
        } else {
            found = try connection.rows(
                "SELECT * FROM item_sale_entry WHERE id < ?1 ORDER BY id DESC LIMIT ?2", place,
                read)
            total = try connection.row("SELECT count(*) FROM item_sale", []) {
                Int($0.integer(0))
            }
        }
        return page(found, total: total, request)
    }

    /// Adds a sale. The schema refuses it where the account has the item by a sale of it already.
    package func insert(_ sale: ItemSaleDraft) throws -> ItemSale {
        let number = try connection.row(
            """
            INSERT INTO item_sale (item, team, environment, account, storefront, price, currency,
                affiliate_token, campaign, provider, affiliate, commission, date)
            VALUES (?1, (SELECT team FROM item WHERE id = ?1), ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9,
                ?10, ?11, ?12)
            RETURNING id
            """,
            [
                .integer(sale.item.number), .text(sale.environment.rawValue),
                .integer(sale.account.number), .text(sale.storefront.code),
                .integer(sale.price.thousandths), .text(sale.price.currency),
                .text(sale.referral.affiliateToken), .text(sale.referral.campaign),
                .text(sale.referral.provider), .integer(sale.credit?.affiliate),
                .integer(sale.credit?.commission.thousandths), .date(sale.date),
            ]
        ) { $0.integer(0) }
        guard let number, let added = try self.sale(ItemSaleID(number: number)) else {
            throw SQLError(code: .other, "the sale was not added")
        }
        return added
    }

    /// Takes a sale back; the second time changes nothing.
    ///
    /// - Returns: whether it was the first time.
    package func recordRefund(of id: ItemSaleID, at date: Date) throws -> Bool {
        try connection.row(
            """
            INSERT INTO item_refund (sale, date) VALUES (?1, ?2)
            ON CONFLICT (sale) DO NOTHING RETURNING sale
            """, [.integer(id.number), .date(date)]
        ) { _ in true } ?? false
    }

    /// A page of what was read with one sale more than it holds.
    private func page(
        _ found: [ItemSale], total: Int?, _ request: PageRequest
    ) -> ListPage<ItemSale> {
        let shown = Array(found.prefix(request.limit))
        let next = found.count > shown.count ? shown.last?.id.description : nil
        return ListPage(items: shown, total: total, next: next)
    }

    private func read(_ row: any SQLRow) throws -> ItemSale {
        let currency = row.text(6)
        return ItemSale(
            id: ItemSaleID(number: row.integer(0)), item: ItemID(number: row.integer(1)),
            environment: try row.value(2, StoreEnvironment.init(rawValue:)),
            account: AccountID(number: row.integer(3)),
            storefront: try row.value(4, Storefront.named),
            price: Money(thousandths: row.integer(5), currency: currency),
            referral: Referral(
                affiliateToken: row.optionalText(7), campaign: row.optionalText(8),
                provider: row.optionalText(9)), affiliate: row.optionalInteger(10),
            date: row.date(12), refundDate: row.isNull(13) ? nil : row.date(13),
            commission: row.optionalInteger(11).map {
                Money(thousandths: $0, currency: currency)
            }, isCleared: row.integer(15) != 0)
    }
}
