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
            try work.pending.undecided().filter { pending in
                let time = try work.sandboxClocks.date(for: .asker(of: pending.id))
                return pending.status(at: time ?? work.now) == .waiting
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
            let now = try work.sandboxClocks.date(for: .asker(of: id)) ?? shop.clock.now()
            return try Self.approve(id, at: now, work)
        }
    }

    /// As `approve`, inside a transaction.
    static func approve(
        _ id: PendingPurchaseID, at date: Date, _ repositories: StoreRepositories
    ) throws -> LedgerEntry {
        let pending = try waiting(id, at: date, repositories)
        let product = try repositories.catalog.product(
            pending.order.productID, in: pending.order.app)
        guard let product, !product.isDeleted, !product.details.state.isRemovedFromSale else {
            throw PendingPurchaseRefusal.removedFromSale(pending.order.productID)
        }
        var draft = pending.order
        draft.date = date
        if draft.productType == .nonConsumable,
            let owned = try repositories.ledger.firstPurchase(
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
            try !OfferFinder(repositories, at: date).mayHave(
                offer, product, by: draft.account, in: draft.app, since: pending.order.date)
        {
            throw PendingPurchaseRefusal.offerOver(draft.productID)
        }
        let entry = try SaleWriter(
            draft, of: product, offer: pending.offer, repositories, at: date
        ).insert()
        try end(pending, .approved, at: date, repositories)
        return entry
    }

    /// Ends what waits without a sale, and tells the account's devices.
    ///
    /// - Throws: `PendingPurchaseRefusal`.
    package func decline(_ id: PendingPurchaseID) async throws {
        try await shop.write { work in
            let now = try work.sandboxClocks.date(for: .asker(of: id)) ?? shop.clock.now()
            try Self.decline(id, at: now, work)
        }
    }

    /// As `decline`, inside a transaction.
    static func decline(
        _ id: PendingPurchaseID, at date: Date, _ repositories: StoreRepositories
    ) throws {
        try end(try waiting(id, at: date, repositories), .declined, at: date, repositories)
    }

    private static func waiting(
        _ id: PendingPurchaseID, at date: Date, _ repositories: StoreRepositories
    ) throws -> PendingPurchase {
        guard let pending = try repositories.pending.purchase(id) else {
            throw PendingPurchaseRefusal.unknown(id)
        }
        let status = pending.status(at: date)
        guard status == .waiting else { throw PendingPurchaseRefusal.over(id, status) }
        return pending
    }

    private static func end(
        _ pending: PendingPurchase, _ outcome: PendingPurchase.Decision.Outcome, at date: Date,
        _ repositories: StoreRepositories
    ) throws {
        try repositories.pending.record(
            PendingPurchase.Decision(outcome: outcome, date: date), on: pending.id)
        try repositories.events.append(
            DeviceEventDraft(
                account: pending.order.account, app: pending.order.app, kind: .transactions),
            at: date)
    }
}
