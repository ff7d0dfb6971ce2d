import Foundation
import StoreDatabase
import StoreModel

/// Purchases that wait for somebody's decision.
package struct PendingPurchaseRepository {
    let connection: any SQLConnection

    package func purchase(_ id: PendingPurchaseID) throws -> PendingPurchase? {
        try purchases("WHERE id = \(id)").first
    }

    package func purchase(key: String, account: AccountID, app: AppID) throws -> PendingPurchase? {
        try purchases("WHERE account = \(account) AND app = \(app) AND purchase_key = \(key)").first
    }

    /// Those that nobody has decided, oldest first.
    package func undecided() throws -> [PendingPurchase] {
        try purchases("WHERE decision IS NULL ORDER BY id")
    }

    /// When the requests were made that wait for approval and have not lapsed at a date.
    package func approvalDates(at date: Date) throws -> [Date] {
        let oldest = date.addingTimeInterval(-PendingPurchase.approvalPeriod)
        return try connection.values(
            Date.self,
            """
            SELECT date FROM pending_entry WHERE decision IS NULL
                AND kind = \(PendingPurchase.Kind.approval) AND date > \(oldest)
            """)
    }

    private func purchases(_ rest: SQL) throws -> [PendingPurchase] {
        try connection.records(
            PendingPurchase.self, "SELECT \(PendingPurchase.columns) FROM pending_entry \(rest)")
    }

    package func insert(
        _ order: LedgerDraft, offer: SubscriptionOffer? = nil, kind: PendingPurchase.Kind
    ) throws -> PendingPurchase {
        PendingPurchase(
            try connection.inserted(
                PendingPurchaseRequest(
                    id: PendingPurchaseID(number: 0), kind: kind, order, offer: offer)))
    }

    /// Records the decision; nobody decides twice.
    package func record(_ decision: PendingPurchase.Decision, on id: PendingPurchaseID) throws {
        try connection.run(
            """
            INSERT INTO pending_decision (id, decision, date)
            VALUES (\(id), \(decision.outcome), \(decision.date))
            """)
    }

    /// What belongs to the page on which somebody decides; nil where nobody was told of it.
    package func page(of id: PendingPurchaseID) throws -> ApprovalPageRecord? {
        try connection.first(ApprovalPageRecord.self, "WHERE id = \(id)")
    }

    /// Adds the page; the second time changes nothing.
    package func insertPage(of id: PendingPurchaseID, address: String) throws {
        try connection.run(
            """
            INSERT INTO approval_page (id, address) VALUES (\(id), \(address))
            ON CONFLICT (id) DO NOTHING
            """)
    }

    /// Counts a password that is tried on the page, and gives how many there were with it.
    package func countAttempt(on id: PendingPurchaseID, address: String) throws -> Int {
        try connection.value(
            Int.self,
            """
            INSERT INTO approval_page (id, address, attempts) VALUES (\(id), \(address), 1)
            ON CONFLICT (id) DO UPDATE SET attempts = approval_page.attempts + 1
            RETURNING attempts
            """
        ).orMissing("approval page")
    }
}

extension StoreRepositories {
    package var pending: PendingPurchaseRepository {
        PendingPurchaseRepository(connection: connection)
    }
}
