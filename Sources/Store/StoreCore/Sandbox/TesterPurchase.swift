import Foundation
import StoreDatabase
import StoreModel

/// A purchase of a tester, with what became of it.
package struct TesterPurchase: Sendable, Hashable {
    package let entry: LedgerEntry
    /// When the app was done with it; nil while it is not.
    package let finishDate: Date?
    /// When it was taken back; nil where it was not.
    package let revocationDate: Date?
    /// Whether it lies before the last clearing of the history: apps don't see it any more.
    package let isCleared: Bool

    /// Whether it can be taken back: a first purchase, or a period of a subscription, that the account
    /// still has.
    package var isRefundable: Bool {
        revocationDate == nil && !isCleared && entry.revocable == entry.id
    }
}

extension TesterPurchase: RecordPart {
    package init(_ column: borrowing RecordColumns<Self>) throws {
        entry = try column.part(\.entry)
        finishDate = try column("finish_date", \.finishDate)
        revocationDate = try column("revocation_date", \.revocationDate)
        isCleared = try column("is_cleared", \.isCleared)
    }
}

/// A tester's payment that the store declined, because the publisher wanted it so.
package struct DeclinedPayment: Sendable, Hashable {
    package var account: AccountID
    package var app: AppID
    package var productID: ProductID
    package var key: String
    package var quantity: Int
    package var unitPrice: Money
    package var date: Date
}

extension DeclinedPayment: Record {
    package static let table: StaticString = "declined_payment"

    package init(_ column: borrowing RecordColumns<Self>) throws {
        account = try column("account", \.account)
        app = try column("app", \.app)
        productID = try column("product_id", \.productID)
        key = try column("purchase_key", \.key)
        quantity = try column("quantity", \.quantity)
        unitPrice = try column.money("unit_price", "currency", \.unitPrice)
        date = try column("date", \.date)
    }
}

extension DeclinedPayment {
    package init(_ draft: LedgerDraft) {
        self.init(
            account: draft.account, app: draft.app, productID: draft.productID, key: draft.key,
            quantity: draft.quantity, unitPrice: draft.unitPrice, date: draft.date)
    }
}

/// Everything that a tester tried to buy in the team's apps, as far as it is not in the ledger.
package struct TesterAttempts: Sendable, Hashable {
    /// What waits for somebody, oldest first.
    package let waiting: [PendingPurchase]
    /// Payments that were declined, the newest first.
    package let declined: [DeclinedPayment]
}

/// A purchase of a tester that was taken back.
package struct TesterPurchaseRefund: Sendable, Hashable {
    /// What was taken back: the first purchase of the product, or a period of the subscription.
    package let transaction: TransactionID
    package let tester: AccountID
    package let product: ProductID
    package let date: Date
}
