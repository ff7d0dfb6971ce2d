import Foundation
import StoreDatabase

/// An entry that was written.
package struct AuditRecord: Sendable, Hashable {
    package let number: Int64
    package let date: Date
    package let entry: AuditEntry
}

extension AuditRecord: Record {
    package static let table: StaticString = "audit"

    package init(_ column: borrowing RecordColumns<Self>) throws {
        number = try column("id", \.number, .key)
        date = try column("date", \.date)
        entry = try column.part(\.entry)
    }
}
