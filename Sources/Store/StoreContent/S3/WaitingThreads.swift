import Dispatch
import Foundation
import Synchronization

/// Threads that may wait for another machine, so that those of tasks never do.
///
/// They are started where there is work, and end when there was none for a while.
final class WaitingThreads: Sendable {
    private struct State {
        var jobs: [@Sendable () -> Void] = []
        var count = 0
        var idle = 0
    }

    private let limit: Int
    private let state = Mutex(State())
    private let bell = DispatchSemaphore(value: 0)
    private static let idleSeconds = 30.0

    /// - Parameter limit: more work than so many at once waits its turn.
    init(limit: Int) {
        self.limit = limit
    }

    func run<Value: Sendable>(
        _ work: @escaping @Sendable () throws -> Value
    ) async throws -> Value {
        try await withCheckedThrowingContinuation { continuation in
            add { continuation.resume(with: Result { try work() }) }
        }
    }

    private func add(_ job: @escaping @Sendable () -> Void) {
        let needsThread = state.withLock { state in
            state.jobs.append(job)
            guard state.jobs.count > state.idle, state.count < limit else { return false }
            state.count += 1
            return true
        }
        if needsThread {
            let thread = Thread { [self] in serve() }
            thread.name = "object store"
            thread.start()
        }
        bell.signal()
    }

    private func serve() {
        while true {
            let job: (@Sendable () -> Void)? = state.withLock { state in
                if !state.jobs.isEmpty { return state.jobs.removeFirst() }
                state.idle += 1
                return nil
            }
            if let job {
                job()
                continue
            }
            let isOver = bell.wait(timeout: .now() + Self.idleSeconds) == .timedOut
            let ends = state.withLock { state in
                state.idle -= 1
                guard isOver, state.jobs.isEmpty else { return false }
                state.count -= 1
                return true
            }
            if ends { return }
        }
    }
}
