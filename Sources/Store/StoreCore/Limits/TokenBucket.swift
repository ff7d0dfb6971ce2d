import Foundation

/// How much somebody may still do: a token bucket, for rate limiting, that fills evenly up to its rim, and
/// from which each request takes one.
package struct TokenBucket: Sendable, Hashable {
    private var tokens: Double
    private var time: Date

    /// A full one.
    package init(perMinute: Int, at now: Date) {
        tokens = Double(perMinute)
        time = now
    }

    /// Takes one.
    ///
    /// - Parameter perMinute: how many come back in a minute, and how many there are at most.
    /// - Returns: nil where there was one; else the seconds until there is.
    package mutating func take(perMinute: Int, at now: Date) -> TimeInterval? {
        fill(perMinute: perMinute, at: now)
        guard tokens < 1 else {
            tokens -= 1
            return nil
        }
        return (1 - tokens) * 60 / Double(perMinute)
    }

    /// Whether it is as full as a new one.
    package func isFull(perMinute: Int, at now: Date) -> Bool {
        var bucket = self
        bucket.fill(perMinute: perMinute, at: now)
        return bucket.tokens >= Double(perMinute)
    }

    private mutating func fill(perMinute: Int, at now: Date) {
        // A clock that was put back gives nothing, and takes nothing.
        let passed = max(0, now.timeIntervalSince(time))
        tokens = min(Double(perMinute), tokens + passed * Double(perMinute) / 60)
        time = now
    }
}
