import StoreCore
import StoreHTTP
import StoreSecurity
import StoreWire

/// Finds out whose key a request was made with.
struct APIKeyGate: Sendable {
    let keys: APIKeyService
    let clock: any StoreClock

    /// The key of a request's token, which allows what is asked for.
    ///
    /// - Throws: `JSONAPIErrors` with 401 or 403.
    func key(of request: HTTPRequest, for permission: ConnectPermission) async throws -> APIKey {
        guard let text = CallerGate.bearerToken(of: request) else {
            throw JSONAPIErrors.unauthorized("The request carries no bearer token.")
        }
        let token: APIToken
        do { token = try APIToken(text) } catch let error as SecurityError {
            throw JSONAPIErrors.unauthorized("It is refused because \(error.description).")
        }
        // Nobody is told which keys there are.
        let unknown = JSONAPIErrors.unauthorized(
            "The store has no such key, or the token was not signed with it.")
        guard let id = APIKeyID(token.keyID), let key = try await keys.key(id) else {
            throw unknown
        }
        do { try token.check(by: VerifyingKey(pem: key.publicKey)) } catch is SecurityError {
            throw unknown
        }
        let claim = APITokenClaim(
            issuer: token.claims.issuer, issued: token.claims.issued,
            expiration: token.claims.expiration, audiences: token.claims.audiences,
            scopes: token.claims.scopes)
        if let refusal = APITokenRules.refusal(
            of: claim, by: key, for: "\(request.method) \(request.path)", at: clock.now())
        {
            throw JSONAPIErrors.unauthorized(refusal.reason)
        }
        guard key.actor.allows(permission) else { throw JSONAPIErrors.forbidden(key.role) }
        return key
    }
}
