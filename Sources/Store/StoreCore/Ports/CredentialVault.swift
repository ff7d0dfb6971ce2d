import Foundation

/// Makes and checks what must not be guessed.
///
/// Hashing a password is slow on purpose. Implementations hash on threads of their own, so that other
/// requests don't wait.
package protocol CredentialVault: Sendable {
    /// A slow hash of a password, with salt.
    ///
    /// - Throws: `PasswordsBusy`, or what breaks.
    func hash(password: String) async throws -> String
    /// Whether a password is the one of a hash.
    ///
    /// - Throws: `PasswordsBusy`; nothing was looked at then.
    func verify(password: String, against hash: String) async throws -> Bool
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

/// The queue of passwords to be hashed is full, and another one is refused at once. Without a limit,
/// everybody who signs in would wait, and the queue would take ever more memory.
package struct PasswordsBusy: Error, Sendable, Hashable, CustomStringConvertible {
    /// When trying again makes sense, seconds.
    package static let retryDelay = 5

    package init() {}

    package var description: String {
        "More people sign in than the store can check; try again in a few seconds."
    }
}
