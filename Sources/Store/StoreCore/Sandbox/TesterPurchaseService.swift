import Foundation
import StoreModel

/// What testers have bought, and what their publisher does to it.
package struct TesterPurchaseService: Sendable {
    /// As many attempts are shown of each kind.
    package static let attemptLimit = 50

    private let database: any ShopDatabase
    private let clock: any StoreClock

    package init(
        database: any ShopDatabase, clock: any StoreClock
    ) {
        self.database = database
        self.clock = clock
    }

    /// Purchases of a tester in the team's apps, the newest first.
    ///
    /// - Throws: `ConnectRefusal`.
    package func purchases(
        of id: AccountID, _ page: PageRequest, by actor: ConnectActor
    ) async throws -> ListPage<TesterPurchase> {
        try actor.require(.manageTesters)
        return try await database.read { repositories in
            let tester = try TesterService.tester(id, for: actor, repositories)
            return try repositories.testers.purchases(of: id, team: tester.team, page)
        }
    }

    /// What a tester tried to buy in the team's apps: what waits, and what was declined.
    ///
    /// - Throws: `ConnectRefusal`.
    package func attempts(
        of id: AccountID, by actor: ConnectActor
    ) async throws -> TesterAttempts {
        try actor.require(.manageTesters)
        let now = clock.now()
        return try await database.read { repositories in
            let tester = try TesterService.tester(id, for: actor, repositories)
            let undecided = try repositories.testers.undecided(
                of: id, team: tester.team, limit: Self.attemptLimit)
            return TesterAttempts(
                waiting: try undecided.filter { pending in
                    let time = try repositories.sandboxClocks.date(for: .asker(of: pending.id))
                    return pending.standing(at: time ?? now) == .waiting
                },
                declined: try repositories.testers.declinedPayments(
                    of: id, team: tester.team, limit: Self.attemptLimit))
        }
    }

    /// Lets a purchase that waits go through, or declines it; the tester's devices hear of it.
    ///
    /// - Parameter id: whose purchase it has to be; nil for any tester's.
    /// - Returns: the purchase as it was decided.
    /// - Throws: `ConnectRefusal`.
    @discardableResult
    package func decide(
        _ outcome: PendingPurchase.Decision.Outcome, on purchase: PendingPurchaseID,
        of id: AccountID? = nil, by actor: ConnectActor
    ) async throws -> PendingPurchase {
        try actor.require(.manageTesters)
        return try await database.write { [clock] repositories in
            let now =
                try repositories.sandboxClocks.date(for: .asker(of: purchase)) ?? clock.now()
            let found = try repositories.pending.purchase(purchase)
            guard let pending = found,
                let tester = try Self.tester(
                    pending.order.account, id, boughtIn: pending.order.app, for: actor,
                    repositories)
            else { throw ConnectRefusal.notFound("waiting purchase", purchase.description) }
            try TesterRules.standing(
                after: .decide, of: tester.standing, email: tester.email)
            do {
                switch outcome {
                case .approved:
                    _ = try PendingPurchaseService.approve(purchase, at: now, repositories)
                case .declined:
                    try PendingPurchaseService.decline(purchase, at: now, repositories)
                }
            } catch let refusal as PendingPurchaseRefusal {
                throw ConnectRefusal(
                    .state, rule: "purchaseNotWaiting", refusal.description,
                    help: "Buy it again in the app.")
            }
            try repositories.audit.append(
                AuditEntry(
                    team: tester.team, actor: actor,
                    action: outcome == .approved ? "purchase.approve" : "purchase.decline",
                    subject: tester.email, after: pending.order.productID.text), at: clock.now())
            return PendingPurchase(
                id: pending.id, kind: pending.kind, order: pending.order, offer: pending.offer,
                decision: PendingPurchase.Decision(outcome: outcome, date: now))
        }
    }

    /// A purchase that a tester has waited with, or waits with.
    ///
    /// - Throws: `ConnectRefusal`.
    package func waiting(
        _ purchase: PendingPurchaseID, by actor: ConnectActor
    ) async throws -> PendingPurchase {
        try actor.require(.manageTesters)
        return try await database.read { repositories in
            guard let pending = try repositories.pending.purchase(purchase),
                try Self.tester(
                    pending.order.account, nil, boughtIn: pending.order.app, for: actor,
                    repositories) != nil
            else { throw ConnectRefusal.notFound("waiting purchase", purchase.description) }
            return pending
        }
    }

    /// How a purchase stands now that waits or waited.
    package func standing(of pending: PendingPurchase) -> PendingPurchase.Standing {
        pending.standing(at: clock.now())
    }

    /// Takes a tester's purchase back; the app hears of it as of a refund.
    ///
    /// - Parameter id: whose purchase it has to be; nil for any tester's.
    /// - Returns: the first purchase of the product, which was taken back.
    /// - Throws: `ConnectRefusal`.
    @discardableResult
    package func refund(
        _ transaction: TransactionID, of id: AccountID? = nil, by actor: ConnectActor
    ) async throws -> TesterPurchaseRefund {
        try actor.require(.manageTesters)
        let (now, storeTime) = (
            try await database.time(of: .buyer(of: transaction), clock), clock.now()
        )
        let refunded = try await database.write { repositories in
            let found = try repositories.ledger.entry(transaction)
            guard let entry = found,
                let tester = try Self.tester(
                    entry.details.account, id, boughtIn: entry.details.app, for: actor,
                    repositories)
            else { throw ConnectRefusal.notFound("purchase", transaction.description) }
            try TesterRules.standing(
                after: .refund, of: tester.standing, email: tester.email)
            guard try !repositories.testers.isCleared(entry.id, of: entry.details.account) else {
                throw ConnectRefusal(
                    .state, rule: "purchaseCleared",
                    "The purchase \(transaction) was cleared with the tester's history: apps see "
                        + "nothing of it.", help: "Buy the product again to refund it.")
            }
            guard
                try PurchaseService.revoke(entry, reason: .other, at: now, repositories)
            else {
                throw ConnectRefusal(
                    .state, rule: "purchaseRefunded",
                    "The purchase \(transaction) was taken back already.",
                    help: "Buy the product again to refund it again.")
            }
            try repositories.audit.append(
                AuditEntry(
                    team: tester.team, actor: actor, action: "purchase.refund",
                    subject: tester.email,
                    before: "\(entry.details.productID), transaction \(entry.original.id)"),
                at: storeTime)
            return entry
        }
        return TesterPurchaseRefund(
            transaction: refunded.original.id, tester: refunded.details.account,
            product: refunded.details.productID, date: now)
    }

    /// The tester who bought something, where the actor sees both tester and app.
    private static func tester(
        _ buyer: AccountID, _ wanted: AccountID?, boughtIn app: AppID, for actor: ConnectActor,
        _ repositories: StoreRepositories
    ) throws -> Tester? {
        guard wanted == nil || wanted == buyer,
            let tester = try repositories.testers.tester(buyer), actor.sees(team: tester.team),
            tester.standing != .deleted,
            try repositories.catalog.app(app)?.teamID == tester.team
        else { return nil }
        return tester
    }
}
