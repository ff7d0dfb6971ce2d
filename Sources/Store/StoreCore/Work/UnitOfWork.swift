import Foundation

/// One transaction as a use case sees it: the records, who asks, and what time it is.
///
/// `Shop.read` and `Shop.write` make one for each transaction. It is not `Sendable`, so it can't
/// outlive its transaction.
package final class UnitOfWork: StoreRepositories {
    package let actor: ConnectActor
    /// What the clock showed before the transaction waited for its turn: the same for all that one use
    /// case does, also where the transaction runs again.
    package let now: Date

    init(_ repositories: StoreRepositories, actor: ConnectActor, now: Date) {
        self.actor = actor
        self.now = now
        super.init(as: repositories)
    }

    /// Writes into the audit log what was done.
    ///
    /// - Parameters:
    ///   - action: a verb of the store's language, for example `product.submit`.
    ///   - subject: what it was done to, for people, for example `com.example.book.chapter1`.
    ///   - team: whose log it stands in; nil for what belongs to the store.
    package func note(
        _ action: String, on subject: String, of team: Int64?, before: String? = nil,
        after: String? = nil
    ) throws {
        try audit.append(
            AuditEntry(
                team: team, actor: actor, action: action, subject: subject, before: before,
                after: after), at: now)
    }
}
