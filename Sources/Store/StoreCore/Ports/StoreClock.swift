import Foundation

/// Tells the time.
package protocol StoreClock: Sendable {
    func now() -> Date
}

/// Makes and checks what must not be guessed.
///
/// Hashing a password is slow on purpose. Whoever implements this does it aside, so that
/// other requests don't wait for it.
package protocol CredentialVault: Sendable {
    /// A slow hash of a password, with salt.
    func hash(password: String) async throws -> String
    func verify(password: String, against hash: String) async -> Bool
    /// A hash of no password, which takes as long to compare with as any other: compared with
    /// where an address is unknown.
    func makeDecoyHash() throws -> String
    /// A random token for a session.
    func makeToken() throws -> String
    /// A fresh identifier: a UUID in small letters.
    func makeIdentifier() -> String
    /// What is stored of a token.
    func digest(of token: String) -> Data
}
