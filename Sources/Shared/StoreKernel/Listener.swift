import Synchronization

/// Whoever hears of something: one at a time, and nobody at first.
package final class Listener<News>: Sendable {
    private let hear = Mutex<@Sendable (News) -> Void>({ _ in })

    package init() {}

    /// Lets somebody hear of what comes from now on, in the place of the one before.
    package func set(_ hear: @escaping @Sendable (News) -> Void) {
        self.hear.withLock { $0 = hear }
    }

    package func tell(_ news: News) { hear.withLock { $0 }(news) }
}
