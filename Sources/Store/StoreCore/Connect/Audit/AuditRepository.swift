import Foundation
import StoreDatabase

/// The audit log: added to, never changed.
package struct AuditRepository {
    let connection: any SQLConnection

    package func append(_ entry: AuditEntry, at date: Date) throws {
        try connection.insert(AuditRecord(number: 0, date: date, entry: entry))
    }

    /// Entries, the newest first.
    ///
    /// - Parameters:
    ///   - team: whose; nil for all of them and the store's own.
    ///   - before: gives those with a smaller number only.
    package func entries(team: Int64?, before: Int64?, limit: Int) throws -> [AuditRecord] {
        let ofTeam: SQL? = team.map { "AND team = \($0)" }
        return try connection.all(
            AuditRecord.self,
            "WHERE id < \(before ?? Int64.max) \(ofTeam) ORDER BY id DESC LIMIT \(limit)")
    }
}

extension StoreRepositories {
    package var audit: AuditRepository { AuditRepository(connection: connection) }
}
