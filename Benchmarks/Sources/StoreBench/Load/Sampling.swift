import Foundation
import Synchronization

/// Looks at something again and again beside a measurement, on a thread of its own.
final class Sampling: Sendable {
    private let isOver = Mutex(false)
    private let ended = DispatchSemaphore(value: 0)

    /// - Parameter look: is called on that thread only; what it writes can be read after `stop`.
    init(every seconds: Double, _ look: @escaping () -> Void) {
        let work = Work(look: look)
        Thread.detachNewThread { [self] in
            while !isOver.withLock({ $0 }) {
                work.look()
                usleep(useconds_t(seconds * 1_000_000))
            }
            ended.signal()
        }
    }

    func stop() {
        isOver.withLock { $0 = true }
        ended.wait()
    }

    private struct Work: @unchecked Sendable {
        // Sendable: whoever made it touches nothing of it between `init` and `stop`.
        let look: () -> Void
    }
}
