import Foundation
import StoreDatabase
import StoreModel

/// Customers and testers, and their sessions.
package struct AccountRepository {
    let connection: any SQLConnection
    let woken: WokenAccounts

    package func account(_ id: AccountID) throws -> Account? {
        try connection.find(Account.self, id)
    }

    package func account(email: String, in environment: StoreEnvironment) throws -> Account? {
        try connection.first(
            Account.self, "WHERE environment = \(environment) AND email = \(email)")
    }

    package func insert(_ account: AccountDraft, at date: Date) throws -> Account {
        try connection.inserted(
            Account(
                id: AccountID(number: 0), environment: account.environment, email: account.email,
                passwordHash: account.passwordHash, storefront: account.storefront),
            with: OtherColumn("created", date))
    }

    package func insertSession(
        tokenDigest: Data, account: AccountID, start: Date, end: Date
    ) throws {
        try connection.run(
            "DELETE FROM session WHERE ends <= \(start) AND account = \(account)")
        try connection.run(
            """
            INSERT INTO session (token_digest, account, started, ends)
            VALUES (\(tokenDigest), \(account), \(start), \(end))
            """)
    }

    /// A session that has not ended.
    package func session(tokenDigest: Data, at date: Date) throws -> Session? {
        try connection.records(
            Session.self,
            """
            SELECT \(Account.columns, of: "a"), s.ends
            FROM session s JOIN account a ON a.id = s.account
            WHERE s.token_digest = \(tokenDigest) AND s.ends > \(date)
            """
        ).first
    }

    package func deleteSession(tokenDigest: Data) throws {
        try connection.run("DELETE FROM session WHERE token_digest = \(tokenDigest)")
    }

    package func settings(of account: AccountID) throws -> AccountSettings {
        try connection.first(AccountSettings.self, "WHERE account = \(account)")
            ?? AccountSettings()
    }

    package func set(_ settings: AccountSettings, of account: AccountID) throws {
        try connection.save(settings, with: OtherColumn("account", account, .key))
    }

    /// Whether an account still has the password that was checked before the transaction began.
    package func hasSamePassword(_ account: Account) throws -> Bool {
        try self.account(account.id)?.passwordHash == account.passwordHash
    }

    package func setPasswordHash(_ hash: String, of account: AccountID) throws {
        try connection.run(
            "UPDATE account SET password_hash = \(hash) WHERE id = \(account)")
    }

    /// Moves an account to another country's store.
    package func setStorefront(_ storefront: Storefront, of account: AccountID) throws {
        try connection.run(
            "UPDATE account SET storefront = \(storefront) WHERE id = \(account)")
    }

    /// Ends all sessions of an account, on devices and in browsers. A device that has asked for a sign-in
    /// on a page, and has not collected its session yet, gets none. Devices that wait for news hear of
    /// it when it is on disk.
    package func deleteSessions(of account: AccountID) throws {
        try connection.run("DELETE FROM session WHERE account = \(account)")
        try connection.run("DELETE FROM page_session WHERE account = \(account)")
        try connection.run(
            "UPDATE prompt SET collected = ended WHERE signed_in = \(account) AND collected IS NULL"
        )
        woken.insert(account)
    }
}

extension StoreRepositories {
    package var accounts: AccountRepository {
        AccountRepository(connection: connection, woken: woken)
    }
}
