import Foundation

/// Links by which lost passwords are set anew.
package protocol PasswordResetRepository {
    func reset(tokenDigest: Data) throws -> PasswordReset?
    func insert(_ reset: PasswordReset, tokenDigest: Data) throws
    /// Records that a password was set. The schema refuses it a second time.
    func recordUse(of tokenDigest: Data, at date: Date) throws
    /// Forgets unused ones of an owner, and those of everybody that ended before a date.
    func deleteResets(of owner: PasswordOwner, endedBefore date: Date) throws
}
