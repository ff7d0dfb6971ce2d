import Foundation
import StoreDatabase
import StoreModel

/// Offers, codes and questions about prices.
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

    /// Whether an account has used a code for the same offer of a product, since its history was last
    /// cleared.
    func hasUsed(_ code: OfferCode, by account: AccountID) throws -> Bool {
        try connection.exists(
            """
            FROM offer_code_use u JOIN offer_code c ON c.code = u.code
            WHERE u.account = \(account) AND c.app = \(code.app)
                AND c.product_id = \(code.productID) AND c.offer = \(code.offer)
                AND u.ledger > (SELECT coalesce(max(last), 0) FROM history_clearing
                    WHERE account = \(account))
            """)
    }

    package func recordUse(_ use: OfferCodeUse) throws { try connection.insert(use) }

    // MARK: Offers of subscriptions

    /// The offer that a period was charged by; nil for none.
    func offer(of period: TransactionID) throws -> AppliedOffer? {
        try connection.find(ChargedOffer.self, period)?.offer
    }

    func insert(_ charged: ChargedOffer) throws { try connection.insert(charged) }

    /// Whether an account was charged by an introductory offer of a group, since its history was last
    /// cleared, and since a date.
    func hadIntroductory(
        account: AccountID, app: AppID, group: String,
        since date: Date = Date(timeIntervalSince1970: 0)
    ) throws -> Bool {
        try connection.exists(
            """
            FROM ledger_offer o JOIN ledger l ON l.id = o.id
            WHERE o.account = \(account) AND o.app = \(app) AND o.group_id = \(group)
                AND o.offer_kind = 'introductory' AND l.date >= \(date)
                AND o.id > (SELECT coalesce(max(last), 0) FROM history_clearing
                    WHERE account = \(account))
            """)
    }

    /// What a subscription goes on with after the running period; nil for no offer.
    func accepted(by original: TransactionID) throws -> AcceptedOffer? {
        try connection.find(AcceptedOffer.self, original)
    }

    func save(_ accepted: AcceptedOffer) throws { try connection.save(accepted) }

    func deleteAccepted(by original: TransactionID) throws {
        try connection.delete(AcceptedOffer.self, original)
    }

    /// Forgets what a subscription was to go on with, now that it was charged. A stacked offer of the
    /// product waits until it is charged by that.
    ///
    /// - Parameter charged: the offer that it was charged by.
    func settleAccepted(
        by original: TransactionID, of product: ProductID, charged: AppliedOffer?
    ) throws {
        let isOther: SQL? = charged.map {
            "AND (offer_kind <> \($0.kind) OR offer_identifier <> \($0.identifier))"
        }
        try connection.run(
            """
            DELETE FROM accepted_offer WHERE original = \(original)
                AND NOT (is_stacked = 1 AND product_id = \(product) \(isOther))
            """)
    }

    func deleteNonces(before date: Date) throws {
        try connection.run("DELETE FROM offer_nonce WHERE date < \(date)")
    }

    /// Against a replay attack: whether another purchase has used a publisher's signature.
    func isUsed(_ nonce: UUID, otherwiseThanBy account: AccountID, key: String) throws -> Bool {
        try connection.exists(
            """
            FROM offer_nonce WHERE nonce = \(nonce.uuidString.lowercased())
                AND (account <> \(account) OR purchase_key <> \(key))
            """)
    }

    /// Notes that a purchase has used a publisher's signature.
    func use(_ nonce: UUID, by account: AccountID, key: String, at date: Date) throws {
        try connection.run(
            """
            INSERT INTO offer_nonce (nonce, account, purchase_key, date)
            VALUES (\(nonce.uuidString.lowercased()), \(account), \(key), \(date))
            ON CONFLICT DO NOTHING
            """)
    }

    // MARK: Prices

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

    /// Agrees to the open questions about a product's price that ask for no more than the customer has seen,
    /// in the same currency.
    ///
    /// - Returns: whether there was one.
    func agree(
        to seen: Money, for product: ProductID, account: AccountID, app: AppID, at date: Date
    ) throws -> Bool {
        let answered = try openConsents(account: account, app: app)
            .filter { $0.details.productID == product && $0.details.isAnswered(by: seen) }
        for consent in answered { try recordConsent(consent.id, agreed: true, at: date) }
        return !answered.isEmpty
    }

    /// Closes the open questions about a product's price without an agreement, because a new choice or a
    /// new question takes their place.
    ///
    /// - Parameter currency: of the questions; `nil` for all.
    func closeConsents(
        about product: ProductID, account: AccountID, app: AppID, in currency: String? = nil,
        at date: Date
    ) throws {
        for consent in try openConsents(account: account, app: app)
        where consent.details.productID == product {
            guard currency.map(consent.details.isAsked) ?? true else { continue }
            try recordConsent(consent.id, agreed: false, at: date)
        }
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

extension StoreRepositories {
    package var offers: OfferRepository { OfferRepository(connection: connection) }
}
