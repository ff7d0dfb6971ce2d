import Foundation

/// What a token of App Store Connect's API or of the App Store Server API says, once its signature proved to be that of its key.
package struct APITokenClaim: Sendable, Hashable {
    package var issuer: String
    /// Half of all clients leave it out.
    package var issued: Date?
    package var notBefore: Date?
    package var expiration: Date
    package var audiences: [String]
    /// The bundle identifier of the app that the request is about: of the App Store Server API only.
    package var bundleID: String?
    /// The requests that it is limited to, as `GET /v1/apps`; nil for any.
    package var scopes: [String]?

    package init(
        issuer: String, issued: Date?, notBefore: Date? = nil, expiration: Date,
        audiences: [String], bundleID: String? = nil, scopes: [String]?
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

/// Why a token is not taken.
package enum APITokenRefusal: String, Sendable, Hashable, CaseIterable {
    case revoked
    case wrongIssuer
    case wrongAudience
    case expired
    case fromTheFuture
    case validTooLong
    case validTooFarAhead
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
        case .validTooLong: "The token must be valid for 20 minutes at most; check iat and exp."
        case .validTooFarAhead: "The token must expire within 60 minutes; check exp."
        case .bundleMissing: "The token names no app; put the bundle identifier into bid."
        case .outOfScope: "The token's scope does not cover this request."
        }
    }
}

/// Which tokens the store takes: Apple's rules.
package enum APITokenRules {
    package static let audience = "appstoreconnect-v1"
    /// The longest that a token of App Store Connect's API may be valid, seconds.
    package static let lifetime: TimeInterval = 20 * 60
    /// How far ahead a token of the App Store Server API may expire, seconds.
    package static let longestAhead: TimeInterval = 60 * 60
    /// How far clocks may differ, seconds.
    package static let clockTolerance: TimeInterval = 60

    /// The reason for which App Store Connect's API refuses a token. Nil if it accepts the token.
    ///
    /// - Parameter requests: method and path, as `GET /v1/apps`, in each way in which a token may name them.
    package static func refusal(
        of claim: APITokenClaim, by key: APIKey, for requests: [String], at now: Date
    ) -> APITokenRefusal? {
        if let refusal = refusal(of: claim, by: key, at: now) { return refusal }
        let begin = claim.issued ?? now.addingTimeInterval(clockTolerance)
        guard claim.expiration.timeIntervalSince(begin) <= lifetime else { return .validTooLong }
        guard requests.contains(where: { covers(claim.scopes, $0) }) else { return .outOfScope }
        return nil
    }

    /// The reason for which the App Store Server API refuses a token. Nil if it accepts the token.
    ///
    /// - Parameter request: method and path below the environment, as
    ///   `GET /inApps/v1/transactions/5`: what clients of Apple's servers know.
    package static func serverRefusal(
        of claim: APITokenClaim, by key: APIKey, for request: String, at now: Date
    ) -> APITokenRefusal? {
        if let refusal = refusal(of: claim, by: key, at: now) { return refusal }
        guard claim.expiration <= now.addingTimeInterval(longestAhead + clockTolerance) else {
            return .validTooFarAhead
        }
        guard let bundleID = claim.bundleID, !bundleID.isEmpty else { return .bundleMissing }
        guard covers(claim.scopes, request) else { return .outOfScope }
        return nil
    }

    /// What both have in common.
    private static func refusal(
        of claim: APITokenClaim, by key: APIKey, at now: Date
    ) -> APITokenRefusal? {
        if key.revoked != nil { return .revoked }
        guard IssuerID(claim.issuer) == key.issuer else { return .wrongIssuer }
        guard claim.audiences == [audience] else { return .wrongAudience }
        guard claim.expiration.addingTimeInterval(clockTolerance) > now else { return .expired }
        for begin in [claim.issued, claim.notBefore] {
            if let begin, begin > now.addingTimeInterval(clockTolerance) { return .fromTheFuture }
        }
        return nil
    }

    /// Whether a token's scopes cover a request; nil covers all.
    private static func covers(_ scopes: [String]?, _ request: String) -> Bool {
        guard let scopes else { return true }
        return scopes.contains { scope in
            scope.split(scalar: "?", maxSplits: 1).first.map(String.init) == request
        }
    }
}
