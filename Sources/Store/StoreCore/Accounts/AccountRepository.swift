import Foundation
import StoreModel

/// Customers and testers, and their sessions.
package struct AccountRepository {
    let connection: any SQLConnection

    package func account(_ id: AccountID) throws -> Account? {
        try connection.row(
            "SELECT id, environment, email, password_hash, storefront FROM account WHERE id = ?1",
            [.integer(id.number)], readAccount)
    }

    package func account(email: String, in environment: StoreEnvironment) throws -> Account? {
        try connection.row(
            """
            SELECT id, environment, email, password_hash, storefront FROM account
            WHERE environment = ?1 AND email = ?2
            """, [.text(environment.rawValue), .text(email)], readAccount)
    }

    package func insert(_ account: AccountDraft, at date: Date) throws -> Account {
        let inserted = try connection.row(
            """
            INSERT INTO account (environment, email, password_hash, storefront, created)
            VALUES (?1, ?2, ?3, ?4, ?5)
            RETURNING id, environment, email, password_hash, storefront
            """,
            [
                .text(account.environment.rawValue), .text(account.email),
                .text(account.passwordHash), .text(account.storefront.code), .date(date),
            ], readAccount)
        return try inserted.orMissing("account")
    }

    package func insertSession(
        tokenDigest: Data, account: AccountID, start: Date, end: Date
    ) throws {
        try connection.run(
            "DELETE FROM session WHERE ends <= ?1 AND account = ?2",
            [.date(start), .integer(account.number)])
        try connection.run(
            "INSERT INTO session (token_digest, account, started, ends) VALUES (?1, ?2, ?3, ?4)",
            [.blob(tokenDigest), .integer(account.number), .date(start), .date(end)])
    }

    /// A session that has not ended.
    package func session(tokenDigest: Data, at date: Date) throws -> Session? {
        try connection.row(
            """
            SELECT a.id, a.environment, a.email, a.password_hash, a.storefront, s.ends
            FROM session s JOIN account a ON a.id = s.account
            WHERE s.token_digest = ?1 AND s.ends > ?2
            """, [.blob(tokenDigest), .date(date)]
        ) { Session(account: try readAccount($0), end: $0.date(5)) }
    }

    package func deleteSession(tokenDigest: Data) throws {
        try connection.run("DELETE FROM session WHERE token_digest = ?1", [.blob(tokenDigest)])
    }

    package func settings(of account: AccountID) throws -> AccountSettings {
        try connection.row(
            """
            SELECT asks_to_buy, interrupts_purchases, guardian, payment_failure
            FROM account_setting
            WHERE account = ?1
            """, [.integer(account.number)]
        ) { row in
            AccountSettings(
                asksToBuy: row.integer(0) != 0, interruptsPurchases: row.integer(1) != 0,
                guardian: row.optionalInteger(2).map(AccountID.init(number:)),
                paymentFailure: try row.value(3, PaymentFailure.init(rawValue:)))
        } ?? AccountSettings()
    }

    package func set(_ settings: AccountSettings, of account: AccountID) throws {
        try connection.run(
            """
            INSERT INTO account_setting (account, asks_to_buy, interrupts_purchases, guardian,
                payment_failure)
            VALUES (?1, ?2, ?3, ?4, ?5)
            ON CONFLICT (account) DO UPDATE SET asks_to_buy = excluded.asks_to_buy,
                interrupts_purchases = excluded.interrupts_purchases,
                guardian = excluded.guardian, payment_failure = excluded.payment_failure
            """,
            [
                .integer(account.number), .integer(settings.asksToBuy),
                .integer(settings.interruptsPurchases),
                settings.guardian.map { .integer($0.number) } ?? .noInteger,
                .text(settings.paymentFailure.rawValue),
            ])
    }

    package func setPasswordHash(_ hash: String, of account: AccountID) throws {
        try connection.run(
            "UPDATE account SET password_hash = ?2 WHERE id = ?1",
            [.integer(account.number), .text(hash)])
    }

    /// Moves an account to another country's store.
    package func setStorefront(_ storefront: Storefront, of account: AccountID) throws {
        try connection.run(
            "UPDATE account SET storefront = ?2 WHERE id = ?1",
            [.integer(account.number), .text(storefront.code)])
    }

    /// Ends all sessions of an account, on devices and in browsers.
    package func deleteSessions(of account: AccountID) throws {
        try connection.run(
            "DELETE FROM session WHERE account = ?1", [.integer(account.number)])
        try connection.run(
            "DELETE FROM page_session WHERE account = ?1", [.integer(account.number)])
    }

    private func readAccount(_ row: any SQLRow) throws -> Account {
        Account(
            id: AccountID(number: row.integer(0)),
            environment: try row.value(1, StoreEnvironment.init(rawValue:)), email: row.text(2),
            passwordHash: row.text(3), storefront: try row.value(4, Storefront.named))
    }
}
