import Foundation
import Synchronization

/// Threads for what waits on sockets: Swift's own are for what never waits.
///
/// A thread is started when there is work and none is idle, up to a limit.
final class PostgresThreads: Sendable {
    private struct Queue {
        var jobs: [@Sendable () -> Void] = []
        var idle = 0
        var started = 0
        var isClosed = false
    }

    private let name: String
    private let limit: Int
    private let queue = Mutex(Queue())
    private let work = DispatchSemaphore(value: 0)
    private let ended = DispatchGroup()

    init(_ name: String, limit: Int) {
        self.name = name
        self.limit = limit
    }

    /// Runs something on one of the threads.
    ///
    /// - Throws: what `body` throws; `SQLError` with the code `closed` where all has ended.
    func run<Result: Sendable>(
        _ body: @escaping @Sendable () throws -> Result
    ) async throws -> Result {
        try await withCheckedThrowingContinuation { continuation in
            let (isClosed, needsThread) = queue.withLock { queue -> (Bool, Bool) in
                guard !queue.isClosed else { return (true, false) }
                queue.jobs.append { continuation.resume(with: Swift.Result { try body() }) }
                guard queue.idle < queue.jobs.count, queue.started < limit else {
                    return (false, false)
                }
                queue.started += 1
                return (false, true)
            }
            if isClosed {
                continuation.resume(
                    throwing: SQLError(code: .closed, "the store is stopping"))
                return
            }
            work.signal()
            if needsThread { start() }
        }
    }

    private func start() {
        ended.enter()
        let thread = Thread { [self] in
            loop()
            ended.leave()
        }
        thread.name = name
        thread.start()
    }

    private func loop() {
        while true {
            queue.withLock { $0.idle += 1 }
            work.wait()
            let (job, isClosed) = queue.withLock { queue in
                queue.idle -= 1
                return (queue.jobs.isEmpty ? nil : queue.jobs.removeFirst(), queue.isClosed)
            }
            if let job { job() } else if isClosed { return }
        }
    }

    /// Ends the threads after what waits; returns at once.
    func stop() {
        let started = queue.withLock { queue in
            queue.isClosed = true
            return queue.started
        }
        for _ in 0..<started { work.signal() }
    }

    /// Waits until the threads have ended. Not to be called on one of them.
    func wait() { ended.wait() }
}
