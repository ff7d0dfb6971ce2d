import Foundation
import StoreCore
import StoreHTTP
import StoreKernel
import StoreModel
import StoreSecurity
import StoreWire

/// Who sends a request of the App Store Server API, and about which app.
struct ServerCaller: Sendable {
    let key: APIKey
    let app: App
    let environment: StoreEnvironment

    var scope: AppScope { AppScope(app: app.id, environment: environment) }
}

/// Why a request gets no further than the gate: 401, and a sentence.
struct ServerTokenError: Error, Sendable {
    let sentence: String
}

/// A token whose signature was found to be that of a key.
struct CheckedToken: Sendable {
    let keyID: APIKeyID
    /// PEM: a key that was made anew under the same name has signed nothing.
    let publicKey: String
    let claim: APITokenClaim
}

/// Finds out who sends a request of the App Store Server API.
///
/// To check a signature takes longer than everything else; a token that was checked is
/// remembered. What may change is looked up with each request: the key, its role,
/// its revocation, and the app.
final class ServerGate: Sendable {
    private let database: any ShopDatabase
    private let keys: APIKeyService
    private let clock: any StoreClock
    private let report: @Sendable (String) -> Void
    private let checked = Cache<String, CheckedToken>(limit: 4096)
    /// By their PEM: reading one takes a third of the time that checking a signature takes.
    private let verifyingKeys = Cache<String, VerifyingKey>(limit: 256)

    /// - Parameter report: hears of what broke and keeps nobody from an answer.
    init(
        database: any ShopDatabase, keys: APIKeyService, clock: any StoreClock,
        report: @escaping @Sendable (String) -> Void
    ) {
        self.database = database
        self.keys = keys
        self.clock = clock
        self.report = report
    }

    /// The token of a request.
    ///
    /// - Throws: `ServerTokenError`.
    static func token(of request: HTTPRequest) throws -> String {
        guard let text = CallerGate.bearerToken(of: request), !text.isEmpty else {
            throw ServerTokenError(
                sentence: "The request carries no bearer token; send one in Authorization.")
        }
        return text
    }

    /// A token that was checked before.
    func known(_ text: String) -> CheckedToken? {
        checked.value(for: text)
    }

    /// Checks whose key has signed a token.
    ///
    /// - Throws: `ServerTokenError`.
    func check(_ text: String) async throws -> CheckedToken {
        if let known = known(text) { return known }
        let token: APIToken
        do { token = try APIToken(text) } catch let error as SecurityError {
            throw ServerTokenError(sentence: "It is refused because \(error.description).")
        }
        // Nobody is told which keys there are.
        let unknown = ServerTokenError(
            sentence: "The store has no such key, or the token was not signed with it.")
        guard let id = APIKeyID(token.keyID), let key = try await keys.key(id) else {
            throw unknown
        }
        do {
            try token.check(
                by: verifyingKeys.value(for: key.publicKey) {
                    try VerifyingKey(pem: key.publicKey)
                })
        } catch is SecurityError {
            throw unknown
        }
        let result = CheckedToken(
            keyID: id, publicKey: key.publicKey,
            claim: APITokenClaim(
                issuer: token.claims.issuer, issued: token.claims.issued,
                notBefore: token.claims.notBefore, expiration: token.claims.expiration,
                audiences: token.claims.audiences, bundleID: token.claims.bundleID,
                scopes: token.claims.scopes))
        checked.insert(result, for: text)
        await keys.noteUse(of: key, report)
        return result
    }

    /// Who sent a request, inside a transaction of the database.
    ///
    /// - Throws: `ServerTokenError`, or `ServerAPIError` for an app that there is not.
    func caller(
        _ token: CheckedToken, of request: HTTPRequest, for permission: ConnectPermission,
        in environment: StoreEnvironment, _ repositories: StoreRepositories
    ) throws -> ServerCaller {
        let known = try repositories.apiKeys.find(token.keyID)
        guard let key = known, key.publicKey == token.publicKey else {
            throw ServerTokenError(
                sentence: "The store has no such key, or the token was not signed with it.")
        }
        let path = request.path.dropFirst(environment.pathPrefix.count)
        if let refusal = APITokenRules.serverRefusal(
            of: token.claim, by: key, for: "\(request.method) \(path)", at: clock.callerTime())
        {
            throw ServerTokenError(sentence: refusal.reason)
        }
        guard key.actor.allows(permission) else {
            throw ServerTokenError(
                sentence: "A key with the role \(key.role.title) can't do this.")
        }
        return ServerCaller(
            key: key, app: try app(token.claim.bundleID ?? "", key, repositories),
            environment: environment)
    }

    private func app(
        _ text: String, _ key: APIKey, _ repositories: StoreRepositories
    ) throws -> App {
        guard let bundleID = BundleID(text) else {
            throw ServerAPIError(.invalidAppIdentifier, "bid is not a bundle identifier.")
        }
        let app = try repositories.catalog.app(bundleID)
        if let app, key.actor.sees(team: app.teamID) { return app }
        // A team is not told which apps others have; the store's own staff sees all of them.
        guard key.team != nil else { throw ServerAPIError(.appNotFound) }
        throw ServerTokenError(
            sentence: "The team of the key has no app with this bundle identifier; check bid.")
    }
}

extension APIKeyService {
    /// Writes down that a key was used. Where that can't be done, it is reported: no answer depends
    /// on it.
    func noteUse(of key: APIKey, _ report: (String) -> Void) async {
        do {
            try await recordUse(of: key)
        } catch {
            report(String(describing: error))
        }
    }
}
