/// How often the store is asked for events: pauses grow where it answers sooner than it should.
///
/// An honest store lets a request wait until there is something. One that does not, or that has
/// something new each time, is asked less and less often, until it lets one wait again.
struct EventBackoff {
    /// How a request came to its end.
    enum End {
        /// There was no answer, or one that nobody can use.
        case failed
        /// The answer to a request that was not to wait.
        ///
        /// - Parameter isBehind: whether it was asked because what the store has could not be
        ///   fetched.
        case caughtUp(isBehind: Bool)
        /// The answer to a request that was to wait for events.
        case waited(hasEvents: Bool, isHasty: Bool)

        /// The answer to a request that was to wait for events, and began at a moment.
        static func waited(hasEvents: Bool, since start: ContinuousClock.Instant) -> End {
            .waited(hasEvents: hasEvents, isHasty: .now - start < .seconds(1))
        }
    }

    /// So many answers in a row may bring events at once: much happens in a moment at times.
    static let burst = 10

    private var pauses = 0
    private var rush = 0

    /// Whether to pause before the next request, and the how manieth pause in a row that is,
    /// from 0 on.
    mutating func pause(after end: End) -> Int? {
        switch end {
        case .caughtUp(isBehind: false):
            return nil
        case .waited(_, isHasty: false):
            self = EventBackoff()
            return nil
        case .waited(hasEvents: true, isHasty: true) where rush < Self.burst:
            rush += 1
            return nil
        case .failed, .caughtUp(isBehind: true), .waited(_, isHasty: true):
            defer { pauses = min(pauses + 1, 30) }
            return pauses
        }
    }
}
