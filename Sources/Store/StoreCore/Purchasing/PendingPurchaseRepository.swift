import Foundation
import StoreModel

/// Purchases that wait for somebody's decision.
package struct PendingPurchaseRepository {
    let connection: any SQLConnection

    package func purchase(_ id: PendingPurchaseID) throws -> PendingPurchase? {
        try connection.row(
            "SELECT * FROM pending_entry WHERE id = ?1", [.integer(id.number)], PendingRow.read)
    }

    package func purchase(key: String, account: AccountID, app: AppID) throws -> PendingPurchase? {
        try connection.row(
            """
            SELECT * FROM pending_entry WHERE account = ?1 AND app = ?2 AND purchase_key = ?3
            """, [.integer(account.number), .integer(app.number), .text(key)], PendingRow.read)
    }

    /// Those that nobody has decided, oldest first.
    package func undecided() throws -> [PendingPurchase] {
        try connection.rows(
            "SELECT * FROM pending_entry WHERE decision IS NULL ORDER BY id", [], PendingRow.read)
    }

    package func insert(
        _ order: LedgerDraft, offer: SubscriptionOffer? = nil, kind: PendingPurchase.Kind
    ) throws -> PendingPurchase {
        let id = try connection.row(
            """
            INSERT INTO pending_purchase (kind, environment, account, app, bundle_id, product_id,
                product_type, purchase_key, device, quantity, unit_price, currency, storefront,
                application_username, date, offer)
            VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15, ?16)
            RETURNING id
            """,
            [
                .text(kind.rawValue), .text(order.environment.rawValue),
                .integer(order.account.number), .integer(order.app.number),
                .text(order.bundleID.text), .text(order.productID.text),
                .text(order.productType.rawValue), .text(order.key), .text(order.device),
                .integer(order.quantity), .integer(order.unitPrice.thousandths),
                .text(order.unitPrice.currency), .text(order.storefront.code),
                .text(order.applicationUsername), .date(order.date),
                try offer.map { try .json($0) } ?? .noText,
            ]
        ) { PendingPurchaseID(number: $0.integer(0)) }
        return PendingPurchase(
            id: try id.orMissing("pending purchase"), kind: kind, order: order,
            offer: offer, decision: nil)
    }

    /// Records the decision; nobody decides twice.
    package func record(_ decision: PendingPurchase.Decision, on id: PendingPurchaseID) throws {
        try connection.run(
            "INSERT INTO pending_decision (id, decision, date) VALUES (?1, ?2, ?3)",
            [.integer(id.number), .text(decision.outcome.rawValue), .date(decision.date)])
    }

    /// What belongs to the page on which somebody decides; nil where nobody was told of it.
    package func page(of id: PendingPurchaseID) throws -> ApprovalPageRecord? {
        try connection.row(
            "SELECT address, attempts FROM approval_page WHERE id = ?1", [.integer(id.number)]
        ) { ApprovalPageRecord(address: $0.text(0), attempts: Int($0.integer(1))) }
    }

    /// Adds the page; the second time changes nothing.
    package func insertPage(of id: PendingPurchaseID, address: String) throws {
        try connection.run(
            "INSERT INTO approval_page (id, address) VALUES (?1, ?2) ON CONFLICT (id) DO NOTHING",
            [.integer(id.number), .text(address)])
    }

    /// Counts a password that is tried on the page, and gives how many there were with it.
    package func countAttempt(on id: PendingPurchaseID, address: String) throws -> Int {
        let count = try connection.row(
            """
            INSERT INTO approval_page (id, address, attempts) VALUES (?1, ?2, 1)
            ON CONFLICT (id) DO UPDATE SET attempts = approval_page.attempts + 1
            RETURNING attempts
            """, [.integer(id.number), .text(address)]
        ) { Int($0.integer(0)) }
        return try count.orMissing("approval page")
    }
}
