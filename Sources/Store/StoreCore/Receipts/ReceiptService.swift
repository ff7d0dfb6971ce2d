import Foundation
import StoreModel

/// What goes into an app receipt.
package struct ReceiptContents: Sendable, Hashable {
    /// That the account has the app, since when, and in which version.
    package let facts: AppTransactionFacts
    package let creationDate: Date
    package let purchases: [TransactionRecord]

    package var app: App { facts.app }
    package var environment: StoreEnvironment { facts.transaction.environment }
}

/// Gathers what receipts show.
package struct ReceiptService: Sendable {
    private let shop: Shop

    package init(database: any ShopDatabase, clock: any StoreClock) {
        shop = Shop(database: database, clock: clock)
    }

    /// The contents of the receipt of an account's app on a device.
    package func contents(
        for account: Account, in app: App, device: String
    ) async throws -> ReceiptContents {
        let now = try await shop.database.time(of: .account(account.id, app: app.id), shop.clock)
        if let known = try await shop.read({
            try Self.contents(for: account, in: app, device: device, at: now, $0)
        }) {
            return known
        }
        let contents = try await shop.write { work in
            _ = try work.transactions.appTransaction(
                of: account.id, in: account.environment, app: app.id, at: now)
            return try Self.contents(for: account, in: app, device: device, at: now, work)
        }
        guard let contents else { preconditionFailure("an app transaction was written") }
        return contents
    }

    /// As `contents`, at once and on the caller's own thread.
    ///
    /// - Returns: nil where another machine would have to be waited for, or something is to be
    ///   written down.
    package func known(
        for account: Account, in app: App, device: String
    ) throws -> ReceiptContents? {
        let storeTime = shop.clock.now()
        return try shop.database.lookUp { repositories in
            let time = try repositories.sandboxClocks.date(for: .account(account.id, app: app.id))
            return try Self.contents(
                for: account, in: app, device: device, at: time ?? storeTime, repositories)
        } ?? nil
    }

    /// - Returns: nil where it is not written down yet that the account has the app.
    private static func contents(
        for account: Account, in app: App, device: String, at now: Date,
        _ repositories: StoreRepositories
    ) throws -> ReceiptContents? {
        let transaction = try repositories.transactions.appTransaction(of: account.id, app: app.id)
        guard let transaction else { return nil }
        let subject = HistorySubject(account: account.id, app: app.id)
        let unfinished = try repositories.transactions.unfinishedRecords(
            of: subject, device: device, limit: ReceiptRules.limit)
        let inUse = try repositories.transactions.recordsInUse(
            of: subject, limit: ReceiptRules.limit)
        return ReceiptContents(
            facts: try repositories.appTransactionFacts(of: transaction, in: app),
            creationDate: now,
            purchases: ReceiptRules.items(inUse, unfinished: unfinished))
    }

    /// What goes into the receipt of one transaction of an account in an app; nil for none.
    package func transaction(
        _ id: TransactionID, by account: Account, in app: App
    ) async throws -> (record: TransactionRecord, productNumber: ProductNumber?)? {
        try await shop.read { work in
            guard let record = try work.transactions.record(id),
                record.entry.details.account == account.id, record.entry.details.app == app.id,
                try !work.testers.isCleared(id, of: account.id)
            else { return nil }
            let number = try work.products.number(of: record.entry.details.productID, in: app.id)
            return (record, number)
        }
    }
}
