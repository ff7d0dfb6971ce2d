import StoreCore
import StoreHTTP
import StoreModel
import StoreSecurity
import StoreWire

/// Finds out who sends a request: a program with a key, or a person with the session of
/// `openstore login`.
struct ConnectGate: Sendable {
    let keys: APIKeyService
    let sessions: ConnectSessionService
    let clock: any StoreClock
    let allowance: RequestAllowance?
    /// Who sends all requests, without saying so; nil where each request shows who sends it.
    let trusted: ConnectActor?
    /// Hears of what broke and keeps nobody from an answer.
    let report: @Sendable (String) -> Void

    /// Whoever sent the request, and may do what it asks for.
    ///
    /// - Throws: `JSONAPIErrors` with 401 or 403, `RequestLimitExceeded`.
    func actor(
        of request: HTTPRequest, for permission: ConnectPermission
    ) async throws -> ConnectActor {
        if let trusted {
            guard trusted.allows(permission) else { throw JSONAPIErrors.forbidden(trusted) }
            return trusted
        }
        guard let text = CallerGate.bearerToken(of: request) else {
            throw JSONAPIErrors.unauthorized("The request carries no bearer token.")
        }
        // The token of a session is one word; that of a key has three parts.
        let session = text.contains(scalar: ".") ? nil : try await sessions.actor(token: text)
        let actor: ConnectActor
        if let session {
            actor = session
        } else {
            let key = try await key(text, request)
            await keys.noteUse(of: key, report)
            actor = key.actor
        }
        switch actor.kind {
        case .key(let id): try allowance?.count(.key(id), of: request)
        case .person(let id, _): try allowance?.count(.person(id), of: request)
        case .machine, .nobody: break
        }
        guard actor.allows(permission) else { throw JSONAPIErrors.forbidden(actor) }
        return actor
    }

    private func key(_ text: String, _ request: HTTPRequest) async throws -> APIKey {
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
            notBefore: token.claims.notBefore, expiration: token.claims.expiration,
            audiences: token.claims.audiences,
            scopes: token.claims.scopes)
        // Clients of Apple's servers know no prefix.
        let path =
            request.path.dropping(prefix: ConnectRouteTable.prefix).map(String.init) ?? request.path
        if let refusal = APITokenRules.refusal(
            of: claim, by: key, for: [path, request.path].map { "\(request.method) \($0)" },
            at: clock.callerTime())
        {
            throw JSONAPIErrors.unauthorized(refusal.reason)
        }
        return key
    }
}
