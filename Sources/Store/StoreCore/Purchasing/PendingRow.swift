import Foundation
import StoreModel

/// How a row of the view `pending_entry` is read.
enum PendingRow {
    static func read(_ row: any SQLRow) throws -> PendingPurchase {
        let price = Money(thousandths: row.integer(11), currency: row.text(12))
        let quantity = Int(row.integer(10))
        let total = Money(
            thousandths: price.thousandths * Int64(quantity), currency: price.currency)
        let order = LedgerDraft(
            kind: .purchase, environment: try row.value(2, StoreEnvironment.init(rawValue:)),
            account: AccountID(number: row.integer(3)), app: AppID(number: row.integer(4)),
            bundleID: try row.value(5) { BundleID($0) },
            productID: try row.value(6) { ProductID($0) },
            productType: try row.value(7, ProductType.init(rawValue:)), key: row.text(8),
            device: row.text(9), quantity: quantity, unitPrice: price, charged: total,
            storefront: try row.value(13, Storefront.named), original: nil,
            applicationUsername: row.optionalText(14), date: row.date(15))
        let decision =
            row.isNull(16)
            ? nil
            : PendingPurchase.Decision(
                outcome: try row.value(16, PendingPurchase.Decision.Outcome.init(rawValue:)),
                date: row.date(17))
        return PendingPurchase(
            id: PendingPurchaseID(number: row.integer(0)),
            kind: try row.value(1, PendingPurchase.Kind.init(rawValue:)), order: order,
            offer: try row.optionalText(18).map { text in
                try JSONDecoder().decode(SubscriptionOffer.self, from: Data(text.utf8))
            },
            decision: decision)
    }
}
