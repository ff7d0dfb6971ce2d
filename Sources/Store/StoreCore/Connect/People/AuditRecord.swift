import Foundation

/// An entry that was written.
package struct AuditRecord: Sendable, Hashable {
    package let number: Int64
    package let date: Date
    package let entry: AuditEntry
}
