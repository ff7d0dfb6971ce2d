import Foundation

/// Keys of the API, and who issues them.
package protocol APIKeyRepository {
    func key(_ id: APIKeyID) throws -> APIKey?
    /// All keys, the oldest first.
    func keys() throws -> [APIKey]
    /// Keys of a team, or of the store where it is nil: those that are not revoked, then the
    /// others, each the newest first.
    func keys(of team: Int64?, limit: Int) throws -> [APIKey]
    /// How many keys of a team, or of the store, are not revoked.
    func unrevokedKeys(of team: Int64?) throws -> Int
    /// The issuer that stands for a team, or for the operator where it is nil.
    func issuer(of team: Int64?) throws -> IssuerID?
    func insert(_ issuer: IssuerID, of team: Int64?) throws
    func insert(_ key: APIKeyDraft, issuer: IssuerID, at date: Date) throws -> APIKey
    /// Records that a key has no rights any more. The schema refuses a second time.
    func revoke(_ id: APIKeyID, at date: Date) throws
    func recordUse(of id: APIKeyID, at date: Date) throws
}

/// Makes pairs of keys.
package protocol APIKeyMaker: Sendable {
    func makePair() throws -> APIKeyPair
}
