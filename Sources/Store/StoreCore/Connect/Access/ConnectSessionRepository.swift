import Foundation

/// Sessions of Connect.
package struct ConnectSessionRepository {
    let connection: any SQLConnection

    package func session(tokenDigest: Data) throws -> ConnectSession? {
        try connection.row(
            """
            SELECT id, person, kind, team, client, started, used, ends FROM connect_session
            WHERE token_digest = ?1
            """, [.blob(tokenDigest)], read)
    }

    package func session(_ id: String) throws -> ConnectSession? {
        try connection.row(
            """
            SELECT id, person, kind, team, client, started, used, ends FROM connect_session
            WHERE id = ?1
            """, [.text(id)], read)
    }

    /// Those of a person that have not ended, the last used first.
    package func sessions(of person: PersonID, at date: Date) throws -> [ConnectSession] {
        try connection.rows(
            """
            SELECT id, person, kind, team, client, started, used, ends FROM connect_session
            WHERE person = ?1 AND ends > ?2 ORDER BY used DESC, id LIMIT 200
            """, [.integer(person.number), .date(date)], read)
    }

    package func insert(_ session: ConnectSession, tokenDigest: Data) throws {
        try connection.run(
            """
            INSERT INTO connect_session
                (id, token_digest, person, kind, team, client, started, used, ends)
            VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9)
            """,
            [
                .text(session.id), .blob(tokenDigest), .integer(session.person.number),
                .text(session.kind.rawValue), session.team.map { .integer($0) } ?? .noInteger,
                .text(session.client), .date(session.start), .date(session.lastUse),
                .date(session.end),
            ])
    }

    package func setTeam(_ team: Int64?, of session: String) throws {
        try connection.run(
            "UPDATE connect_session SET team = ?2 WHERE id = ?1",
            [.text(session), team.map { .integer($0) } ?? .noInteger])
    }

    package func recordUse(of session: String, at date: Date) throws {
        try connection.run(
            "UPDATE connect_session SET used = max(used, ?2) WHERE id = ?1",
            [.text(session), .date(date)])
    }

    package func delete(_ session: String) throws {
        try connection.run("DELETE FROM connect_session WHERE id = ?1", [.text(session)])
    }

    /// Ends all sessions of a person but one.
    package func deleteAll(of person: PersonID, except session: String?) throws {
        try connection.run(
            "DELETE FROM connect_session WHERE person = ?1 AND id IS NOT ?2",
            [.integer(person.number), .text(session)])
    }

    /// Clears away those whose time was over before a date, or that nobody has used since
    /// another.
    package func deleteEnded(before date: Date, unusedSince use: Date) throws {
        try connection.run(
            "DELETE FROM connect_session WHERE ends <= ?1 OR used <= ?2",
            [.date(date), .date(use)])
    }

    private func read(_ row: any SQLRow) throws -> ConnectSession {
        ConnectSession(
            id: row.text(0), person: PersonID(number: row.integer(1)),
            kind: try row.value(2, ConnectSession.Kind.init(rawValue:)),
            team: row.optionalInteger(3), client: row.text(4), start: row.date(5),
            lastUse: row.date(6), end: row.date(7))
    }
}

/// Passwords that were wrong.
package struct SignInRepository {
    let connection: any SQLConnection

    package func record(of subject: Data) throws -> SignInRecord? {
        try connection.row(
            "SELECT failures, last, ends FROM sign_in_failure WHERE subject = ?1",
            [.blob(subject)]
        ) { row in
            SignInRecord(
                failures: Int(row.integer(0)), last: row.date(1),
                end: row.isNull(2) ? nil : row.date(2))
        }
    }

    package func set(_ record: SignInRecord, of subject: Data) throws {
        try connection.run(
            """
            INSERT INTO sign_in_failure (subject, failures, last, ends) VALUES (?1, ?2, ?3, ?4)
            ON CONFLICT (subject) DO UPDATE SET
                failures = excluded.failures, last = excluded.last, ends = excluded.ends
            """,
            [
                .blob(subject), .integer(record.failures), .date(record.last),
                .date(record.end),
            ])
    }

    package func forget(_ subject: Data) throws {
        try connection.run("DELETE FROM sign_in_failure WHERE subject = ?1", [.blob(subject)])
    }

    /// Forgets those whose last failure was before a date.
    package func forgetAll(before date: Date) throws {
        try connection.run("DELETE FROM sign_in_failure WHERE last < ?1", [.date(date)])
    }
}
