import Foundation
import StoreModel

/// Sells, finishes and restores.
package struct PurchaseService: Sendable {
    private let database: any StoreDatabase
    private let clock: any StoreClock

    package init(database: any StoreDatabase, clock: any StoreClock) {
        self.database = database
        self.clock = clock
    }

    /// A transaction with the hosted content that belongs to it.
    package struct Sale: Sendable {
        package let entry: LedgerEntry
        package let release: ContentRelease?
    }

    /// Buys: once, however often the same order arrives.
    ///
    /// - Parameter catalog: the app's catalog as last read; read again if it has changed.
    package func buy(
        _ order: PurchaseOrder, by account: Account, profile: ProfileClaim, catalog: AppCatalog
    ) async throws -> Result<Sale, PurchaseRefusal> {
        let now = clock.now()
        return try await database.write { repositories in
            let ledger = repositories.ledger
            let app = catalog.app
            let catalog =
                try repositories.catalog.generation() == catalog.generation
                ? catalog : try CatalogService.load(app.bundleID, from: repositories)
            let terms = SellingTerms(
                profile: profile, environment: account.environment, catalog: catalog)
            let decision = PurchaseRules.decide(
                order, by: account, in: app, terms: terms,
                owned: try Self.owned(order, by: account, in: catalog, ledger), at: now)
            if case .success(let draft) = decision, let entry = try ledger.insertIfNew(draft) {
                return .success(Self.sale(entry, catalog: catalog))
            }
            // A repetition gets its transaction, also where the rules are others by now.
            guard
                let known = try ledger.entry(
                    key: order.key.text, account: account.id, app: app.id)
            else {
                return decision.flatMap { _ in .failure(.keyReused) }
            }
            guard PurchaseRules.isRepetition(order, of: known) else { return .failure(.keyReused) }
            return .success(Self.sale(known, catalog: catalog))
        }
    }

    /// The account's first purchase of a product that can be owned.
    private static func owned(
        _ order: PurchaseOrder, by account: Account, in catalog: AppCatalog?,
        _ ledger: any LedgerRepository
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

    /// What a device bought and has not finished.
    package func unfinished(
        by account: Account, in catalog: AppCatalog, device: String
    ) async throws -> [Sale] {
        try await database.read { repositories in
            try repositories.ledger.unfinished(
                account: account.id, app: catalog.app.id, device: device
            ).map { Self.sale($0, catalog: catalog) }
        }
    }

    /// Writes a restored transaction for each product that the account owns; the same key
    /// gives the same transactions.
    package func restore(
        key: PurchaseKey, by account: Account, in catalog: AppCatalog, device: String,
        applicationUsername: String?
    ) async throws -> [Sale] {
        let now = clock.now()
        return try await database.write { repositories in
            let ledger = repositories.ledger
            let owned = try ledger.restorable(
                account: account.id, app: catalog.app.id, device: device)
            return try owned.map { first in
                var draft = first.details
                draft.kind = .restore
                draft.key = "\(key.text)/\(first.id)"
                draft.device = device
                draft.charged.thousandths = 0
                draft.original = first.original
                draft.applicationUsername = applicationUsername
                draft.date = now
                let known = try ledger.entry(
                    key: draft.key, account: account.id, app: catalog.app.id)
                return Self.sale(try known ?? ledger.insert(draft), catalog: catalog)
            }
        }
    }

    /// A transaction of this account in this app.
    package func entry(
        _ id: TransactionID, by account: Account, in app: App
    ) async throws -> LedgerEntry? {
        try await database.read { try Self.entry(id, of: account, in: app, $0) }
    }

    private static func entry(
        _ id: TransactionID, of account: Account, in app: App,
        _ repositories: any StoreRepositories
    ) throws -> LedgerEntry? {
        guard let entry = try repositories.ledger.entry(id), entry.details.account == account.id,
            entry.details.app == app.id
        else { return nil }
        return entry
    }

    private static func sale(_ entry: LedgerEntry, catalog: AppCatalog?) -> Sale {
        let product = catalog?.products[entry.details.productID]
        return Sale(
            entry: entry, release: product?.currentRelease(in: entry.details.environment))
    }
}
