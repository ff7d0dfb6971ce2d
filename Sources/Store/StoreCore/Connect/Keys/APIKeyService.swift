import Foundation

/// Keeps the keys of the API.
package struct APIKeyService: Sendable {
    private let database: any ShopDatabase
    private let clock: any StoreClock

    package init(database: any ShopDatabase, clock: any StoreClock) {
        self.database = database
        self.clock = clock
    }

    /// Adds the operator's first key, unless the operator has had one.
    ///
    /// - Returns: nil where nothing was added.
    package func addFirst(_ draft: APIKeyDraft, issuer: IssuerID) async throws -> APIKey? {
        let now = clock.now()
        return try await database.write { repositories in
            let isFirst = try repositories.apiKeys.keys().allSatisfy { $0.team != nil }
            guard isFirst else { return nil }
            return try repositories.apiKeys.insert(draft, newIssuer: issuer, at: now)
        }
    }

    package func key(_ id: APIKeyID) async throws -> APIKey? {
        try await database.read { try $0.apiKeys.key(id) }
    }

    /// Writes down that a key was used, once in an hour at most.
    package func recordUse(of key: APIKey) async throws {
        let now = clock.now()
        guard APIKeyRules.isNews(now, after: key.lastUse) else { return }
        try await database.write { try $0.apiKeys.recordUse(of: key.id, at: now) }
    }

    /// All keys, the oldest first.
    package func keys() async throws -> [APIKey] {
        try await database.read { try $0.apiKeys.keys() }
    }
}
