import Foundation

/// Tells the time.
package protocol StoreClock: Sendable {
    func now() -> Date
    /// How long something takes is measured by this one, which nobody sets.
    func uptime() -> ContinuousClock.Instant
    /// What time it is for programs that ask the store: their tokens are dated by it. Another one
    /// than `now` only in a test, whose clock is moved.
    func callerTime() -> Date
    /// The store's own time. Another one than `now` only for a task that works at a customer's time
    /// (`CustomerClock`).
    func storeTime() -> Date
}

/// What the clock shows; `nil` while it can't be believed. For what charges, decides and deletes by
/// itself.
package typealias BelievedTime = @Sendable () async throws -> Date?

extension StoreClock {
    package func uptime() -> ContinuousClock.Instant { .now }
    package func callerTime() -> Date { now() }
    package func storeTime() -> Date { now() }

    /// The time as `time` has it, where somebody looks whether the clock can be believed.
    func now(_ time: BelievedTime?) async throws -> Date? {
        guard let time else { return now() }
        return try await time()
    }
}
