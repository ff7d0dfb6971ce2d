import Foundation
import StoreModel

/// Offer codes and questions about prices.
package struct OfferRepository {
    let connection: any SQLConnection

    package func code(_ code: String) throws -> OfferCode? {
        try connection.find(OfferCode.self, code)
    }

    package func insert(_ code: OfferCode, at date: Date) throws {
        try connection.insert(code, with: OtherColumn("date", date))
    }

    /// How often a code was redeemed in an environment.
    package func uses(of code: String, in environment: StoreEnvironment) throws -> Int {
        let last = try connection.value(
            Int.self,
            """
            SELECT coalesce(max(number), 0) FROM offer_code_use
            WHERE code = \(code) AND environment = \(environment)
            """)
        return last ?? 0
    }

    /// What an account got for a code.
    package func use(of code: String, by account: AccountID) throws -> TransactionID? {
        try connection.value(
            TransactionID.self,
            "SELECT ledger FROM offer_code_use WHERE code = \(code) AND account = \(account)")
    }

    package func recordUse(_ use: OfferCodeUse) throws { try connection.insert(use) }

    /// Questions of an account in an app that it has not answered.
    package func openConsents(account: AccountID, app: AppID) throws -> [PriceConsent] {
        try connection.all(
            PriceConsent.self,
            """
            c WHERE account = \(account) AND app = \(app)
                AND NOT EXISTS (SELECT 1 FROM price_consent_decision d WHERE d.id = c.id)
            ORDER BY id
            """)
    }

    package func insertConsent(_ draft: PriceConsentDraft, at date: Date) throws -> PriceConsent {
        try connection.inserted(
            PriceConsent(id: PriceConsentID(number: 0), details: draft),
            with: OtherColumn("date", date))
    }

    /// Records the answer; only the first counts.
    package func recordConsent(_ id: PriceConsentID, agreed: Bool, at date: Date) throws {
        try connection.run(
            """
            INSERT INTO price_consent_decision (id, agreed, date)
            VALUES (\(id), \(agreed), \(date)) ON CONFLICT DO NOTHING
            """)
    }
}
