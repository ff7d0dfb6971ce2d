import Foundation
import StoreDatabase
import StoreModel

/// Who got which items: facts are added, never changed.
package struct ItemSaleRepository {
    let connection: any SQLConnection

    package func sale(_ id: ItemSaleID) throws -> ItemSale? {
        try connection.find(ItemSale.self, id)
    }

    /// The sale by which an account has an item now: of the item, or of the album or season that
    /// it is a part of; nil where it has not, or not any longer.
    package func owned(_ item: ItemID, by account: AccountID) throws -> ItemSale? {
        try connection.first(
            ItemSale.self,
            """
            WHERE account = \(account)
                AND item IN (\(item), (SELECT parent FROM item WHERE id = \(item)))
                AND refund_date IS NULL AND NOT is_cleared
            ORDER BY item = \(item) DESC
            """)
    }

    /// What an account has of a list of items.
    package func owned(of items: [ItemID], by account: AccountID) throws -> Set<ItemID> {
        guard !items.isEmpty else { return [] }
        return Set(
            try connection.values(
                ItemID.self,
                """
                SELECT i.id FROM item i
                WHERE i.id IN \(list: items) AND EXISTS (
                    SELECT 1 FROM item_sale s LEFT JOIN item_refund r ON r.sale = s.id
                    WHERE s.account = \(account) AND s.item IN (i.id, i.parent)
                        AND r.sale IS NULL AND s.id > \(Self.lastCleared(of: account)))
                """))
    }

    /// The number of the last sale that there was when the account's history was last cleared.
    private static func lastCleared(of account: AccountID) -> SQL {
        "ifnull((SELECT id FROM last_cleared_sale WHERE account = \(account)), 0)"
    }

    /// Whether an account has, or had, an item, or what it is a part of. An app counts as had by
    /// who bought something in it, and by the testers of its team. What was cleared was not had.
    package func hasBought(_ item: ItemID, by account: AccountID) throws -> Bool {
        try connection.exists(
            """
            FROM item i WHERE i.id = \(item) AND (
                EXISTS (SELECT 1 FROM item_sale
                    WHERE account = \(account) AND item IN (i.id, i.parent)
                        AND id > \(Self.lastCleared(of: account)))
                OR EXISTS (SELECT 1 FROM ledger
                    WHERE account = \(account) AND app = i.app AND kind = 'purchase'
                        AND id > \(account.lastCleared))
                OR i.app IS NOT NULL
                    AND EXISTS (SELECT 1 FROM tester WHERE account = \(account) AND team = i.team))
            """)
    }

    /// What an account got, the newest first, refunded ones too; nothing that was cleared.
    package func sales(of account: AccountID, _ request: PageRequest) throws -> ListPage<ItemSale> {
        try page(
            "account = \(account) AND NOT is_cleared",
            total: "account = \(account) AND id > \(Self.lastCleared(of: account))", request)
    }

    /// What a team sold (nil for all), the newest first.
    package func sales(
        of team: Int64?, item: ItemID?, _ request: PageRequest
    ) throws -> ListPage<ItemSale> {
        // By the item's index: the plus keeps SQLite from the team's, which has many more.
        let condition: SQL? =
            switch (item, team) {
            case (let item?, let team?): "item = \(item) AND +team = \(team)"
            case (let item?, nil): "item = \(item)"
            case (nil, let team?): "team = \(team)"
            case (nil, nil): nil
            }
        return try page(condition, total: condition, request)
    }

    /// A page of sales.
    ///
    /// - Parameters:
    ///   - condition: nil gives all sales.
    ///   - total: the same condition for the table `item_sale`, which has no `is_cleared`.
    private func page(
        _ condition: SQL?, total: SQL?, _ request: PageRequest
    ) throws -> ListPage<ItemSale> {
        let ofThese: SQL? = condition.map { "AND \($0)" }
        let found = try connection.all(
            ItemSale.self,
            """
            WHERE id < \(try request.key() ?? Int64.max) \(ofThese)
            ORDER BY id DESC LIMIT \(request.limit + 1)
            """)
        // Without a condition SQLite counts by the table's pages.
        let counted: SQL? = total.map { "WHERE \($0)" }
        let shown = Array(found.prefix(request.limit))
        return ListPage(
            items: shown,
            total: try connection.value(Int.self, "SELECT count(*) FROM item_sale \(counted)"),
            next: found.count > shown.count ? shown.last?.id.description : nil)
    }

    /// Adds a sale. The schema refuses it where the account has the item by a sale of it already.
    package func insert(_ sale: ItemSaleDraft) throws -> ItemSale {
        let id = try connection.value(
            ItemSaleID.self,
            """
            INSERT INTO item_sale (item, team, environment, account, storefront, price, currency,
                affiliate_token, campaign, provider, affiliate, commission, date)
            VALUES (\(sale.item), (SELECT team FROM item WHERE id = \(sale.item)),
                \(sale.environment), \(sale.account), \(sale.storefront),
                \(sale.price.thousandths), \(sale.price.currency),
                \(sale.referral.affiliateToken), \(sale.referral.campaign),
                \(sale.referral.provider), \(sale.credit?.affiliate),
                \(sale.credit?.commission.thousandths), \(sale.date))
            RETURNING id
            """)
        return try id.flatMap { try self.sale($0) }.orMissing("sale")
    }

    /// Takes a sale back; the second time changes nothing.
    ///
    /// - Returns: whether it was the first time.
    package func recordRefund(of id: ItemSaleID, at date: Date) throws -> Bool {
        try connection.value(
            ItemSaleID.self,
            """
            INSERT INTO item_refund (sale, date) VALUES (\(id), \(date))
            ON CONFLICT (sale) DO NOTHING RETURNING sale
            """) != nil
    }
}

extension StoreRepositories {
    package var itemSales: ItemSaleRepository { ItemSaleRepository(connection: connection) }
}
