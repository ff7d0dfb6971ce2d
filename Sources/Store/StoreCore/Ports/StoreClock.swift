import Foundation

/// Tells the time.
package protocol StoreClock: Sendable {
    func now() -> Date
}

/// Makes and checks what must not be guessed.
package protocol CredentialVault: Sendable {
    /// A slow hash of a password, with salt.
    func hash(password: String) throws -> String
    func verify(password: String, against hash: String) -> Bool
    /// A random token for a session.
    func makeToken() throws -> String
    /// What is stored of a token.
    func digest(of token: String) -> Data
}
