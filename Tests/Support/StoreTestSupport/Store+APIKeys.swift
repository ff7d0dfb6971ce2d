import StoreCore
import StoreSecurity
import StoreServer

extension Store {
    /// Adds a key of the API, whatever its role. `TeamKeyService`, by which people make keys, makes none
    /// with the rights of the store's first key.
    ///
    /// - Parameter team: the team that the key belongs to; nil for a key of the operator.
    package func addAPIKey(
        _ role: ConnectRole, of team: Int64?
    ) async throws -> (key: APIKey, signer: SigningKey) {
        let pair = try APIKeyPair.generate()
        let now = clock.now()
        let key = try await database.write { repositories in
            try repositories.apiKeys.insert(
                APIKeyDraft(
                    id: pair.id, team: team, role: role, name: "test", publicKey: pair.publicKey),
                newIssuer: pair.issuer, at: now)
        }
        return (key, try SigningKey(pem: pair.privateKey))
    }
}
