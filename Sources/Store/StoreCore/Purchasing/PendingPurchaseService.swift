import Foundation
import StoreModel

/// Decides on purchases that wait.
package struct PendingPurchaseService: Sendable {
    private let shop: Shop

    package init(database: any ShopDatabase, clock: any StoreClock) {
        shop = Shop(database: database, clock: clock)
    }

    /// Purchases that somebody can still decide on, oldest first.
    package func waiting() async throws -> [PendingPurchase] {
        try await shop.read { work in
            try work.pending.undecided().filter {
                try $0.status(at: work.at(.asker(of: $0.id)).now) == .waiting
            }
        }
    }

    package func purchase(_ id: PendingPurchaseID) async throws -> PendingPurchase? {
        try await shop.read { try $0.pending.purchase(id) }
    }

    /// Sells what waits, at the price that was asked for, and tells the account's devices.
    ///
    /// - Throws: `PendingPurchaseRefusal`.
    @discardableResult
    package func approve(_ id: PendingPurchaseID) async throws -> LedgerEntry {
        try await shop.write { work in
            // When it is written, not when it was asked for: it may have had to wait.
            try work.at(shop.clock.now()).at(.asker(of: id)).approve(id)
        }
    }

    /// Ends what waits without a sale, and tells the account's devices.
    ///
    /// - Throws: `PendingPurchaseRefusal`.
    package func decline(_ id: PendingPurchaseID) async throws {
        try await shop.write { work in
            try work.at(shop.clock.now()).at(.asker(of: id)).decline(id)
        }
    }
}

extension UnitOfWork {
    /// Sells what waits, at the price that was asked for, and tells the account's devices.
    ///
    /// - Throws: `PendingPurchaseRefusal`.
    @discardableResult
    func approve(_ id: PendingPurchaseID) throws -> LedgerEntry {
        let pending = try waiting(id)
        var draft = pending.order
        let found = try catalog.product(draft.productID, in: draft.app)
        guard let product = found, let app = try catalog.app(draft.app) else {
            throw PendingPurchaseRefusal.notSold(draft.productID, .removedFromSale, draft.bundleID)
        }
        let reason = try reason(
            against: product, of: app, in: draft.environment, storefront: draft.storefront)
        if let reason {
            throw PendingPurchaseRefusal.notSold(draft.productID, reason, draft.bundleID)
        }
        draft.date = now
        if draft.productType == .nonConsumable,
            let owned = try ledger.firstPurchase(
                of: draft.productID, account: draft.account, app: draft.app)
        {
            // Bought in another way meanwhile.
            draft.original = owned.original
            draft.charged.thousandths = 0
        }
        if pending.kind == .interruption {
            // The payment itself has failed: what comes now is a transaction of its own.
            draft.key = "resolved-\(draft.key)"
        }
        if let offer = pending.offer,
            try !mayHave(
                offer, product, by: draft.account, in: draft.app, since: pending.order.date)
        {
            throw PendingPurchaseRefusal.offerOver(draft.productID)
        }
        let entry = try SaleWriter(draft, of: product, offer: pending.offer, self).insert()
        try end(pending, .approved)
        return entry
    }

    /// Ends what waits without a sale, and tells the account's devices.
    ///
    /// - Throws: `PendingPurchaseRefusal`.
    func decline(_ id: PendingPurchaseID) throws { try end(try waiting(id), .declined) }

    private func waiting(_ id: PendingPurchaseID) throws -> PendingPurchase {
        guard let pending = try self.pending.purchase(id) else {
            throw PendingPurchaseRefusal.unknown(id)
        }
        let status = pending.status(at: now)
        guard status == .waiting else { throw PendingPurchaseRefusal.over(id, status) }
        return pending
    }

    private func end(
        _ pending: PendingPurchase, _ outcome: PendingPurchase.Decision.Outcome
    ) throws {
        try self.pending.record(
            PendingPurchase.Decision(outcome: outcome, date: now), on: pending.id)
        try events.append(
            DeviceEventDraft(
                account: pending.order.account, app: pending.order.app, kind: .transactions),
            at: now)
    }
}
