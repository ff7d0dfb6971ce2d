import Foundation

/// How often a request is tried, and how long is waited in between.
package struct ObjectRetryPolicy: Sendable {
    /// How often; one that is of no use later, twice at most.
    package var attempts = 5
    /// Seconds before the second attempt at most; twice as many before each further one.
    package var first: TimeInterval = 0.2
    /// Seconds that are never passed.
    package var longest: TimeInterval = 5
    package var now: @Sendable () -> Date = { Date() }
    /// Blocks for some seconds.
    package var sleep: @Sendable (TimeInterval) -> Void = { Thread.sleep(forTimeInterval: $0) }
    /// A number from 0 to 1.
    package var random: @Sendable () -> Double = { Double.random(in: 0...1) }

    package init() {}

    /// Seconds to wait after some failures: anything up to a bound that doubles, so that those
    /// whom one fault has hit don't come back at once.
    func delay(after failures: Int) -> TimeInterval {
        random() * min(longest, first * pow(2, Double(failures - 1)))
    }
}
