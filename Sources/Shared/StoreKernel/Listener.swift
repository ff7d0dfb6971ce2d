import Synchronization

/// Keeps the one function that is called with news. There is none at first.
package final class Listener<News>: Sendable {
    // A function that is the whole value of a mutex gets another layer with each reading (Swift 6.3, issue
    // 91348), until the stack overflows; as a field it does not.
    private struct Heard {
        var function: @Sendable (News) -> Void
    }

    private let heard = Mutex(Heard { _ in })

    package init() {}

    /// Calls `hear` with all further news, and the function before it no longer.
    package func set(_ hear: @escaping @Sendable (News) -> Void) {
        heard.withLock { $0.function = hear }
    }

    package func tell(_ news: News) { heard.withLock { $0 }.function(news) }
}
