import Synchronization

/// Whoever hears of something: one at a time, and nobody at first.
package final class Listener<News>: Sendable {
    // A function that is the whole value of a mutex gets another layer with each reading (Swift 6.3, issue
    // 91348), until the stack overflows; as a field it does not.
    private struct Heard {
        var function: @Sendable (News) -> Void
    }

    private let heard = Mutex(Heard { _ in })

    package init() {}

    /// Lets somebody hear of what comes from now on, in the place of the one before.
    package func set(_ hear: @escaping @Sendable (News) -> Void) {
        heard.withLock { $0.function = hear }
    }

    package func tell(_ news: News) { heard.withLock { $0 }.function(news) }
}
