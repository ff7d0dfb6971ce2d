import StoreModel

/// Tells devices that their account has an app.
package struct AppTransactionService: Sendable {
    private let database: any ShopDatabase
    private let clock: any StoreClock

    package init(database: any ShopDatabase, clock: any StoreClock) {
        self.database = database
        self.clock = clock
    }

    /// What a signed statement says of it. That the account has the app is written down where it
    /// is not yet.
    package func facts(for account: Account, in app: App) async throws -> AppTransactionFacts {
        let known = try await database.read { repositories in
            try repositories.transactions.appTransaction(of: account.id, app: app.id)
                .map { try AppTransactionReading(repositories).facts(of: $0, in: app) }
        }
        if let known { return known }
        let now = clock.now()
        return try await database.write { repositories in
            let transaction = try repositories.transactions.appTransaction(
                of: account.id, in: account.environment, app: app.id, at: now)
            return try AppTransactionReading(repositories).facts(of: transaction, in: app)
        }
    }

    /// The age in years that an app is rated for, as its item in the storefront says; nil if it
    /// says none.
    package func ageRating(of app: App) async throws -> Int? {
        try await database.read { repositories in
            try repositories.items.item(ItemID(number: app.id.number))?.details.facts.ageInYears
        }
    }
}
