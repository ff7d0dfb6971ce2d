import Foundation

/// Runs each piece of a task on a thread of its own, where it may block.
package final class OwnThreads: TaskExecutor {
    package static let shared = OwnThreads()

    package func enqueue(_ job: consuming ExecutorJob) {
        let piece = UnownedJob(job)
        Thread.detachNewThread { [self] in piece.runSynchronously(on: asUnownedTaskExecutor()) }
    }
}
