import StoreModel

/// Tells devices that their account has an app.
package struct AppTransactionService: Sendable {
    private let shop: Shop

    package init(database: any ShopDatabase, clock: any StoreClock) {
        shop = Shop(database: database, clock: clock)
    }

    /// What a signed statement says of it. That the account has the app is written down where it
    /// is not yet.
    package func facts(for account: Account, in app: App) async throws -> AppTransactionFacts {
        let known = try await shop.read { work in
            try work.transactions.appTransaction(of: account.id, app: app.id)
                .map { try work.appTransactionFacts(of: $0, in: app) }
        }
        if let known { return known }
        return try await shop.write { work in
            let transaction = try work.transactions.appTransaction(
                of: account.id, in: account.environment, app: app.id, at: work.now)
            return try work.appTransactionFacts(of: transaction, in: app)
        }
    }

    /// The age in years that an app is rated for, as its item in the storefront says; nil if it
    /// says none.
    package func ageRating(of app: App) async throws -> Int? {
        try await shop.read { work in
            try work.items.item(ItemID(number: app.id.number))?.details.facts.ageInYears
        }
    }
}
