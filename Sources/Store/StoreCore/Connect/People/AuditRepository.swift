import Foundation

/// The audit log: added to, never changed.
package struct AuditRepository {
    let connection: any SQLConnection

    package func append(_ entry: AuditEntry, at date: Date) throws {
        try connection.run(
            """
            INSERT INTO audit (team, actor, action, subject, before, after, date)
            VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)
            """,
            [
                entry.team.map { .integer($0) } ?? .noInteger, .text(entry.actor),
                .text(entry.action), .text(entry.subject), .text(entry.before),
                .text(entry.after), .date(date),
            ])
    }

    /// Entries, the newest first.
    ///
    /// - Parameters:
    ///   - team: whose; nil for all of them and the store's own.
    ///   - before: gives those with a smaller number only.
    package func entries(team: Int64?, before: Int64?, limit: Int) throws -> [AuditRecord] {
        let bounds: [SQLValue] = [.integer(before ?? Int64.max), .integer(limit)]
        guard let team else {
            return try connection.rows(
                """
                SELECT id, team, actor, action, subject, before, after, date FROM audit
                WHERE id < ?1 ORDER BY id DESC LIMIT ?2
                """, bounds, read)
        }
        return try connection.rows(
            """
            SELECT id, team, actor, action, subject, before, after, date FROM audit
            WHERE id < ?1 AND team = ?3 ORDER BY id DESC LIMIT ?2
            """, bounds + [.integer(team)], read)
    }

    private func read(_ row: any SQLRow) -> AuditRecord {
        AuditRecord(
            number: row.integer(0), date: row.date(7),
            entry: AuditEntry(
                team: row.optionalInteger(1), actorName: row.text(2), action: row.text(3),
                subject: row.text(4), before: row.optionalText(5), after: row.optionalText(6)))
    }
}
