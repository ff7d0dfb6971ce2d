import Foundation
import Synchronization

/// The only connection that writes, on a thread of its own.
///
/// It takes all transactions that are waiting, runs each under a savepoint, commits them
/// together, and only then answers them. So one `fsync` serves many, and whoever got an
/// answer finds it on disk. One that is alone needs no savepoint.
final class SQLiteWriter: Sendable {
    /// The most transactions that one commit holds.
    private static let groupLimit = 512

    /// A transaction that waits for its turn.
    private struct Job: Sendable {
        /// Runs in the writer; what it gives is called after the commit, with the error if
        /// the commit failed.
        let run: @Sendable (SQLiteConnection) -> Outcome
        /// Called instead of `run` where the writer is closed.
        let refuse: @Sendable (any Error) -> Void
    }

    private struct Outcome {
        /// Whether the transaction's changes are to be kept.
        let isKept: Bool
        let answer: ((any Error)?) -> Void
    }

    private struct Queue {
        var jobs: [Job] = []
        var isClosed = false
        var metrics = WriteMetrics()
    }

    /// The connection until the thread takes it.
    private let opened: Mutex<SendableConnection?>
    private let queue = Mutex(Queue())
    private let work = DispatchSemaphore(value: 0)
    private let ended = DispatchSemaphore(value: 0)

    /// Throws where nothing may be written; runs in the group's transaction.
    private let check: @Sendable (SQLiteConnection) throws -> Void

    /// - Parameter check: throws where nothing may be written; runs in the group's transaction.
    init(path: String, check: @escaping @Sendable (SQLiteConnection) throws -> Void) throws {
        self.check = check
        let connection = try SQLiteConnection(path: path)
        // What a statement would have to take back is kept in memory: with triggers each one
        // remembers every page that it touches.
        try connection.script("PRAGMA temp_store = MEMORY")
        // KiB of pages in memory: rows of customers far from each other touch pages of their own.
        try connection.script("PRAGMA cache_size = -12288")
        // Pages in the log (16 MiB) before they go into the file, each once, however often it was
        // written.
        try connection.script("PRAGMA wal_autocheckpoint = 4096")
        opened = Mutex(SendableConnection(connection))
        let thread = Thread { [self] in
            // Closed before anybody hears of the end: the last connection of a database brings
            // everything into its one file.
            if let connection = opened.withLock({ $0.take() }) { loop(connection.value) }
            ended.signal()
        }
        thread.name = "store-writer"
        thread.start()
    }

    /// What it has done so far, and what waits for it.
    var metrics: WriteMetrics {
        queue.withLock { queue in
            var metrics = queue.metrics
            metrics.waiting = queue.jobs.count
            return metrics
        }
    }

    /// Runs a transaction; returns after it is on disk, throws when nothing was written.
    func write<Result: Sendable>(
        _ body: @escaping @Sendable (SQLiteConnection) throws -> Result
    ) async throws -> Result {
        try await withCheckedThrowingContinuation { continuation in
            let job = Job(
                run: { connection in
                    do {
                        let result = try body(connection)
                        return Outcome(isKept: true) { failure in
                            if let failure {
                                continuation.resume(throwing: failure)
                            } else {
                                continuation.resume(returning: result)
                            }
                        }
                    } catch {
                        return Outcome(isKept: false) { _ in continuation.resume(throwing: error) }
                    }
                },
                refuse: { continuation.resume(throwing: $0) })
            let isClosed = queue.withLock { queue in
                if !queue.isClosed { queue.jobs.append(job) }
                return queue.isClosed
            }
            if isClosed {
                job.refuse(SQLError.stopping)
            } else {
                work.signal()
            }
        }
    }

    /// Commits what is waiting and ends the thread.
    func close() {
        stop()
        ended.wait()
        // For others who close it too.
        ended.signal()
    }

    /// Lets the thread commit what is waiting and end; returns at once.
    func stop() {
        let wasClosed = queue.withLock { queue in
            defer { queue.isClosed = true }
            return queue.isClosed
        }
        if !wasClosed { work.signal() }
    }

    private func loop(_ connection: SQLiteConnection) {
        while true {
            work.wait()
            let (jobs, isClosed) = queue.withLock { queue in
                let group = Array(queue.jobs.prefix(Self.groupLimit))
                queue.jobs.removeFirst(group.count)
                queue.metrics.add(group: group.count)
                return (group, queue.isClosed)
            }
            if !jobs.isEmpty { commit(jobs, on: connection)() }
            if isClosed, queue.withLock({ $0.jobs.isEmpty }) { return }
        }
    }

    private func end(_ connection: SQLiteConnection) throws {
        // After some errors SQLite takes the whole transaction back by itself.
        guard connection.isInTransaction else {
            throw SQLError(code: .disk, "the database has taken the transaction back")
        }
        do {
            try connection.run("COMMIT", [])
        } catch let error as SQLError {
            throw error.ofCommit
        }
    }

    /// - Returns: what answers those that wait.
    private func commit(_ jobs: [Job], on connection: SQLiteConnection) -> () -> Void {
        do {
            try connection.run("BEGIN IMMEDIATE", [])
            try check(connection)
        } catch {
            try? connection.run("ROLLBACK", [])
            return { for job in jobs { job.refuse(error) } }
        }
        var outcomes: [Outcome] = []
        var failure: (any Error)?
        do {
            var isKept = true
            for job in jobs {
                // Alone, a job is taken back with the whole transaction.
                guard jobs.count > 1 else {
                    let outcome = job.run(connection)
                    outcomes.append(outcome)
                    isKept = outcome.isKept
                    break
                }
                try connection.run("SAVEPOINT job", [])
                let outcome = job.run(connection)
                outcomes.append(outcome)
                if !outcome.isKept { try connection.run("ROLLBACK TO job", []) }
                try connection.run("RELEASE job", [])
            }
            if isKept { try end(connection) } else { try connection.run("ROLLBACK", []) }
        } catch {
            failure = error
            try? connection.run("ROLLBACK", [])
        }
        return { [outcomes, failure] in
            for outcome in outcomes { outcome.answer(failure) }
            if let failure {
                for job in jobs.dropFirst(outcomes.count) { job.refuse(failure) }
            }
        }
    }
}

/// A connection on its way to the thread that will own it.
struct SendableConnection: @unchecked Sendable {
    // Sendable: whoever takes it out is its only user from then on.
    let value: SQLiteConnection

    init(_ value: SQLiteConnection) {
        self.value = value
    }
}
