import Foundation
import StoreModel

/// Writes what becomes of an order, inside the transaction that answers it.
struct PurchaseWriter {
    private let order: PurchaseOrder
    private let account: Account
    private let app: AppID
    private let reader: PurchaseReader
    private let work: UnitOfWork

    /// - Parameter work: at the store's time: old refusals of all accounts are deleted together.
    init(
        _ order: PurchaseOrder, by account: Account, in app: AppID, _ reader: PurchaseReader,
        _ work: UnitOfWork
    ) {
        self.order = order
        self.account = account
        self.app = app
        self.reader = reader
        self.work = work
    }

    func take(_ step: PurchaseStep) throws -> Result<PurchaseService.Outcome, PurchaseRefusal> {
        switch step {
        case .repeatRefusal(let refusal): return .failure(refusal)
        case .repeatWait: return try unlessSold { .success(.deferred) }
        case .refuse(let refusal):
            return try unlessSold {
                try refuse(refusal)
                return .failure(refusal)
            }
        case .declinePayment(let settings):
            try useSignature()
            return try unlessSold {
                if let sale = reader.sale {
                    try work.recordDeclinedPayment(of: sale, settings)
                }
                return .failure(.paymentDeclined)
            }
        case .wait(let kind):
            try useSignature()
            return try unlessSold {
                if let sale = reader.sale {
                    _ = try work.pending.insert(sale.order, offer: sale.offer, kind: kind)
                }
                return kind == .approval ? .success(.deferred) : .failure(.interrupted)
            }
        case .sell:
            try useSignature()
            guard let entry = try reader.sale?.insertIfNew() else {
                return try unlessSold { .failure(.keyReused) }
            }
            return .success(.sold(try fresh(entry)))
        }
    }

    /// The answer to an order whose key has sold before: what was sold, unless it was taken back since.
    /// Otherwise what a step gives.
    private func unlessSold(
        _ step: () throws -> Result<PurchaseService.Outcome, PurchaseRefusal>
    ) throws -> Result<PurchaseService.Outcome, PurchaseRefusal> {
        guard
            let sold = try work.ledger.entry(
                key: order.key.text, account: account.id, app: app)
        else { return try step() }
        guard PurchaseRules.isRepetition(order, of: sold.details) else {
            return .failure(.keyReused)
        }
        guard try !work.ledger.isRevoked(sold.revocable) else { return .failure(.revoked) }
        return .success(
            .sold(try PurchaseService.sale(sold, catalog: reader.catalog, work)))
    }

    private func refuse(_ refusal: PurchaseRefusal) throws {
        guard refusal.closesKey else { return }
        try work.refused.insert(
            RefusedPurchase(
                account: account.id, environment: account.environment, app: app,
                key: order.key.text, refusal: refusal, date: work.now))
    }

    /// A publisher's signature is good for one purchase, also for one whose payment is declined.
    private func useSignature() throws {
        guard let nonce = reader.nonce else { return }
        try work.offers.use(nonce, by: account.id, key: order.key.text, at: work.now)
    }

    /// The answer for a sale that was written a moment ago in the same transaction.
    ///
    /// Nothing can be known yet of a first purchase that is no subscription but what was written:
    /// there is no period, no revocation, no token of the publisher's. Its row is not read again, and
    /// not only to save the time: on PostgreSQL, reading the newest row of the ledger would be in the
    /// way of all who add one beside it, and one of two customers at once would have to begin anew.
    private func fresh(_ entry: LedgerEntry) throws -> PurchaseService.Sale {
        let details = entry.details
        guard details.original == nil, details.productType != .autoRenewableSubscription,
            let app = try work.transactions.appTransaction(
                of: details.account, app: details.app)
        else { return try PurchaseService.sale(entry, catalog: reader.catalog, work) }
        return PurchaseService.sale(
            TransactionRecord(
                entry: entry, appTransaction: app.id, group: nil, reason: .purchase, shared: nil,
                isPaidPeriod: false, offer: nil,
                facts: TransactionFacts(accountToken: details.applicationUsername)),
            catalog: reader.catalog)
    }
}
