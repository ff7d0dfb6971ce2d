import Foundation

/// Small statements that the store makes to itself through a client: readable by
/// anyone, made only by who holds the secret (HMAC-SHA256, RFC 2104).
package struct SealedTokens: Sendable {
    private let secret: Data

    /// - Parameter secret: at least 32 random bytes.
    package init(secret: Data) {
        precondition(secret.count >= 32, "a secret for sealed tokens has at least 32 bytes")
        OpenSSLLibrary.ready
        self.secret = secret
    }

    /// The statement and its seal, as `<base64url>.<base64url>`.
    package func seal(_ statement: Data) -> String {
        "\(Base64URL.encode(statement)).\(Base64URL.encode(mac(statement)))"
    }

    /// The statement of a token whose seal is right.
    ///
    /// - Throws: `malformed` for text of another form, `badSignature` for a wrong seal.
    package func open(_ token: some StringProtocol) throws -> Data {
        let parts = String(token).utf8
            .split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
            .map { Substring($0) }
        guard parts.count == 2, let statement = Base64URL.decode(parts[0]),
            let seal = Base64URL.decode(parts[1])
        else { throw SecurityError(.malformed, "the token is malformed") }
        guard constantTimeEqual(seal, mac(statement)) else {
            throw SecurityError(.badSignature, "the token was not made by this store")
        }
        return statement
    }

    private func mac(_ statement: Data) -> Data { MessageCode.of(statement, key: secret) }
}
