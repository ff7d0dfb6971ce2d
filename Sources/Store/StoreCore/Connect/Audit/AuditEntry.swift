import Foundation
import StoreDatabase

/// Something that was changed in Connect: added to the audit log by the transaction that
/// changed it.
package struct AuditEntry: Sendable, Hashable {
    /// Whose log it stands in; nil for what belongs to the store.
    package var team: Int64?
    /// Who did it, as `ConnectActor.auditName`.
    package var actor: String
    /// What was done: a verb of the store's language, for example `product.submit`.
    package var action: String
    /// What it was done to, for people, for example `com.example.book.chapter1`.
    package var subject: String
    /// What was there before, and after; nil where there is nothing to tell.
    package var before: String?
    package var after: String?

    package init(
        team: Int64?, actor: ConnectActor, action: String, subject: String,
        before: String? = nil, after: String? = nil
    ) {
        self.team = team
        self.actor = actor.auditName
        self.action = action
        self.subject = subject
        self.before = before
        self.after = after
    }
}

extension AuditEntry: RecordPart {
    package init(_ column: borrowing RecordColumns<Self>) throws {
        team = try column("team", \.team)
        actor = try column("actor", \.actor)
        action = try column("action", \.action)
        subject = try column("subject", \.subject)
        before = try column("before", \.before)
        after = try column("after", \.after)
    }
}
