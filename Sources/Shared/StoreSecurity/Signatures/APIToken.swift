import Foundation

/// A JSON Web Token (RFC 7519) by which a program with an API key says who it is, in the form
/// of App Store Connect's API.
package struct APIToken: Sendable {
    /// What the token says.
    package struct Claims: Sendable, Hashable {
        package var issuer: String
        /// Nil where the token does not say it, which only some of its readers take.
        package var issued: Date?
        package var expiration: Date
        package var audiences: [String]
        /// The requests that it is limited to, as `GET /v1/apps`; nil for any.
        package var scopes: [String]?
        package var notBefore: Date?
        /// The app that the App Store Server API is asked about.
        package var bundleID: String?

        package init(
            issuer: String, issued: Date?, expiration: Date, audiences: [String],
            scopes: [String]? = nil, notBefore: Date? = nil, bundleID: String? = nil
        ) {
            self.issuer = issuer
            self.issued = issued
            self.expiration = expiration
            self.audiences = audiences
            self.scopes = scopes
            self.notBefore = notBefore
            self.bundleID = bundleID
        }
    }

    /// A token longer than this is refused unread.
    private static let sizeLimit = 4096

    /// The key that it names; nothing of the token is to be believed before `check`.
    package let keyID: String
    package let claims: Claims
    private let message: Data
    private let signature: Data

    private struct Header: Encodable {
        let alg = "ES256"
        let kid: String
        let typ = "JWT"
    }

    /// Times as NumericDate: seconds since 1970.
    private struct Payload: Codable {
        var iss: String
        var iat: Double?
        var nbf: Double?
        var exp: Double
        var aud: Audiences
        var bid: String?
        var scope: [String]?
    }

    /// One text, or several (RFC 7519, section 4.1.3).
    private struct Audiences: Codable {
        var values: [String]

        init(values: [String]) {
            self.values = values
        }

        init(from decoder: any Decoder) throws {
            let container = try decoder.singleValueContainer()
            values =
                try (try? container.decode(String.self)).map { [$0] }
                ?? container.decode([String].self)
        }

        func encode(to encoder: any Encoder) throws {
            var container = encoder.singleValueContainer()
            if values.count == 1 {
                try container.encode(values[0])
            } else {
                try container.encode(values)
            }
        }
    }

    /// Takes a token apart.
    ///
    /// - Throws: `SecurityError` with `malformed`, or `untrusted` for another algorithm than
    ///   ES256 and for extensions.
    package init(_ text: String) throws {
        guard text.utf8.count <= Self.sizeLimit, let parts = JWSParts(text),
            let headerData = parts.header, let payload = parts.payload,
            let signature = parts.signature
        else { throw SecurityError(.malformed, "the token is not a JSON Web Token") }
        let header = try JWSHeader(headerData, of: "token")
        guard let keyID = header.kid else {
            throw SecurityError(.malformed, "the token's header has no kid")
        }
        guard header.typ.map({ $0.uppercased() == "JWT" }) ?? true else {
            throw SecurityError(.untrusted, "the token is of another type than JWT")
        }
        guard let payload = try? JSONDecoder().decode(Payload.self, from: payload),
            [payload.iat, payload.nbf, payload.exp].allSatisfy({
                $0.map((0...1e11).contains) ?? true
            })
        else { throw SecurityError(.malformed, "the token needs iss, exp and aud in their form") }
        self.keyID = keyID
        self.claims = Claims(
            issuer: payload.iss, issued: payload.iat.map(Date.init(timeIntervalSince1970:)),
            expiration: Date(timeIntervalSince1970: payload.exp), audiences: payload.aud.values,
            scopes: payload.scope, notBefore: payload.nbf.map(Date.init(timeIntervalSince1970:)),
            bundleID: payload.bid)
        self.message = parts.signedBytes
        self.signature = signature
    }

    /// Checks that the holder of a key has signed it.
    ///
    /// - Throws: `SecurityError` with `badSignature`.
    package func check(by key: VerifyingKey) throws {
        try key.check(signature, of: message)
    }

    /// A signed token.
    package static func sign(_ claims: Claims, keyID: String, key: SigningKey) throws -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        let header = try encoder.encode(Header(kid: keyID))
        let payload = try encoder.encode(
            Payload(
                iss: claims.issuer, iat: claims.issued.map(seconds),
                nbf: claims.notBefore.map(seconds), exp: seconds(claims.expiration),
                aud: Audiences(values: claims.audiences), bid: claims.bundleID,
                scope: claims.scopes))
        let message = "\(Base64URL.encode(header)).\(Base64URL.encode(payload))"
        let signature = try key.signature(for: Data(message.utf8))
        return "\(message).\(Base64URL.encode(signature))"
    }

    private static func seconds(_ date: Date) -> Double {
        date.timeIntervalSince1970.rounded(.down)
    }
}
