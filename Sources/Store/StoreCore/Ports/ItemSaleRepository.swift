import Foundation
import StoreModel

/// Who got which items: facts are added, never changed.
package protocol ItemSaleRepository {
    func sale(_ id: ItemSaleID) throws -> ItemSale?
    /// The sale by which an account has an item now: of the item, or of the album or season that
    /// it is a part of; nil where it has not, or not any longer.
    func owned(_ item: ItemID, by account: AccountID) throws -> ItemSale?
    /// What an account has of a list of items.
    func owned(of items: [ItemID], by account: AccountID) throws -> Set<ItemID>
    /// Whether an account has, or had, an item, or what it is a part of. An app counts as had by
    /// who bought something in it, and by the testers of its team. What was cleared was not had.
    func hasBought(_ item: ItemID, by account: AccountID) throws -> Bool
    /// What an account got, the newest first, refunded ones too; nothing that was cleared.
    func sales(of account: AccountID, _ request: PageRequest) throws -> ListPage<ItemSale>
    /// What a team sold (nil for all), the newest first.
    func sales(of team: Int64?, item: ItemID?, _ request: PageRequest) throws -> ListPage<ItemSale>
    /// Adds a sale. The schema refuses it where the account has the item by a sale of it already.
    func insert(_ sale: ItemSaleDraft) throws -> ItemSale
    /// Takes a sale back; the second time changes nothing.
    ///
    /// - Returns: whether it was the first time.
    func recordRefund(of id: ItemSaleID, at date: Date) throws -> Bool
}

/// Who sends customers.
package protocol AffiliateRepository {
    func affiliate(_ id: Int64) throws -> Affiliate?
    func affiliate(token: String) throws -> Affiliate?
    /// Whether the token, in any case of its letters, is given to somebody.
    func isTaken(_ token: String) throws -> Bool
    /// The first made first.
    func page(_ request: PageRequest) throws -> ListPage<Affiliate>
    /// Adds an affiliate; gives it its number.
    func insert(_ affiliate: Affiliate) throws -> Affiliate
    /// Changes all but the token.
    func update(_ affiliate: Affiliate) throws
    /// What affiliates sold in production, added up by affiliate, campaign, day and currency, in
    /// this order. A refund counts on the day on which it was made.
    ///
    /// - Parameters:
    ///   - affiliate: nil for all.
    ///   - limit: gives so many lines at most.
    func report(
        of affiliate: Int64?, from first: CalendarDay, to last: CalendarDay, limit: Int
    ) throws -> [AffiliateReportLine]
}

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
