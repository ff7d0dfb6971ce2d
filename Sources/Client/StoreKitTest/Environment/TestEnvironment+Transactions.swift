import StoreCore
import StoreKit
import StoreModel

/// What there is of the tester's purchases.
extension TestEnvironment {
    /// Everything that was bought, and what waits, oldest first.
    func transactions() async throws -> [SKTestTransaction] {
        try requireCharge()
        let (tester, app, team, now) = (tester, app.id, app.teamID, clock.now())
        let facts = try await store.database.read { repositories in
            let subject = HistorySubject(account: tester, app: app)
            let sold = try repositories.transactions.records(of: subject).map { record in
                let subscription = try repositories.renewals.subscription(
                    record.entry.original.id)
                return Self.facts(
                    record, subscription,
                    waitsForConsent: try subscription.map {
                        try SubscriptionReading(repositories, at: now).information(on: $0)
                            .priceIncrease == .unanswered
                    } ?? false)
            }
            let waiting = try repositories.testers.undecided(of: tester, team: team, limit: 1000)
                .filter { $0.standing(at: now) == .waiting }.map(Self.facts)
            let declined = try repositories.testers.declinedPayments(
                of: tester, team: team, limit: 1000)
            return sold + waiting + declined.map(Self.facts)
        }
        return facts.sorted { $0.purchaseDate < $1.purchaseDate }.map(SKTestTransaction.init)
    }

    private static func facts(
        _ record: TransactionRecord, _ subscription: Subscription?, waitsForConsent: Bool
    ) -> SKTestTransaction.Facts {
        let isLatest = subscription?.latest == record.id
        let details = record.entry.details
        return SKTestTransaction.Facts(
            identifier: UInt(record.id.number),
            originalIdentifier: UInt(record.entry.original.id.number),
            productIdentifier: details.productID.text, purchaseDate: details.date,
            expirationDate: record.facts.expiration, cancelDate: record.facts.revocation?.date,
            state: details.kind == .restore ? .restored : .purchased,
            renews: subscription?.isRenewing ?? false,
            hasIssue: isLatest && [.retry, .grace].contains(subscription?.state),
            waitsForConsent: isLatest && waitsForConsent)
    }

    private static func facts(_ pending: PendingPurchase) -> SKTestTransaction.Facts {
        SKTestTransaction.Facts(
            identifier: pending.id.sessionIdentifier,
            originalIdentifier: pending.id.sessionIdentifier,
            productIdentifier: pending.order.productID.text, purchaseDate: pending.order.date,
            state: pending.kind == .approval ? .deferred : .failed,
            hasIssue: pending.kind == .interruption,
            waitsForApproval: pending.kind == .approval)
    }

    private static func facts(_ declined: DeclinedPayment) -> SKTestTransaction.Facts {
        SKTestTransaction.Facts(
            identifier: 0, originalIdentifier: 0, productIdentifier: declined.productID.text,
            purchaseDate: declined.date, state: .failed)
    }

    /// Takes a transaction away, and those that it is the original of.
    ///
    /// - Throws: `SKTestError`.
    func delete(_ identifier: UInt) async throws {
        try requireCharge()
        if let id = PendingPurchaseID(waiting: identifier) {
            guard let found = try await services.pending.purchase(id),
                found.order.account == tester
            else { throw Self.unknown(identifier) }
            do { return try await services.pending.decline(id) } catch is PendingPurchaseRefusal {
                throw Self.unknown(identifier)
            }
        }
        guard let id = TransactionID(identifier),
            let found = try await store.database.read({ try $0.ledger.entry(id) }),
            found.details.account == tester
        else { throw Self.unknown(identifier) }
        let deletion = try transactionDeletion()
        let family = try deletion.family(of: id)
        await engine?.dismiss(family)
        try deletion.delete(family)
        await engine?.beginHistoryAnew()
    }

    /// Takes away everything that was bought: the app begins anew.
    func clear() async throws {
        try requireCharge()
        let (tester, team) = (tester, app.teamID)
        let waiting = try await store.database.read {
            try $0.testers.undecided(of: tester, team: team, limit: 1000)
        }
        for purchase in waiting { try? await services.pending.decline(purchase.id) }
        try await services.testers.clearHistory(of: [tester], by: .machine)
        try await installAnew()
    }
}
