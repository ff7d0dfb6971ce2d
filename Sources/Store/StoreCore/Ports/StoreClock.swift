import Foundation

/// Tells the time.
package protocol StoreClock: Sendable {
    func now() -> Date
    /// How long something takes is measured by this one, which nobody sets.
    func uptime() -> ContinuousClock.Instant
    /// What time it is for programs that ask the store: their tokens are dated by it. Another one
    /// than `now` only in a test, whose clock is moved.
    func callerTime() -> Date
}

/// What the clock shows; `nil` while it can't be believed. For what charges, decides and deletes by
/// itself.
package typealias BelievedTime = @Sendable () async throws -> Date?

extension StoreClock {
    package func uptime() -> ContinuousClock.Instant { .now }
    package func callerTime() -> Date { now() }

    /// The time as `time` has it, where somebody looks whether the clock can be believed.
    func now(_ time: BelievedTime?) async throws -> Date? {
        guard let time else { return now() }
        return try await time()
    }
}

/// Makes and checks what must not be guessed.
///
/// Hashing a password is slow on purpose. Whoever implements this does it aside, so that
/// other requests don't wait for it.
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

/// So many passwords wait to be hashed that one more is refused at once: a queue without an
/// end would keep everybody waiting who signs in, and the memory of all of them.
package struct PasswordsBusy: Error, Sendable, Hashable, CustomStringConvertible {
    /// When trying again makes sense, seconds.
    package static let retryDelay = 5

    package init() {}

    package var description: String {
        "More people sign in than the store can check; try again in a few seconds."
    }
}
