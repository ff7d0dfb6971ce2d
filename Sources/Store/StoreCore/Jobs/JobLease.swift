import Foundation
import StoreDatabase

/// Who does which job, and when it was done.
package struct JobLease: Sendable, Hashable {
    /// Who has it; nil where nobody does.
    package let holder: String?
    /// Until when nobody else gets it.
    package let leaseEnd: Date
    /// When it was last begun that came to its end; nil for never.
    package let last: Date?
}

extension JobLease: Record {
    package static let table: StaticString = "job"

    package init(_ column: borrowing RecordColumns<Self>) throws {
        holder = try column("holder", \.holder)
        leaseEnd = try column("lease_end", \.leaseEnd)
        last = try column("last", \.last)
    }
}
