import Foundation

/// The audit log: added to, never changed.
package protocol AuditRepository {
    func append(_ entry: AuditEntry, at date: Date) throws
    /// Entries, the newest first.
    ///
    /// - Parameters:
    ///   - team: whose; nil for all of them and the store's own.
    ///   - before: gives those with a smaller number only.
    func entries(team: Int64?, before: Int64?, limit: Int) throws -> [AuditRecord]
}

/// An entry that was written.
package struct AuditRecord: Sendable, Hashable {
    package let number: Int64
    package let date: Date
    package let entry: AuditEntry

    package init(number: Int64, date: Date, entry: AuditEntry) {
        self.number = number
        self.date = date
        self.entry = entry
    }
}
