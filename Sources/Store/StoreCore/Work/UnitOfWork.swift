import Foundation

/// One transaction as a use case sees it: the records, who asks, and what time it is.
///
/// `Shop.read` and `Shop.write` make one for each transaction, and `at` the same at another time. It is not `Sendable`, so it can't
/// outlive its transaction.
package final class UnitOfWork: StoreRepositories {
    package let actor: ConnectActor
    /// The time that it works at: the same for all that it does. From `Shop`, what the clock showed before the
    /// transaction waited for its turn, also where the transaction runs again; behind `at`, another one.
    package let now: Date
    /// The store's time, whatever a customer's is: the date of what goes into the audit log.
    private let storeTime: Date

    /// - Parameter storeTime: nil for `now`.
    package init(
        _ repositories: StoreRepositories, actor: ConnectActor = .nobody, now: Date,
        storeTime: Date? = nil
    ) {
        self.actor = actor
        self.now = now
        self.storeTime = storeTime ?? now
        super.init(as: repositories)
    }

    /// The same transaction at another time.
    package func at(_ time: Date) -> UnitOfWork {
        UnitOfWork(self, actor: actor, now: time, storeTime: storeTime)
    }

    /// The same transaction at the time of a customer: what the sandbox clock shows that they follow, or else
    /// its own time.
    package func at(_ customer: TimedCustomer) throws -> UnitOfWork {
        try sandboxClocks.date(for: customer).map { at($0) } ?? self
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
                after: after), at: storeTime)
    }
}
