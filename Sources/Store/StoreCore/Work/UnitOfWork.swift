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
    /// The date of what goes into the audit log: `now` of the transaction as it began, whatever a customer's
    /// time is.
    private let auditDate: Date

    package convenience init(
        _ repositories: StoreRepositories, actor: ConnectActor = .nobody, now: Date
    ) {
        self.init(repositories, actor: actor, now: now, auditDate: now)
    }

    private init(
        _ repositories: StoreRepositories, actor: ConnectActor, now: Date, auditDate: Date
    ) {
        self.actor = actor
        self.now = now
        self.auditDate = auditDate
        super.init(as: repositories)
    }

    /// The same transaction at another time; nil for its own.
    package func at(_ time: Date?) -> UnitOfWork {
        time.map { UnitOfWork(self, actor: actor, now: $0, auditDate: auditDate) } ?? self
    }

    /// The same transaction at the time of a customer: what the sandbox clock shows that they follow, or else
    /// its own time.
    package func at(_ customer: TimedCustomer) throws -> UnitOfWork {
        at(try sandboxClocks.date(for: customer))
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
                after: after), at: auditDate)
    }
}
