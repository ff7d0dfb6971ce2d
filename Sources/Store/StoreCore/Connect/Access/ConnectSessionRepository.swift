import Foundation
import StoreDatabase

/// Sessions of Connect.
package struct ConnectSessionRepository {
    let connection: any SQLConnection

    package func session(tokenDigest: Data) throws -> ConnectSession? {
        try connection.first(ConnectSession.self, "WHERE token_digest = \(tokenDigest)")
    }

    package func session(_ id: String) throws -> ConnectSession? {
        try connection.find(ConnectSession.self, id)
    }

    /// Those of a person that have not ended, the last used first.
    package func sessions(of person: PersonID, at date: Date) throws -> [ConnectSession] {
        try connection.all(
            ConnectSession.self,
            "WHERE person = \(person) AND ends > \(date) ORDER BY used DESC, id LIMIT 200")
    }

    package func insert(_ session: ConnectSession, tokenDigest: Data) throws {
        try connection.insert(session, with: OtherColumn("token_digest", tokenDigest))
    }

    package func setTeam(_ team: Int64?, of session: String) throws {
        try connection.run("UPDATE connect_session SET team = \(team) WHERE id = \(session)")
    }

    package func recordUse(of session: String, at date: Date) throws {
        try connection.run(
            "UPDATE connect_session SET used = max(used, \(date)) WHERE id = \(session)")
    }

    package func delete(_ session: String) throws {
        try connection.delete(ConnectSession.self, session)
    }

    /// Ends all sessions of a person but one.
    package func deleteAll(of person: PersonID, except session: String?) throws {
        try connection.run(
            "DELETE FROM connect_session WHERE person = \(person) AND id IS NOT \(session)")
    }

    /// Clears away those whose time was over before a date, or that nobody has used since
    /// another.
    package func deleteEnded(before date: Date, unusedSince use: Date) throws {
        try connection.run("DELETE FROM connect_session WHERE ends <= \(date) OR used <= \(use)")
    }
}

extension StoreRepositories {
    package var connectSessions: ConnectSessionRepository {
        ConnectSessionRepository(connection: connection)
    }
}

/// Passwords that were wrong.
package struct SignInRepository {
    let connection: any SQLConnection

    package func record(of subject: Data) throws -> SignInRecord? {
        try connection.first(SignInRecord.self, "WHERE subject = \(subject)")
    }

    package func set(_ record: SignInRecord, of subject: Data) throws {
        try connection.save(record, with: OtherColumn("subject", subject, .key))
    }

    package func forget(_ subject: Data) throws {
        try connection.run("DELETE FROM sign_in_failure WHERE subject = \(subject)")
    }

    /// Forgets those whose last failure was before a date.
    package func forgetAll(before date: Date) throws {
        try connection.run("DELETE FROM sign_in_failure WHERE last < \(date)")
    }
}

extension StoreRepositories {
    package var signIns: SignInRepository { SignInRepository(connection: connection) }
}
