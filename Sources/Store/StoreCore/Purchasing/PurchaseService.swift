import Foundation
import StoreModel

/// Sells, finishes and restores.
package struct PurchaseService: Sendable {
    /// At the time of the customer whom a task works for.
    let shop: Shop

    package init(database: any ShopDatabase, clock: any StoreClock) {
        shop = Shop(database: database, clock: CustomerClock(clock))
    }

    /// A transaction with the hosted content that belongs to it.
    package struct Sale: Sendable {
        package let record: TransactionRecord
        package let release: ContentRelease?

        package var entry: LedgerEntry { record.entry }
    }

    /// What becomes of an order that is not refused.
    package enum Outcome: Sendable {
        case sold(Sale)
        /// Somebody else has to approve it first.
        case deferred
    }

    /// When a purchase of a product would charge an account; `now` for a product that the app does
    /// not have.
    ///
    /// - Parameter claim: what the order would say of offers.
    package func charge(
        for productID: String, _ claim: OfferClaim = OfferClaim(), by account: Account,
        in catalog: AppCatalog
    ) async throws -> Result<ChargeNotice, PurchaseRefusal> {
        guard let product = ProductID(productID).flatMap({ catalog.products[$0] }) else {
            return .success(.now)
        }
        return try await shop.read { work in
            try work.chargeNotice(for: product, claim, by: account, in: catalog.app.id)
                .mapError { .offer(claim.name, $0) }
        }
    }

    /// Buys, idempotently: no double charge, however often the same order arrives.
    ///
    /// - Parameter catalog: the app's catalog as last read; read again if it has changed.
    package func buy(
        _ order: PurchaseOrder, by account: Account, profile: ProfileClaim, catalog: AppCatalog
    ) async throws -> Result<Outcome, PurchaseRefusal> {
        let storeTime = shop.clock.storeTime()
        return try await shop.write { work in
            let reader = try PurchaseReader(
                order, by: account, profile: profile, catalog: catalog, work)
            let step = PurchaseRules.step(for: order, reader.situation, at: work.now)
            return try PurchaseWriter(
                order, by: account, in: catalog.app.id, reader, work.at(storeTime)
            ).take(step)
        }
    }

    /// Deletes refusals of which no copy of an order can arrive any more, and signatures of offers
    /// that are too old to be good for anything.
    ///
    /// - Parameter now: what the clock shows, where somebody has looked whether it can be believed.
    package func forget(at now: Date) async throws {
        try await shop.write { work in
            try work.refused.deleteRefusals(
                before: now.addingTimeInterval(-RefusedPurchase.retention))
            try work.offers.deleteNonces(
                before: now.addingTimeInterval(-2 * OfferClaim.lifetime))
        }
    }

    /// Records that the app is done with a transaction.
    ///
    /// - Returns: false where the account has no such transaction in this app.
    package func finish(
        _ id: TransactionID, by account: Account, in app: App
    ) async throws -> Bool {
        return try await shop.write { work in
            guard try Self.entry(id, of: account, in: app, work) != nil else {
                return false
            }
            try work.ledger.recordFinish(of: id, at: work.now)
            return true
        }
    }

    /// What a device bought and has not finished, a page at a time.
    package func unfinished(
        by account: Account, in catalog: AppCatalog, device: String, after: TransactionID?
    ) async throws -> Page {
        try await shop.read { work in
            let entries = try work.ledger.unfinished(
                account: account.id, app: catalog.app.id, device: device, after: after,
                limit: Self.pageSize + 1)
            return try Self.page(entries) { try Self.sale($0, catalog: catalog, work) }
        }
    }

    /// As many transactions as one page has.
    package static let pageSize = 200

    /// A page of transactions.
    package struct Page: Sendable {
        package let sales: [Sale]
        /// What the next page begins after; nil for the last.
        package let next: TransactionID?
    }

    /// A page of what was read with one entry more than it holds.
    private static func page(
        _ entries: [LedgerEntry], _ sale: (LedgerEntry) throws -> Sale
    ) rethrows -> Page {
        let shown = entries.prefix(pageSize)
        return Page(
            sales: try shown.map(sale), next: entries.count > pageSize ? shown.last?.id : nil)
    }

    /// As many devices have restored transactions of their own.
    package static let restoringDevices = 32

    /// A restored transaction for each product that the account owns, a page at a time. A device
    /// gets the same ones each time.
    package func restore(
        by account: Account, in catalog: AppCatalog, device: String,
        applicationUsername: String?, after: TransactionID?
    ) async throws -> Page {
        let restoring = Restoring(
            account: account.id, catalog: catalog, device: device,
            applicationUsername: applicationUsername, after: after, date: shop.clock.now())
        // Most devices have restored before, and nobody's purchase waits for them.
        if let known = try await shop.read({ try restoring.known($0) }) { return known }
        return try await shop.write { try restoring.page($0) }
    }

    /// A transaction of this account in this app, as long as what it is for may be used.
    package func usable(
        _ id: TransactionID, by account: Account, in app: App
    ) async throws -> LedgerEntry? {
        try await shop.read { work in
            guard let entry = try Self.entry(id, of: account, in: app, work),
                try !work.ledger.isRevoked(entry.revocable)
            else { return nil }
            return entry
        }
    }

    /// The same for whoever shows that the account's device may ask.
    package func usable(
        _ id: TransactionID, in app: App, environment: StoreEnvironment
    ) async throws -> LedgerEntry? {
        try await shop.read { work in
            guard let entry = try work.ledger.entry(id), entry.details.app == app.id,
                entry.details.environment == environment,
                try !work.ledger.isRevoked(entry.revocable)
            else { return nil }
            return entry
        }
    }

    private static func entry(
        _ id: TransactionID, of account: Account, in app: App, _ work: UnitOfWork
    ) throws -> LedgerEntry? {
        guard let entry = try work.ledger.entry(id), entry.details.account == account.id,
            entry.details.app == app.id
        else { return nil }
        return entry
    }

    package static func sale(
        _ entry: LedgerEntry, catalog: AppCatalog?, _ repositories: StoreRepositories
    ) throws -> Sale {
        guard let record = try repositories.transactions.record(entry.id) else {
            preconditionFailure("what is in the ledger has a record")
        }
        return sale(record, catalog: catalog)
    }

    static func sale(_ record: TransactionRecord, catalog: AppCatalog?) -> Sale {
        let details = record.entry.details
        let product = catalog?.products[details.productID]
        return Sale(record: record, release: product?.currentRelease(in: details.environment))
    }
}

extension UnitOfWork {
    /// Records that the payment for a purchase was declined.
    func recordDeclinedPayment(of sale: SaleWriter, _ settings: AccountSettings) throws {
        var draft = sale.draft
        // The date of the attempt: where a payment is made in grace, the draft has the date of the old end.
        draft.date = sale.order.date
        try testers.insert(DeclinedPayment(draft))
        guard settings.paymentFailure == .next else { return }
        var settings = settings
        settings.paymentFailure = .none
        try accounts.set(settings, of: draft.account)
    }
}
