/// The backoff: how long to wait before trying again.
package struct RetryPolicy: Sendable {
    /// How often something is tried in a row.
    package let attempts: Int
    /// The wait before a purchase that nobody could decide is taken up again.
    package let longDelay: Duration
    /// Waits; throws when the task is cancelled.
    package let sleep: @Sendable (Duration) async throws -> Void
    /// Waits while there is nothing to do but to look whether somebody has signed in.
    package let idle: @Sendable () async throws -> Void
    /// How long the app waits at most for a store that does not answer.
    let patience: Duration
    let jitter: @Sendable () -> Double

    /// - Parameter jitter: a random factor, 0.5 to 1.
    package init(
        attempts: Int, longDelay: Duration,
        sleep: @escaping @Sendable (Duration) async throws -> Void,
        idle: @escaping @Sendable () async throws -> Void, patience: Duration = .seconds(2),
        jitter: @escaping @Sendable () -> Double
    ) {
        self.idle = idle
        self.attempts = attempts
        self.longDelay = longDelay
        self.sleep = sleep
        self.patience = patience
        self.jitter = jitter
    }

    /// One second, two, four, up to thirty, less a random part.
    package func delay(after attempt: Int) -> Duration {
        .milliseconds(Int(Double(min(30_000, 1000 << min(attempt, 5))) * jitter()))
    }

    package static let standard: RetryPolicy = RetryPolicy(
        attempts: 6, longDelay: .seconds(60), sleep: { try await Task.sleep(for: $0) },
        idle: { try await Task.sleep(for: .seconds(5)) },
        jitter: { Double.random(in: 0.5...1) })
}
