import Foundation
import StoreModel

/// What testers have bought, and what their publisher does to it.
package struct TesterPurchaseService: Sendable {
    /// As many attempts are shown of each kind.
    package static let attemptLimit = 50

    private let shop: Shop

    package init(database: any ShopDatabase, clock: any StoreClock) {
        shop = Shop(database: database, clock: clock)
    }

    /// Purchases of a tester in the team's apps, the newest first.
    ///
    /// - Throws: `ConnectRefusal`.
    package func purchases(
        of id: AccountID, _ page: PageRequest, by actor: ConnectActor
    ) async throws -> ListPage<TesterPurchase> {
        try await shop.read(as: actor, requiring: .manageTesters) { work in
            let tester = try work.tester(id)
            return try work.testers.purchases(of: id, team: tester.team, page)
        }
    }

    /// What a tester tried to buy in the team's apps: what waits, and what was declined.
    ///
    /// - Throws: `ConnectRefusal`.
    package func attempts(of id: AccountID, by actor: ConnectActor) async throws -> TesterAttempts {
        try await shop.read(as: actor, requiring: .manageTesters) { work in
            let tester = try work.tester(id)
            let undecided = try work.testers.undecided(
                of: id, team: tester.team, limit: Self.attemptLimit)
            return TesterAttempts(
                waiting: try undecided.filter {
                    try $0.status(at: work.at(.asker(of: $0.id)).now) == .waiting
                },
                declined: try work.testers.declinedPayments(
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
        try await shop.write(as: actor, requiring: .manageTesters) { work in
            // When it is written, not when it was asked for: it may have had to wait.
            let customer = try work.at(shop.clock.now()).at(.asker(of: purchase))
            let found = try work.pending.purchase(purchase)
            guard let pending = found,
                let tester = try Self.tester(
                    pending.order.account, id, boughtIn: pending.order.app, work)
            else { throw ConnectRefusal.notFound("waiting purchase", purchase.description) }
            try TesterRules.status(after: .decide, of: tester.status, email: tester.email)
            do {
                switch outcome {
                case .approved: try customer.approve(purchase)
                case .declined: try customer.decline(purchase)
                }
            } catch let refusal as PendingPurchaseRefusal {
                if case .notSold = refusal {
                    throw ConnectRefusal(
                        .state, rule: "purchaseNotSold", refusal.description,
                        help: "It still waits: approve it when that is mended, or decline it.")
                }
                throw ConnectRefusal(
                    .state, rule: "purchaseNotWaiting", refusal.description,
                    help: "Buy it again in the app.")
            }
            try work.note(
                outcome == .approved ? "purchase.approve" : "purchase.decline", on: tester.email,
                of: tester.team, after: pending.order.productID.text)
            return PendingPurchase(
                id: pending.id, kind: pending.kind, order: pending.order, offer: pending.offer,
                decision: PendingPurchase.Decision(outcome: outcome, date: customer.now))
        }
    }

    /// A purchase that a tester has waited with, or waits with.
    ///
    /// - Throws: `ConnectRefusal`.
    package func waiting(
        _ purchase: PendingPurchaseID, by actor: ConnectActor
    ) async throws -> PendingPurchase {
        try await shop.read(as: actor, requiring: .manageTesters) { work in
            guard let pending = try work.pending.purchase(purchase),
                try Self.tester(
                    pending.order.account, nil, boughtIn: pending.order.app, work) != nil
            else { throw ConnectRefusal.notFound("waiting purchase", purchase.description) }
            return pending
        }
    }

    /// How a purchase stands now that waits or waited.
    package func status(of pending: PendingPurchase) -> PendingPurchase.Status {
        pending.status(at: shop.clock.now())
    }

    /// Takes a tester's purchase back; the app hears of it as of a refund.
    ///
    /// - Parameter id: whose purchase it has to be; nil for any tester's.
    /// - Returns: what was taken back: the first purchase of the product, or a period of the subscription.
    /// - Throws: `ConnectRefusal`.
    @discardableResult
    package func refund(
        _ transaction: TransactionID, of id: AccountID? = nil, by actor: ConnectActor
    ) async throws -> TesterPurchaseRefund {
        try actor.require(.manageTesters)
        return try await shop.write(for: .buyer(of: transaction), as: actor) { work in
            let found = try work.ledger.entry(transaction)
            guard let entry = found,
                let tester = try Self.tester(
                    entry.details.account, id, boughtIn: entry.details.app, work)
            else { throw ConnectRefusal.notFound("purchase", transaction.description) }
            try TesterRules.status(after: .refund, of: tester.status, email: tester.email)
            guard try !work.testers.isCleared(entry.id, of: entry.details.account) else {
                throw ConnectRefusal(
                    .state, rule: "purchaseCleared",
                    "The purchase \(transaction) was cleared with the tester's history: apps see "
                        + "nothing of it.", help: "Buy the product again to refund it.")
            }
            guard try work.revoke(entry, reason: .other) else {
                throw ConnectRefusal(
                    .state, rule: "purchaseRefunded",
                    "The purchase \(transaction) was taken back already.",
                    help: "Buy the product again to refund it again.")
            }
            try work.note(
                "purchase.refund", on: tester.email, of: tester.team,
                before: "\(entry.details.productID), transaction \(entry.revocable)")
            return TesterPurchaseRefund(
                transaction: entry.revocable, tester: entry.details.account,
                product: entry.details.productID, date: work.now)
        }
    }

    /// The tester who bought something, where the actor sees both tester and app.
    private static func tester(
        _ buyer: AccountID, _ wanted: AccountID?, boughtIn app: AppID, _ work: UnitOfWork
    ) throws -> Tester? {
        guard wanted == nil || wanted == buyer,
            let tester = try work.testers.tester(buyer), work.actor.sees(team: tester.team),
            tester.status != .deleted,
            try work.catalog.app(app)?.teamID == tester.team
        else { return nil }
        return tester
    }
}
