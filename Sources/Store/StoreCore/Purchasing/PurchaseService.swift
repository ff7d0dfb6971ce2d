import Foundation
import StoreModel

/// Sells, finishes and restores.
package struct PurchaseService: Sendable {
    let database: any StoreDatabase
    let clock: CustomerClock

    package init(database: any StoreDatabase, clock: any StoreClock) {
        self.database = database
        self.clock = CustomerClock(clock)
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
        let now = clock.now()
        return try await database.read { repositories in
            try ChargeNotice.of(
                product, claim, by: account, in: catalog.app.id, repositories, at: now
            ).mapError { .offer(claim.identifier ?? OfferClaim.introductory, $0) }
        }
    }

    /// Buys: once, however often the same order arrives.
    ///
    /// - Parameter catalog: the app's catalog as last read; read again if it has changed.
    package func buy(
        _ order: PurchaseOrder, by account: Account, profile: ProfileClaim, catalog: AppCatalog
    ) async throws -> Result<Outcome, PurchaseRefusal> {
        // Refusals have the store's date, because old ones of all accounts are deleted together.
        let (now, storeTime) = (clock.now(), clock.store.now())
        return try await database.write { repositories in
            let ledger = repositories.ledger
            let app = catalog.app
            if let pending = try repositories.pending.purchase(
                key: order.key.text, account: account.id, app: app.id)
            {
                if let refusal = PurchaseRules.answer(to: order, pending, at: now) {
                    return .failure(refusal)
                }
                guard
                    let sold = try ledger.entry(
                        key: order.key.text, account: account.id, app: app.id)
                else { return .success(.deferred) }
                return try Self.repeated(sold, catalog: catalog, repositories)
            }
            // Only testers' payments are declined on purpose.
            if account.environment == .sandbox,
                let declined = try repositories.testers.declinedPayment(
                    key: order.key.text, account: account.id, app: app.id)
            {
                return .failure(PurchaseRules.answer(to: order, declined))
            }
            let catalog =
                try repositories.catalog.generation(of: app.id) == catalog.generation
                ? catalog
                : try CatalogService.load(
                    app.bundleID, only: ProductID(order.productID), from: repositories)
            let terms = SellingTerms(
                profile: profile, environment: account.environment, catalog: catalog, at: now)
            var decision = PurchaseRules.decide(
                order, by: account, in: app, terms: terms,
                owned: try Self.owned(order, by: account, in: catalog, ledger), at: now)
            if let refused = try repositories.refused.purchase(
                key: order.key.text, account: account.id, app: app.id)
            {
                return .failure(PurchaseRules.answer(to: refused, insteadOf: decision))
            }
            if case .success(let wanted) = decision,
                let product = catalog?.products[wanted.productID]
            {
                switch try OfferReading(repositories, at: now).offer(
                    for: order.claim, product, by: account, in: app.id)
                {
                case .failure(let why):
                    decision = .failure(
                        .offer(order.claim.identifier ?? OfferClaim.introductory, why))
                case .success(let offer):
                    switch try Self.sell(
                        wanted, of: product, with: PurchaseRules.affordable(offer, order), order,
                        repositories, at: (now, storeTime))
                    {
                    case .sold(let entry):
                        return .success(
                            .sold(try Self.fresh(entry, catalog: catalog, repositories)))
                    case .deferred: return .success(.deferred)
                    case .refused(let refusal): return .failure(refusal)
                    case .repeated: break
                    }
                }
            }
            // A repetition gets its transaction, also where the rules are others by now.
            guard
                let known = try ledger.entry(
                    key: order.key.text, account: account.id, app: app.id)
            else {
                guard case .failure(let refusal) = decision else { return .failure(.keyReused) }
                if refusal.closesKey {
                    try repositories.refused.insert(
                        RefusedPurchase(
                            account: account.id, environment: account.environment, app: app.id,
                            key: order.key.text, refusal: refusal, date: storeTime))
                }
                return .failure(refusal)
            }
            guard PurchaseRules.isRepetition(order, of: known.details) else {
                return .failure(.keyReused)
            }
            return try Self.repeated(known, catalog: catalog, repositories)
        }
    }

    /// What becomes of an order that the rules allow.
    private enum Step {
        case sold(LedgerEntry)
        /// Somebody else has to approve it first.
        case deferred
        case refused(PurchaseRefusal)
        /// Its key has sold before.
        case repeated
    }

    /// Sells, unless the order's key has done so before. Only what is not sold at once is looked up
    /// first.
    ///
    /// - Parameter date: the customer's time, and the store's.
    private static func sell(
        _ wanted: LedgerDraft, of product: Product, with offer: SubscriptionOffer?,
        _ order: PurchaseOrder, _ repositories: StoreRepositories,
        at date: (customer: Date, store: Date)
    ) throws -> Step {
        let sale = try SaleWriting(
            wanted, of: product, offer: offer, repositories, at: date.customer)
        let draft = sale.draft
        let settings = try repositories.accounts.settings(of: draft.account)
        func unlessRepeated(_ step: () throws -> Step) throws -> Step {
            let known = try repositories.ledger.entry(
                key: draft.key, account: draft.account, app: draft.app)
            return known == nil ? try step() : .repeated
        }
        func refuse(_ refusal: PurchaseRefusal) throws -> Step {
            try unlessRepeated {
                try repositories.refused.insert(
                    RefusedPurchase(
                        account: draft.account, environment: draft.environment, app: draft.app,
                        key: draft.key, refusal: refusal, date: date.store))
                return .refused(refusal)
            }
        }
        guard PurchaseRules.isAgreed(draft, to: order), PurchaseRules.isAgreed(offer, to: order)
        else {
            return try refuse(.priceChanged(current: wanted.unitPrice))
        }
        // Good for one purchase, also for one whose payment is declined.
        if let nonce = order.claim.nonce(for: offer),
            try !repositories.offers.useNonce(
                nonce, account: draft.account, key: draft.key, at: date.store)
        {
            return try refuse(
                .offer(order.claim.identifier ?? OfferClaim.introductory, .signatureInvalid))
        }
        if PurchaseRules.isDeclined(draft, settings: settings) {
            return try unlessRepeated {
                try decline(draft, settings, repositories)
                return .refused(.paymentDeclined)
            }
        }
        if let kind = PurchaseRules.wait(for: draft, order, offer: offer, settings: settings) {
            return try unlessRepeated {
                _ = try repositories.pending.insert(draft, offer: offer, kind: kind)
                return kind == .approval ? .deferred : .refused(.interrupted)
            }
        }
        return try sale.insertIfNew().map { .sold($0) } ?? .repeated
    }

    /// Deletes refusals of which no copy of an order can arrive any more, and signatures of offers
    /// that are too old to be good for anything.
    ///
    /// - Parameter now: what the clock shows, where somebody has looked whether it can be believed.
    package func forget(at now: Date) async throws {
        try await database.write { repositories in
            try repositories.refused.deleteRefusals(
                before: now.addingTimeInterval(-RefusedPurchase.retention))
            try repositories.offers.deleteNonces(
                before: now.addingTimeInterval(-2 * OfferClaim.lifetime))
        }
    }

    /// Records that the payment for a purchase was declined.
    static func decline(
        _ draft: LedgerDraft, _ settings: AccountSettings, _ repositories: StoreRepositories
    ) throws {
        try repositories.testers.insert(DeclinedPayment(draft))
        guard settings.paymentFailure == .next else { return }
        var settings = settings
        settings.paymentFailure = .none
        try repositories.accounts.set(settings, of: draft.account)
    }

    /// The answer to an order that was sold before: what was taken back is not given again.
    private static func repeated(
        _ entry: LedgerEntry, catalog: AppCatalog?, _ repositories: StoreRepositories
    ) throws -> Result<Outcome, PurchaseRefusal> {
        guard try !repositories.ledger.isRevoked(entry.revocable) else { return .failure(.revoked) }
        return .success(.sold(try sale(entry, catalog: catalog, repositories)))
    }

    /// The account's first purchase of a product that can be owned.
    private static func owned(
        _ order: PurchaseOrder, by account: Account, in catalog: AppCatalog?,
        _ ledger: LedgerRepository
    ) throws -> LedgerEntry? {
        guard let catalog, let id = ProductID(order.productID),
            catalog.products[id]?.details.type == .nonConsumable
        else { return nil }
        return try ledger.firstPurchase(of: id, account: account.id, app: catalog.app.id)
    }

    /// Records that the app is done with a transaction.
    ///
    /// - Returns: false where the account has no such transaction in this app.
    package func finish(
        _ id: TransactionID, by account: Account, in app: App
    ) async throws -> Bool {
        let now = clock.now()
        return try await database.write { repositories in
            guard try Self.entry(id, of: account, in: app, repositories) != nil else {
                return false
            }
            try repositories.ledger.recordFinish(of: id, at: now)
            return true
        }
    }

    /// What a device bought and has not finished, a page at a time.
    package func unfinished(
        by account: Account, in catalog: AppCatalog, device: String, after: TransactionID?
    ) async throws -> Page {
        try await database.read { repositories in
            let entries = try repositories.ledger.unfinished(
                account: account.id, app: catalog.app.id, device: device, after: after,
                limit: Self.pageSize + 1)
            return try Self.page(entries) { try Self.sale($0, catalog: catalog, repositories) }
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
            applicationUsername: applicationUsername, after: after, date: clock.now())
        // Most devices have restored before, and nobody's purchase waits for them.
        if let known = try await database.read({ try restoring.known($0) }) { return known }
        return try await database.write { try restoring.page($0) }
    }

    /// A transaction of this account in this app, as long as what it is for may be used.
    package func usable(
        _ id: TransactionID, by account: Account, in app: App
    ) async throws -> LedgerEntry? {
        try await database.read { repositories in
            guard let entry = try Self.entry(id, of: account, in: app, repositories),
                try !repositories.ledger.isRevoked(entry.revocable)
            else { return nil }
            return entry
        }
    }

    /// The same for whoever shows that the account's device may ask.
    package func usable(
        _ id: TransactionID, in app: App, environment: StoreEnvironment
    ) async throws -> LedgerEntry? {
        try await database.read { repositories in
            guard let entry = try repositories.ledger.entry(id), entry.details.app == app.id,
                entry.details.environment == environment,
                try !repositories.ledger.isRevoked(entry.revocable)
            else { return nil }
            return entry
        }
    }

    private static func entry(
        _ id: TransactionID, of account: Account, in app: App,
        _ repositories: StoreRepositories
    ) throws -> LedgerEntry? {
        guard let entry = try repositories.ledger.entry(id), entry.details.account == account.id,
            entry.details.app == app.id
        else { return nil }
        return entry
    }

    /// The answer for a sale that was written a moment ago in the same transaction.
    ///
    /// Nothing can be known yet of a first purchase that is no subscription but what was written:
    /// there is no period, no revocation, no token of the publisher's. Its row is not read again, and
    /// not only to save the time: on PostgreSQL, reading the newest row of the ledger would be in the
    /// way of all who add one beside it, and one of two customers at once would have to begin anew.
    private static func fresh(
        _ entry: LedgerEntry, catalog: AppCatalog?, _ repositories: StoreRepositories
    ) throws -> Sale {
        let details = entry.details
        guard details.original == nil, details.productType != .autoRenewableSubscription,
            let app = try repositories.transactions.appTransaction(
                of: details.account, app: details.app)
        else { return try sale(entry, catalog: catalog, repositories) }
        return sale(
            TransactionRecord(
                entry: entry, appTransaction: app.id, group: nil, reason: .purchase, shared: nil,
                isPaidPeriod: false, offer: nil,
                facts: TransactionFacts(accountToken: details.applicationUsername)),
            catalog: catalog)
    }

    package static func sale(
        _ entry: LedgerEntry, catalog: AppCatalog?, _ repositories: StoreRepositories
    ) throws -> Sale {
        guard let record = try repositories.transactions.record(entry.id) else {
            preconditionFailure("what is in the ledger has a record")
        }
        return sale(record, catalog: catalog)
    }

    private static func sale(_ record: TransactionRecord, catalog: AppCatalog?) -> Sale {
        let details = record.entry.details
        let product = catalog?.products[details.productID]
        return Sale(record: record, release: product?.currentRelease(in: details.environment))
    }
}
