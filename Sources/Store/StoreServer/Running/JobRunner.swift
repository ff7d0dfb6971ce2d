import Foundation
import StoreCore

/// Does jobs of the store in this process, when they are due and no other process does them: a lease
/// on each job takes the place of a leader's election.
struct JobRunner: Sendable {
    /// Jobs are looked for so often.
    static let look: Duration = .seconds(60)
    private static let signOfLife: Duration = .seconds(15)

    /// Another process has the job by now.
    private struct LeaseLost: Error, CustomStringConvertible {
        var description: String { "it took longer than its lease, and another process has it" }
    }

    private let jobs: JobService
    private let log: EventLog
    private let metrics: JobMetrics
    private let sleep: @Sendable (Duration) async throws -> Void
    /// Names this process among all others.
    private let holder: String

    init(
        jobs: JobService, log: EventLog, metrics: JobMetrics,
        holder: String = UUID().uuidString,
        sleep: @escaping @Sendable (Duration) async throws -> Void
    ) {
        self.jobs = jobs
        self.log = log
        self.metrics = metrics
        self.holder = holder
        self.sleep = sleep
    }

    /// Does a job whenever it is due, until the task is cancelled.
    ///
    /// - Parameters:
    ///   - period: seconds between two beginnings.
    ///   - look: between two looks whether it is due.
    func run(
        _ job: StoreJob, every period: TimeInterval, look: Duration = Self.look,
        _ body: @escaping @Sendable () async throws -> Void
    ) async {
        while !Task.isCancelled {
            await runIfDue(job, every: period, body)
            try? await sleep(look)
        }
    }

    /// Does a job if it is due and no other process does it.
    func runIfDue(
        _ job: StoreJob, every period: TimeInterval,
        _ body: @escaping @Sendable () async throws -> Void
    ) async {
        do {
            guard let assignment = try await jobs.take(job, every: period, as: holder) else {
                return
            }
            let start = ContinuousClock.now
            do {
                try await whileAlive(assignment, body)
                try await jobs.complete(assignment)
                metrics.add(job.label, took: ContinuousClock.now - start, failed: false)
            } catch {
                let isStopping = error is CancellationError
                if !isStopping {
                    metrics.add(job.label, took: ContinuousClock.now - start, failed: true)
                }
                // Also where the task is cancelled: the next process is not to wait.
                let jobs = jobs
                try? await Task.detached {
                    try await jobs.giveBack(assignment, hasFailed: !isStopping)
                }.value
                if !isStopping { throw error }
            }
        } catch is CancellationError {
            return
        } catch {
            log.write(
                .error, .jobFailed,
                ["job": job.label, "reason": String(describing: error)])
        }
    }

    /// Renews the lease meanwhile; the work is stopped where it is lost.
    private func whileAlive(
        _ assignment: JobService.Assignment, _ body: @escaping @Sendable () async throws -> Void
    ) async throws {
        try await withThrowingTaskGroup(of: Bool.self) { group in
            group.addTask {
                try await body()
                return true
            }
            group.addTask {
                while true {
                    try await sleep(Self.signOfLife)
                    // What can't be asked now may be asked the next time: the lease is longer.
                    if await (try? jobs.renew(assignment)) == false { return false }
                }
            }
            while let isDone = try await group.next() {
                if isDone { break }
                throw LeaseLost()
            }
            group.cancelAll()
        }
    }
}
