import Foundation
import StoreModel

/// What a token says, once its signature proved to be that of its key.
package struct APITokenClaim: Sendable, Hashable {
    package var issuer: String
    /// Half of all clients leave it out.
    package var issued: Date?
    package var notBefore: Date?
    package var expiration: Date
    package var audiences: [String]
    /// The requests that it is limited to, as `GET /v1/apps`; nil for any.
    package var scopes: [String]?

    package init(
        issuer: String, issued: Date?, notBefore: Date? = nil, expiration: Date,
        audiences: [String], scopes: [String]?
    ) {
        self.issuer = issuer
        self.issued = issued
        self.notBefore = notBefore
        self.expiration = expiration
        self.audiences = audiences
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
    case outOfScope

    /// One sentence for whoever made the token.
    package var reason: String {
        switch self {
        case .revoked: "The key was revoked; make a new one."
        case .wrongIssuer: "The issuer is not the one that the key belongs to; check iss."
        case .wrongAudience: "The audience must be \(APITokenRules.audience); check aud."
        case .expired: "The token has expired; make a new one, and check the clock."
        case .fromTheFuture: "The token was issued in the future; check the clock."
        case .validTooLong: "The token must be valid for 20 minutes at most; check iat and exp."
        case .outOfScope: "The token's scope does not cover this request."
        }
    }
}

/// Which tokens the store takes: App Store Connect's rules.
package enum APITokenRules {
    package static let audience = "appstoreconnect-v1"
    /// The longest that a token may be valid, seconds.
    package static let lifetime: TimeInterval = 20 * 60
    /// How far clocks may differ, seconds.
    package static let clockTolerance: TimeInterval = 60

    /// Nil where the token is taken.
    ///
    /// - Parameter requests: method and path, as `GET /v1/apps`, in each way in which a token may name them.
    package static func refusal(
        of claim: APITokenClaim, by key: APIKey, for requests: [String], at now: Date
    ) -> APITokenRefusal? {
        if key.revoked != nil { return .revoked }
        guard IssuerID(claim.issuer) == key.issuer else { return .wrongIssuer }
        guard claim.audiences == [audience] else { return .wrongAudience }
        guard claim.expiration.addingTimeInterval(clockTolerance) > now else { return .expired }
        for begin in [claim.issued, claim.notBefore] {
            if let begin, begin > now.addingTimeInterval(clockTolerance) { return .fromTheFuture }
        }
        let begin = claim.issued ?? now.addingTimeInterval(clockTolerance)
        guard claim.expiration.timeIntervalSince(begin) <= lifetime else { return .validTooLong }
        guard requests.contains(where: { covers(claim.scopes, $0) }) else { return .outOfScope }
        return nil
    }

    /// Whether a token's scopes cover a request; nil covers all.
    static func covers(_ scopes: [String]?, _ request: String) -> Bool {
        guard let scopes else { return true }
        return scopes.contains { scope in
            scope.split(scalar: "?", maxSplits: 1).first.map(String.init) == request
        }
    }
}
