import Foundation
import StoreModel

/// What testers have bought, and what their publisher does to it.
package struct TesterPurchaseService: Sendable {
    /// As many attempts are shown of each kind.
    package static let attemptLimit = 50

    private let database: any StoreDatabase
    private let clock: any StoreClock
    private let changed: @Sendable (AccountID) -> Void

    /// - Parameter changed: hears of accounts whose devices have news.
    package init(
        database: any StoreDatabase, clock: any StoreClock,
        changed: @escaping @Sendable (AccountID) -> Void = { _ in }
    ) {
        self.database = database
        self.clock = clock
        self.changed = changed
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
                waiting: undecided.filter { $0.standing(at: now) == .waiting },
                declined: try repositories.testers.declinedPayments(
                    of: id, team: tester.team, limit: Self.attemptLimit))
        }
    }

    /// Lets a purchase that waits go through, or declines it; the tester's devices hear of it.
    ///
    /// - Throws: `ConnectRefusal`.
    package func decide(
        _ outcome: PendingPurchase.Decision.Outcome, on purchase: PendingPurchaseID,
        of id: AccountID, by actor: ConnectActor
    ) async throws {
        try actor.require(.manageTesters)
        try await database.write { [clock] repositories in
            let now = clock.now()
            let tester = try TesterService.tester(id, for: actor, repositories)
            guard let pending = try repositories.pending.purchase(purchase),
                pending.order.account == id,
                try Self.isApp(pending.order.app, of: tester, repositories)
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
                    subject: tester.email, after: pending.order.productID.text), at: now)
        }
        changed(id)
    }

    /// Takes a tester's purchase back; the app hears of it as of a refund.
    ///
    /// - Throws: `ConnectRefusal`.
    package func refund(
        _ transaction: TransactionID, of id: AccountID, by actor: ConnectActor
    ) async throws {
        try actor.require(.manageTesters)
        let now = clock.now()
        try await database.write { repositories in
            let tester = try TesterService.tester(id, for: actor, repositories)
            guard let entry = try repositories.ledger.entry(transaction),
                entry.details.account == id,
                try Self.isApp(entry.details.app, of: tester, repositories)
            else { throw ConnectRefusal.notFound("purchase", transaction.description) }
            try TesterRules.standing(
                after: .refund, of: tester.standing, email: tester.email)
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
                at: now)
        }
        changed(id)
    }

    private static func isApp(
        _ app: AppID, of tester: Tester, _ repositories: any StoreRepositories
    ) throws -> Bool {
        try repositories.catalog.app(app)?.teamID == tester.team
    }
}
