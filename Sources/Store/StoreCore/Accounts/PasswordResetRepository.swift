import Foundation
import StoreDatabase

/// Links by which lost passwords are set anew.
package struct PasswordResetRepository {
    let connection: any SQLConnection

    package func reset(tokenDigest: Data) throws -> PasswordReset? {
        try connection.find(PasswordReset.self, tokenDigest)
    }

    package func insert(_ reset: PasswordReset) throws { try connection.insert(reset) }

    /// Records that a password was set. The schema refuses it a second time.
    package func recordUse(of tokenDigest: Data, at date: Date) throws {
        try connection.run(
            "UPDATE password_reset SET used = \(date) WHERE token_digest = \(tokenDigest)")
    }

    /// Forgets unused ones of an owner.
    package func deleteUnused(of owner: PasswordOwner) throws {
        try connection.run(
            """
            DELETE FROM password_reset
            WHERE used IS NULL AND (person = \(owner.personID) OR account = \(owner.accountID))
            """)
    }

    /// Forgets unused ones of everybody.
    package func deleteUnused() throws {
        try connection.run("DELETE FROM password_reset WHERE used IS NULL")
    }

    package func delete(endedBefore date: Date) throws {
        try connection.run("DELETE FROM password_reset WHERE ends < \(date)")
    }
}

extension StoreRepositories {
    package var passwordResets: PasswordResetRepository {
        PasswordResetRepository(connection: connection)
    }
}
