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
            if let known = try ledger.entry(
                key: order.key.text, account: account.id, app: app.id)
            {
                guard PurchaseRules.isRepetition(order, of: known) else {
                    return .failure(.keyReused)
                }
                return .success(Self.sale(known, catalog: catalog))
            }
            let owned = try ProductID(order.productID).flatMap {
                try ledger.firstPurchase(of: $0, account: account.id, app: app.id)
            }
            let terms = SellingTerms(
                profile: profile, environment: account.environment, catalog: catalog)
            let decision = PurchaseRules.decide(
                order, by: account, in: app, terms: terms, owned: owned, at: now)
            return try decision.map { draft in
                Self.sale(try ledger.insert(draft), catalog: catalog)
            }
        }
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
            let owned = try ledger.restorable(account: account.id, app: catalog.app.id)
            return try owned.map { first in
                let key = "\(key.text)/\(first.id)"
                if let known = try ledger.entry(
                    key: key, account: account.id, app: catalog.app.id)
                {
                    return Self.sale(known, catalog: catalog)
                }
                var draft = first.details
                draft.kind = .restore
                draft.key = key
                draft.device = device
                draft.charged.thousandths = 0
                draft.original = first.original
                draft.applicationUsername = applicationUsername
                draft.date = now
                return Self.sale(try ledger.insert(draft), catalog: catalog)
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

extension Result {
    /// `map` for transformations that can break.
    func map<Mapped>(
        _ transform: (Success) throws -> Mapped
    ) throws -> Result<Mapped, Failure> {
        switch self {
        case .success(let value): .success(try transform(value))
        case .failure(let error): .failure(error)
        }
    }
}
