import Foundation
import StoreModel

/// Offer codes and questions about prices.
package struct OfferRepository {
    let connection: any SQLConnection

    package func code(_ code: String) throws -> OfferCode? {
        try connection.row(
            "SELECT code, app, product_id, uses, ends FROM offer_code WHERE code = ?1",
            [.text(code)]
        ) { row in
            OfferCode(
                code: row.text(0), app: AppID(number: row.integer(1)),
                productID: try row.value(2) { ProductID($0) }, uses: Int(row.integer(3)),
                end: row.date(4))
        }
    }

    package func insert(_ code: OfferCode, at date: Date) throws {
        try connection.run(
            """
            INSERT INTO offer_code (code, app, product_id, uses, ends, date)
            VALUES (?1, ?2, ?3, ?4, ?5, ?6)
            """,
            [
                .text(code.code), .integer(code.app.number), .text(code.productID.text),
                .integer(code.uses), .date(code.end), .date(date),
            ])
    }

    /// How often a code was redeemed in an environment.
    package func uses(of code: String, in environment: StoreEnvironment) throws -> Int {
        let last = try connection.row(
            "SELECT max(number) FROM offer_code_use WHERE code = ?1 AND environment = ?2",
            [.text(code), .text(environment.rawValue)]
        ) { $0.optionalInteger(0) }
        return Int((last ?? nil) ?? 0)
    }

    /// What an account got for a code.
    package func use(of code: String, by account: AccountID) throws -> TransactionID? {
        try connection.row(
            "SELECT ledger FROM offer_code_use WHERE code = ?1 AND account = ?2",
            [.text(code), .integer(account.number)]
        ) { TransactionID(number: $0.integer(0)) }
    }

    package func recordUse(_ use: OfferCodeUse) throws {
        try connection.run(
            """
            INSERT INTO offer_code_use (code, account, environment, number, ledger)
            VALUES (?1, ?2, ?3, ?4, ?5)
            """,
            [
                .text(use.code), .integer(use.account.number), .text(use.environment.rawValue),
                .integer(use.number), .integer(use.transaction.number),
            ])
    }

    /// Questions of an account in an app that it has not answered.
    package func openConsents(account: AccountID, app: AppID) throws -> [PriceConsent] {
        try connection.rows(
            """
            SELECT id, product_id, new_price FROM price_consent c
            WHERE account = ?1 AND app = ?2
                AND NOT EXISTS (SELECT 1 FROM price_consent_decision d WHERE d.id = c.id)
            ORDER BY id
            """, [.integer(account.number), .integer(app.number)]
        ) { row in
            PriceConsent(
                id: PriceConsentID(number: row.integer(0)),
                details: PriceConsentDraft(
                    account: account, app: app, productID: try row.value(1) { ProductID($0) },
                    newPrice: row.integer(2)))
        }
    }

    package func insertConsent(_ draft: PriceConsentDraft, at date: Date) throws -> PriceConsent {
        let id = try connection.row(
            """
            INSERT INTO price_consent (account, app, product_id, new_price, date)
            VALUES (?1, ?2, ?3, ?4, ?5) RETURNING id
            """,
            [
                .integer(draft.account.number), .integer(draft.app.number),
                .text(draft.productID.text), .integer(draft.newPrice), .date(date),
            ]
        ) { PriceConsentID(number: $0.integer(0)) }
        return PriceConsent(id: try id.orMissing("price consent"), details: draft)
    }

    /// Records the answer; only the first counts.
    package func recordConsent(_ id: PriceConsentID, agreed: Bool, at date: Date) throws {
        try connection.run(
            """
            INSERT INTO price_consent_decision (id, agreed, date) VALUES (?1, ?2, ?3)
            ON CONFLICT DO NOTHING
            """, [.integer(id.number), .integer(agreed), .date(date)])
    }
}
