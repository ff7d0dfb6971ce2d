import Foundation

/// Keeps the keys of the API.
package struct APIKeyService: Sendable {
    private let database: any StoreDatabase
    private let clock: any StoreClock

    package init(database: any StoreDatabase, clock: any StoreClock) {
        self.database = database
        self.clock = clock
    }

    /// Adds a key.
    ///
    /// - Parameter issuer: becomes the team's identifier where it has none yet.
    /// - Throws: `APIKeyRefusal`.
    package func add(_ draft: APIKeyDraft, issuer: IssuerID) async throws -> APIKey {
        let now = clock.now()
        return try await database.write { repositories in
            try Self.add(draft, issuer: issuer, to: repositories, at: now)
        }
    }

    /// Adds the operator's first key, unless the operator has had one.
    ///
    /// - Returns: nil where nothing was added.
    package func addFirst(_ draft: APIKeyDraft, issuer: IssuerID) async throws -> APIKey? {
        let now = clock.now()
        return try await database.write { repositories in
            let isFirst = try repositories.apiKeys.keys().allSatisfy { $0.team != nil }
            guard isFirst else { return nil }
            return try Self.add(draft, issuer: issuer, to: repositories, at: now)
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

    /// Takes a key's rights away for good; a second time changes nothing.
    ///
    /// - Throws: `APIKeyRefusal.unknown`.
    @discardableResult
    package func revoke(_ id: APIKeyID) async throws -> APIKey {
        let now = clock.now()
        return try await database.write { repositories in
            guard let key = try repositories.apiKeys.key(id) else {
                throw APIKeyRefusal.unknown(id)
            }
            if key.revoked == nil { try repositories.apiKeys.revoke(id, at: now) }
            return try repositories.apiKeys.key(id) ?? key
        }
    }

    private static func add(
        _ draft: APIKeyDraft, issuer: IssuerID, to repositories: StoreRepositories,
        at date: Date
    ) throws -> APIKey {
        let name = draft.name.trimmingCharacters(in: .whitespacesAndNewlines)
        guard (1...100).contains(name.utf8.count) else { throw APIKeyRefusal.nameInvalid }
        var draft = draft
        draft.name = name
        let known = try repositories.apiKeys.issuer(of: draft.team)
        if known == nil { try repositories.apiKeys.insert(issuer, of: draft.team) }
        return try repositories.apiKeys.insert(draft, issuer: known ?? issuer, at: date)
    }
}

/// What the store refuses about keys.
package enum APIKeyRefusal: Error, Sendable, Hashable, CustomStringConvertible {
    case unknown(APIKeyID)
    case nameInvalid

    package var description: String {
        switch self {
        case .unknown(let id):
            "The store has no API key \(id); openstore api-key list shows them."
        case .nameInvalid: "A key's name has 1 to 100 bytes."
        }
    }
}
