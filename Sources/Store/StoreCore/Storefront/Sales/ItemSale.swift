import Foundation
import StoreDatabase
import StoreModel

/// The number of a sale of an item.
package typealias ItemSaleID = ID<ItemSale>

/// A fact: an account got an item. Never changed; a refund is a fact of its own.
package struct ItemSale: Sendable, Hashable {
    package let id: ItemSaleID
    package let item: ItemID
    package let environment: StoreEnvironment
    package let account: AccountID
    package let storefront: Storefront
    /// What was charged.
    package let price: Money
    package let referral: Referral
    /// The affiliate who is credited; nil for none.
    package let affiliate: Int64?
    /// What the affiliate gets of the price, by the share of that day; nil for no affiliate.
    package let commission: Money?
    package let date: Date
    /// When it was taken back; nil where it was not.
    package let refundDate: Date?
    /// Whether the tester's history was cleared since: the account has nothing of it any more.
    package let isCleared: Bool
}

/// A row of a view: what is added is a draft.
extension ItemSale: Record {
    package static let table: StaticString = "item_sale_entry"

    package init(_ column: borrowing RecordColumns<Self>) throws {
        id = try column("id", \.id, .key)
        item = try column("item", \.item)
        environment = try column("environment", \.environment)
        account = try column("account", \.account)
        storefront = try column("storefront", \.storefront)
        price = try column.money("price", "currency", \.price)
        referral = try column.part(\.referral)
        affiliate = try column("affiliate", \.affiliate)
        let currency = price.currency
        commission = try column("commission", \.commission?.thousandths)
            .map { Money(thousandths: $0, currency: currency) }
        date = try column("date", \.date)
        refundDate = try column("refund_date", \.refundDate)
        isCleared = try column("is_cleared", \.isCleared)
    }
}

/// A sale to be added.
package struct ItemSaleDraft: Sendable, Hashable {
    package var item: ItemID
    package var environment: StoreEnvironment
    package var account: AccountID
    package var storefront: Storefront
    package var price: Money
    package var referral: Referral = Referral()
    /// Who is credited; nil for nobody.
    package var credit: AffiliateCredit?
    package var date: Date
}
