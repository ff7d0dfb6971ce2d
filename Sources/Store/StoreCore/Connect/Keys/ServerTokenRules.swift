import Foundation

/// What a token of the App Store Server API says, once its signature proved to be that of its key.
package struct ServerTokenClaim: Sendable, Hashable {
    package var issuer: String
    /// Clients may leave it out.
    package var issued: Date?
    package var notBefore: Date?
    package var expiration: Date
    package var audiences: [String]
    /// The bundle identifier of the app that the request is about.
    package var bundleID: String?
    /// The requests that it is limited to, as `GET /inApps/v1/notifications/test/{token}` with the
    /// token in its place; nil for any.
    package var scopes: [String]?

    package init(
        issuer: String, issued: Date?, notBefore: Date?, expiration: Date, audiences: [String],
        bundleID: String?, scopes: [String]? = nil
    ) {
        self.issuer = issuer
        self.issued = issued
        self.notBefore = notBefore
        self.expiration = expiration
        self.audiences = audiences
        self.bundleID = bundleID
        self.scopes = scopes
    }
}

/// Why a token of the App Store Server API is not taken.
package enum ServerTokenRefusal: String, Sendable, Hashable, CaseIterable {
    case revoked
    case wrongIssuer
    case wrongAudience
    case expired
    case fromTheFuture
    case validTooLong
    case bundleMissing
    case outOfScope

    /// One sentence for whoever made the token.
    package var reason: String {
        switch self {
        case .revoked: "The key was revoked; make a new one."
        case .wrongIssuer: "The issuer is not the one that the key belongs to; check iss."
        case .wrongAudience: "The audience must be \(APITokenRules.audience); check aud."
        case .expired: "The token has expired; make a new one, and check the clock."
        case .fromTheFuture: "The token begins in the future; check iat, nbf and the clock."
        case .validTooLong: "The token must expire within 60 minutes; check exp."
        case .bundleMissing: "The token names no app; put the bundle identifier into bid."
        case .outOfScope: "The token's scope does not cover this request."
        }
    }
}

/// Which tokens the App Store Server API takes: Apple's rules, which are not those of App Store
/// Connect.
package enum ServerTokenRules {
    /// How far ahead a token may expire, seconds.
    package static let lifetime: TimeInterval = 60 * 60

    /// Nil where the token is taken.
    ///
    /// - Parameter request: method and path below the environment, as
    ///   `GET /inApps/v1/transactions/5`: what clients of Apple's servers know.
    package static func refusal(
        of claim: ServerTokenClaim, by key: APIKey, for request: String, at now: Date
    ) -> ServerTokenRefusal? {
        let tolerance = APITokenRules.clockTolerance
        if key.revoked != nil { return .revoked }
        guard IssuerID(claim.issuer) == key.issuer else { return .wrongIssuer }
        guard claim.audiences == [APITokenRules.audience] else { return .wrongAudience }
        guard claim.expiration.addingTimeInterval(tolerance) > now else { return .expired }
        for begin in [claim.issued, claim.notBefore] {
            if let begin, begin > now.addingTimeInterval(tolerance) { return .fromTheFuture }
        }
        guard claim.expiration <= now.addingTimeInterval(lifetime + tolerance) else {
            return .validTooLong
        }
        guard let bundleID = claim.bundleID, !bundleID.isEmpty else { return .bundleMissing }
        guard APITokenRules.covers(claim.scopes, request) else { return .outOfScope }
        return nil
    }
}
