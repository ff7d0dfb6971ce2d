import CStoreTaskHooks
import Foundation
import Synchronization

/// Who a job belongs to: the store, or one launch of the app.
struct JobOwner: Hashable, Sendable {
    let number: Int

    /// The store, and whoever else outlives the app.
    static let store = JobOwner(number: 0)
}

/// Runs every task of this program on one thread, one job at a time, in an order that a
/// seed decides. So a run of the machine is the same for the same seed, and a launch of the
/// app can end between any two jobs: what it has left is never run.
final class JobPool: @unchecked Sendable {
    // Sendable: `outside` is locked; all else is touched by the one thread that runs jobs.

    /// A job of Swift's runtime.
    private struct Job: @unchecked Sendable {
        // Sendable: handed from one thread to the other, and run once.
        let pointer: UnsafeMutableRawPointer
    }

    /// The pool of this program. The runtime's hook is a C function, which captures nothing.
    static let shared = JobPool()

    private let thread = pthread_self()
    /// Jobs that the database's thread has made ready.
    private let outside = Mutex<[Job]>([])
    private let arrival = DispatchSemaphore(value: 0)
    private var ready: [(owner: JobOwner, job: Job)] = []
    private var turns: [(owner: JobOwner, turn: DispatchSemaphore)] = []
    private var dead: Set<JobOwner> = []
    private var owners = 0
    /// Whom new jobs belong to.
    private(set) var owner = JobOwner.store

    /// Takes over from Swift's own pool.
    func install() {
        cstore_take_jobs { job in JobPool.shared.take(Job(pointer: job)) }
    }

    private func take(_ job: Job) {
        guard pthread_equal(pthread_self(), thread) != 0 else {
            outside.withLock { $0.append(job) }
            arrival.signal()
            return
        }
        if !dead.contains(owner) { ready.append((owner, job)) }
    }

    /// How many jobs could run now.
    var count: Int { ready.count }

    /// Somebody new whom jobs can belong to.
    func makeOwner() -> JobOwner {
        owners += 1
        return JobOwner(number: owners)
    }

    /// Does something on behalf of an owner.
    func acting<Result>(as actor: JobOwner, _ body: () throws -> Result) rethrows -> Result {
        let before = owner
        owner = actor
        defer { owner = before }
        return try body()
    }

    /// Never runs anything of an owner again, as SIGKILL has it.
    func kill(_ owner: JobOwner) {
        dead.insert(owner)
        ready.removeAll { $0.owner == owner }
    }

    /// Runs one of the jobs that are ready.
    func run(at index: Int) {
        let next = ready[index]
        ready.swapAt(index, ready.count - 1)
        ready.removeLast()
        acting(as: next.owner) { cstore_run_job(next.job.pointer) }
        finishTurns()
    }

    /// Runs until a task of the store has ended.
    func complete<Result: Sendable>(
        _ body: @escaping @Sendable () async throws -> Result
    ) throws -> Result {
        let end = TaskEnd<Result>()
        acting(as: .store) {
            _ = Task {
                do { end.result = .success(try await body()) } catch {
                    end.result = .failure(error)
                }
            }
        }
        while end.result == nil, let index = ready.lastIndex(where: { $0.owner == .store }) {
            run(at: index)
        }
        guard let result = end.result else {
            preconditionFailure("the store waits for a step that is not its own")
        }
        return try result.get()
    }

    /// Runs what is ready of the store's, and what becomes so by that.
    func drain() {
        while let index = ready.lastIndex(where: { $0.owner == .store }) { run(at: index) }
    }

    // MARK: The database's thread

    /// Begins something that the database's thread does; it waits there until the job that
    /// asked for it has suspended, so that its end always comes as a job of its own.
    func beginTurn() -> DispatchSemaphore {
        let turn = DispatchSemaphore(value: 0)
        turns.append((owner, turn))
        return turn
    }

    private func finishTurns() {
        while !turns.isEmpty {
            let (owner, turn) = turns.removeFirst()
            turn.signal()
            arrival.wait()
            let job = outside.withLock { $0.removeFirst() }
            if !dead.contains(owner) { ready.append((owner, job)) }
        }
    }
}

/// What a task has come to; nil as long as it runs.
final class TaskEnd<Success: Sendable>: @unchecked Sendable {
    // Sendable: touched by the one thread that runs jobs.
    var result: Result<Success, any Error>?
}
