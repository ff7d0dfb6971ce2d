import Dispatch
import Foundation
import StoreCore
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
    private let queueLimit: Int
    private let state = Mutex(State())
    private let bell = DispatchSemaphore(value: 0)
    private static let idleSeconds = 30.0

    /// - Parameters:
    ///   - limit: more work than so many at once waits its turn.
    ///   - queueLimit: more than so much does not wait.
    init(limit: Int, queueLimit: Int) {
        self.limit = limit
        self.queueLimit = queueLimit
    }

    /// - Throws: `ContentBusy` where too much waits, or what the work throws.
    func run<Value: Sendable>(
        _ work: @escaping @Sendable () throws -> Value
    ) async throws -> Value {
        try await withCheckedThrowingContinuation { continuation in
            let isTaken = add { continuation.resume(with: Result { try work() }) }
            if !isTaken { continuation.resume(throwing: ContentBusy()) }
        }
    }

    /// - Returns: false where too much waits.
    private func add(_ job: @escaping @Sendable () -> Void) -> Bool {
        let needsThread: Bool? = state.withLock { state in
            guard state.jobs.count < queueLimit else { return nil }
            state.jobs.append(job)
            guard state.jobs.count > state.idle, state.count < limit else { return false }
            state.count += 1
            return true
        }
        guard let needsThread else { return false }
        if needsThread {
            let thread = Thread { [self] in serve() }
            thread.name = "object store"
            thread.start()
        }
        bell.signal()
        return true
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
