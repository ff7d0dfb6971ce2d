import Foundation
import Synchronization

/// Work of the store for a method that is not `async`, as Apple's are.
///
/// The calling thread waits. It may be a thread of Swift's cooperative pool, so the work runs on
/// other threads, outside of that pool.
enum BlockingCall {
    private final class Answer<Value: Sendable>: Sendable {
        let value = Mutex<Result<Value, any Error>?>(nil)
        let isThere = DispatchSemaphore(value: 0)
    }

    /// Starts a new thread for each job of the work.
    private final class Threads: TaskExecutor {
        static let shared = Threads()

        func enqueue(_ job: consuming ExecutorJob) {
            let piece = UnownedJob(job)
            Thread.detachNewThread { [self] in
                piece.runSynchronously(on: asUnownedTaskExecutor())
            }
        }
    }

    /// Waits within `run` until the work has ended, or for a second. The work may need threads that other
    /// callers of `run` block; it ends after those callers have returned.
    static func briefly(_ work: @escaping @Sendable () async -> Void) async {
        let (ends, end) = AsyncStream<Void>.makeStream()
        Task(executorPreference: Threads.shared) {
            await work()
            end.yield()
        }
        Task(executorPreference: Threads.shared) {
            try? await Task.sleep(for: .seconds(1))
            end.yield()
        }
        for await _ in ends { return }
    }

    /// Does work of an `async` method outside of the cooperative pool as well, where callers of `run`
    /// may wait for it.
    ///
    /// - Throws: what the work throws.
    static func apart(_ work: @escaping @Sendable () async throws -> Void) async throws {
        try await withTaskExecutorPreference(Threads.shared) { try await work() }
    }

    /// - Throws: what the work throws.
    static func run<Value: Sendable>(
        _ work: @escaping @Sendable () async throws -> Value
    ) throws -> Value {
        let answer = Answer<Value>()
        Task(executorPreference: Threads.shared) {
            let result: Result<Value, any Error>
            do { result = .success(try await work()) } catch { result = .failure(error) }
            answer.value.withLock { $0 = result }
            answer.isThere.signal()
        }
        answer.isThere.wait()
        guard let result = answer.value.withLock({ $0 }) else {
            preconditionFailure("the answer is there")
        }
        return try result.get()
    }
}
