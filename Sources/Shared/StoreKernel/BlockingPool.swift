import Dispatch
import Foundation
import Synchronization

/// Threads for work that blocks or takes long, so that those of Swift's tasks never do (a thread
/// pool, an executor with a bounded queue).
///
/// ```swift
/// let pool = BlockingPool("object store", threads: 32, queueLimit: 512)
/// let bytes = try await pool.run { try client.read(name) }
/// ```
///
/// A thread is started when there is work and none is idle, and ends when there was no work for a
/// while. Work that runs can't be cancelled. It must not wait for other work of the same pool.
package final class BlockingPool: Sendable {
    private let name: String
    private let threadLimit: Int
    private let queueLimit: Int
    private let idleTime: DispatchTimeInterval
    private let stackSize: Int?
    private let full: any Error
    private let stopped: any Error
    private let state = Mutex(State())
    private let wakeUp = DispatchSemaphore(value: 0)
    private let ended = DispatchGroup()

    /// - Parameters:
    ///   - name: what its threads are called.
    ///   - threads: so much runs at a time; more waits its turn.
    ///   - queueLimit: so much waits at most; more is refused.
    ///   - full: thrown if too much waits.
    ///   - stopped: thrown after `stop()`.
    ///   - idleTime: after so much time without work a thread ends.
    ///   - stackSize: of each thread, in bytes; `nil` for the system's.
    package init(
        _ name: String, threads: Int, queueLimit: Int = .max,
        full: any Error = BlockingPoolError(.full),
        stopped: any Error = BlockingPoolError(.stopped),
        idleTime: DispatchTimeInterval = .seconds(30), stackSize: Int? = nil
    ) {
        precondition(threads > 0 && queueLimit >= 0, "a pool has a thread")
        self.name = name
        self.threadLimit = threads
        self.queueLimit = queueLimit
        self.full = full
        self.stopped = stopped
        self.idleTime = idleTime
        self.stackSize = stackSize
    }

    /// Runs something on one of the threads.
    ///
    /// - Parameter leavesWhenCancelled: whether work that waits when the task is cancelled is taken
    ///   out of the queue; `false` if it has to be done all the same.
    /// - Throws: what `body` throws, `CancellationError`; `full` or `stopped` of the pool, and
    ///   `body` was not run then.
    package func run<Value: Sendable>(
        leavesWhenCancelled: Bool = true, _ body: @escaping @Sendable () throws -> Value
    ) async throws -> Value {
        let number = state.withLock { $0.nextNumber() }
        return try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                let job = Job(
                    run: {
                        let result = Result { try body() }
                        return { continuation.resume(with: result) }
                    }, refuse: { continuation.resume(throwing: $0) })
                add(job, number)
            }
        } onCancel: {
            guard leavesWhenCancelled else { return }
            state.withLock { $0.waiting.removeValue(forKey: number) }?.refuse(CancellationError())
        }
    }

    private func add(_ job: Job, _ number: Int) {
        let admission = state.withLock { state -> Admission in
            guard !state.isStopped else { return .refused(stopped) }
            // Threads that are free, or not started yet, take what is not counted as waiting.
            guard state.running + state.waiting.count - threadLimit < queueLimit else {
                return .refused(full)
            }
            state.append(job, number)
            if state.idle > 0 {
                state.idle -= 1
                return .wakesThread
            }
            guard state.threads < threadLimit else { return .waits }
            state.threads += 1
            return .startsThread
        }
        switch admission {
        case .refused(let error): job.refuse(error)
        case .wakesThread: wakeUp.signal()
        case .startsThread: start()
        case .waits: break
        }
    }

    private func start() {
        ended.enter()
        let thread = Thread { [self] in
            work()
            ended.leave()
        }
        thread.name = name
        if let stackSize { thread.stackSize = stackSize }
        thread.start()
    }

    /// What a thread does, as long as it lives.
    private func work() {
        while true {
            switch state.withLock({ $0.next() }) {
            case .run(let job):
                let finish = job.run()
                // Who hears of the end may ask for more at once.
                state.withLock { $0.running -= 1 }
                finish()
            case .end: return
            case .wait:
                guard wakeUp.wait(timeout: .now() + idleTime) == .timedOut else { continue }
                let ends = state.withLock { $0.endsIdleThread() }
                if ends { return }
                // It was woken after all.
                wakeUp.wait()
            }
        }
    }

    /// Refuses new work, and ends the threads after what waits; returns at once.
    package func stop() {
        let idle = state.withLock { state in
            state.isStopped = true
            defer { state.idle = 0 }
            return state.idle
        }
        for _ in 0..<idle { wakeUp.signal() }
    }

    /// Blocks until the threads have ended. Not to be called on one of them, nor in a task.
    package func wait() { ended.wait() }

    /// How much waits for a thread.
    package var waitingCount: Int {
        state.withLock { max(0, $0.running + $0.waiting.count - threadLimit) }
    }
}

extension BlockingPool {
    /// A piece of work.
    private struct Job: Sendable {
        /// Runs it; what comes back tells whoever waits for it.
        let run: @Sendable () -> @Sendable () -> Void
        let refuse: @Sendable (any Error) -> Void
    }

    /// What becomes of a job when it is added.
    private enum Admission {
        case refused(any Error)
        case wakesThread
        case startsThread
        case waits
    }

    /// What a thread does next.
    private enum Step {
        case run(Job)
        case wait
        case end
    }

    private struct State: Sendable {
        /// By number: those that were cancelled are no longer there.
        var waiting: [Int: Job] = [:]
        private var order: [Int] = []
        private var start = 0
        private var lastNumber = 0
        var running = 0
        var threads = 0
        /// Threads that wait and were not woken.
        var idle = 0
        var isStopped = false

        mutating func nextNumber() -> Int {
            lastNumber += 1
            return lastNumber
        }

        mutating func append(_ job: Job, _ number: Int) {
            waiting[number] = job
            order.append(number)
        }

        mutating func next() -> Step {
            while start < order.count {
                let number = order[start]
                start += 1
                if start > 64, start > order.count / 2 {
                    order.removeFirst(start)
                    start = 0
                }
                guard let job = waiting.removeValue(forKey: number) else { continue }
                running += 1
                return .run(job)
            }
            if isStopped {
                threads -= 1
                return .end
            }
            idle += 1
            return .wait
        }

        /// - Returns: false if each thread that waits was woken.
        mutating func endsIdleThread() -> Bool {
            guard idle > 0 else { return false }
            idle -= 1
            threads -= 1
            return true
        }
    }
}

/// Work was refused.
package struct BlockingPoolError: Error, Sendable, Hashable, CustomStringConvertible {
    package struct Code: Sendable, Hashable {
        private enum Value { case full, stopped }
        private let value: Value

        /// Too much waits.
        package static let full = Code(value: .full)
        /// The pool takes no more work.
        package static let stopped = Code(value: .stopped)
    }

    package let code: Code

    package init(_ code: Code) {
        self.code = code
    }

    package var description: String {
        code == .full ? "Too much work waits. Try again." : "The pool has stopped."
    }
}
