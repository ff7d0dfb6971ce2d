import Foundation
import StoreModel

/// Links by which lost passwords are set anew.
package struct PasswordResetRepository {
    let connection: any SQLConnection

    package func reset(tokenDigest: Data) throws -> PasswordReset? {
        try connection.row(
            """
            SELECT person, account, created, ends, used FROM password_reset
            WHERE token_digest = ?1
            """, [.blob(tokenDigest)]
        ) { row in
            let owner: PasswordOwner =
                if let person = row.optionalInteger(0) {
                    .person(PersonID(number: person))
                } else {
                    .account(AccountID(number: row.integer(1)))
                }
            return PasswordReset(
                owner: owner, created: row.date(2), end: row.date(3),
                used: row.isNull(4) ? nil : row.date(4))
        }
    }

    package func insert(_ reset: PasswordReset, tokenDigest: Data) throws {
        let (person, account) = Self.columns(of: reset.owner)
        try connection.run(
            """
            INSERT INTO password_reset (token_digest, person, account, created, ends)
            VALUES (?1, ?2, ?3, ?4, ?5)
            """,
            [.blob(tokenDigest), person, account, .date(reset.created), .date(reset.end)])
    }

    /// Records that a password was set. The schema refuses it a second time.
    package func recordUse(of tokenDigest: Data, at date: Date) throws {
        try connection.run(
            "UPDATE password_reset SET used = ?2 WHERE token_digest = ?1",
            [.blob(tokenDigest), .date(date)])
    }

    /// Forgets unused ones of an owner, and those of everybody that ended before a date.
    package func deleteResets(of owner: PasswordOwner, endedBefore date: Date) throws {
        let (person, account) = Self.columns(of: owner)
        try connection.run(
            """
            DELETE FROM password_reset
            WHERE used IS NULL AND (person = ?1 OR account = ?2)
            """, [person, account])
        try connection.run("DELETE FROM password_reset WHERE ends < ?1", [.date(date)])
    }

    private static func columns(of owner: PasswordOwner) -> (person: SQLValue, account: SQLValue) {
        switch owner {
        case .person(let id): (.integer(id.number), .noInteger)
        case .account(let id): (.noInteger, .integer(id.number))
        }
    }
}
