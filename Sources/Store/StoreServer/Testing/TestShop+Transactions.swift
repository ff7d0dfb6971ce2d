import Foundation
import StoreCore
import StoreModel

/// A transaction of a test, as it stood when it was asked for.
package struct TestTransaction: Sendable {
    package enum State: String, Sendable {
        case purchased, restored, failed, deferred
    }

    package var identifier: UInt = 0
    package var originalIdentifier: UInt = 0
    package var productIdentifier = ""
    package var purchaseDate = Date.distantPast
    package var expirationDate: Date?
    package var cancelDate: Date?
    package var state = State.purchased
    package var renews = false
    package var hasIssue = false
    package var waitsForApproval = false
    package var waitsForConsent = false

    package init() {}
}

/// What there is of the tester's purchases.
extension TestShop {
    /// Everything that was bought, and what waits, oldest first.
    package func transactions() async throws -> [TestTransaction] {
        let (tester, app, team, now) = (tester, app.id, app.teamID, clock.now())
        let found = try await store.database.read { repositories in
            let subject = HistorySubject(account: tester, app: app)
            let sold = try repositories.transactions.records(of: subject).map { record in
                let subscription = try repositories.renewals.subscription(
                    record.entry.original.id)
                return TestTransaction(
                    record, subscription,
                    waitsForConsent: try subscription.map(
                        UnitOfWork(repositories, now: now).waitsForConsent) ?? false)
            }
            let waiting = try repositories.testers.undecided(of: tester, team: team, limit: 1000)
                .filter { $0.status(at: now) == .waiting }.map { TestTransaction($0) }
            let declined = try repositories.testers.declinedPayments(
                of: tester, team: team, limit: 1000)
            return sold + waiting + declined.map { TestTransaction($0) }
        }
        return found.sorted { $0.purchaseDate < $1.purchaseDate }
    }

    /// The transactions that go with one: itself, and those that it is the original of; none for a
    /// purchase that waits.
    ///
    /// - Throws: `TestRefusal`.
    package func family(of identifier: UInt) async throws -> [TransactionID] {
        if PendingPurchaseID(waiting: identifier) != nil { return [] }
        return try ephemeral.transactionDeletion().family(of: try await entry(identifier).id)
    }

    /// A transaction of the tester that was not cleared away.
    ///
    /// - Throws: `TestRefusal`.
    func entry(_ identifier: UInt) async throws -> LedgerEntry {
        let tester = tester
        let found = try await store.database.read { repositories -> LedgerEntry? in
            guard let id = TransactionID(identifier),
                let entry = try repositories.ledger.entry(id), entry.details.account == tester,
                try !repositories.testers.isCleared(id, of: tester)
            else { return nil }
            return entry
        }
        guard let found else { throw Self.unknown(identifier) }
        return found
    }

    /// Takes a transaction away, and those that it is the original of. A purchase that waits is
    /// declined.
    ///
    /// - Throws: `TestRefusal`.
    package func delete(_ identifier: UInt) async throws {
        guard let id = PendingPurchaseID(waiting: identifier) else {
            let entry = try await entry(identifier)
            let deletion = try ephemeral.transactionDeletion()
            let family = try deletion.family(of: entry.id)
            let subscription = try await store.database.read {
                try $0.renewals.subscription(entry.original.id)
            }
            try deletion.delete(family)
            guard let subscription, family.contains(subscription.latest) else { return }
            return try await SubscriptionTesting(database: store.database, clock: clock)
                .goBack(subscription.original.id)
        }
        guard let found = try await services.pending.purchase(id), found.order.account == tester
        else { throw Self.unknown(identifier) }
        do { try await services.pending.decline(id) } catch is PendingPurchaseRefusal {
            throw Self.unknown(identifier)
        }
    }

    /// Takes everything away that was bought, and declines what waits.
    package func clear() async throws {
        let (tester, team) = (tester, app.teamID)
        let waiting = try await store.database.read {
            try $0.testers.undecided(of: tester, team: team, limit: 1000)
        }
        for purchase in waiting { try? await services.pending.decline(purchase.id) }
        try await services.testers.clearHistory(of: [tester], by: .machine)
    }
}

extension TestTransaction {
    fileprivate init(
        _ record: TransactionRecord, _ subscription: Subscription?, waitsForConsent: Bool
    ) {
        let isLatest = subscription?.latest == record.id
        let details = record.entry.details
        identifier = UInt(record.id.number)
        originalIdentifier = UInt(record.entry.original.id.number)
        productIdentifier = details.productID.text
        purchaseDate = details.date
        expirationDate = record.facts.expiration
        cancelDate = record.facts.revocation?.date
        state = details.kind == .restore ? .restored : .purchased
        renews = subscription?.isRenewing ?? false
        hasIssue = isLatest && [.retry, .grace].contains(subscription?.state)
        self.waitsForConsent = isLatest && waitsForConsent
    }

    fileprivate init(_ pending: PendingPurchase) {
        identifier = pending.id.testIdentifier
        originalIdentifier = pending.id.testIdentifier
        productIdentifier = pending.order.productID.text
        purchaseDate = pending.order.date
        state = pending.kind == .approval ? .deferred : .failed
        hasIssue = pending.kind == .interruption
        waitsForApproval = pending.kind == .approval
    }

    fileprivate init(_ declined: DeclinedPayment) {
        productIdentifier = declined.productID.text
        purchaseDate = declined.date
        state = .failed
    }
}
