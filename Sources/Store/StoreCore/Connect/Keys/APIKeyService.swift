import Foundation

/// Keeps the keys of the API.
package struct APIKeyService: Sendable {
    private let shop: Shop

    package init(database: any ShopDatabase, clock: any StoreClock) {
        shop = Shop(database: database, clock: clock)
    }

    /// Adds the operator's first key, unless the operator has had one.
    ///
    /// - Returns: nil where nothing was added.
    package func addFirst(_ draft: APIKeyDraft, issuer: IssuerID) async throws -> APIKey? {
        try await shop.write { work in
            let isFirst = try work.apiKeys.keys().allSatisfy { $0.team != nil }
            guard isFirst else { return nil }
            return try work.apiKeys.insert(draft, newIssuer: issuer, at: work.now)
        }
    }

    package func key(_ id: APIKeyID) async throws -> APIKey? {
        try await shop.read { try $0.apiKeys.find(id) }
    }

    /// Writes down that a key was used, once in an hour at most.
    package func recordUse(of key: APIKey) async throws {
        let now = shop.clock.now()
        guard APIKeyRules.isNews(now, after: key.lastUse) else { return }
        try await shop.write { try $0.apiKeys.recordUse(of: key.id, at: now) }
    }

    /// All keys, the oldest first.
    package func keys() async throws -> [APIKey] {
        try await shop.read { try $0.apiKeys.keys() }
    }
}
