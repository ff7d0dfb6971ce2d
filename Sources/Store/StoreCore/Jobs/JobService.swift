import Foundation

/// Gives out the store's jobs: each to one process at a time, and not again before it is due.
///
/// A process has a job for as long as its lease, which it renews. Where it dies, another one begins
/// the job again.
package struct JobService: Sendable {
    /// Seconds that a job is given out for.
    package static let lease: TimeInterval = 60
    /// Seconds until a job that failed is tried again.
    private static let patience: TimeInterval = 600

    private let shop: Shop

    package init(database: any ShopDatabase, clock: any StoreClock) {
        shop = Shop(database: database, clock: clock)
    }

    /// A job that was given out.
    package struct Assignment: Sendable, Hashable {
        package let job: StoreJob
        package let holder: String
        package let start: Date
    }

    /// Takes a job.
    ///
    /// - Parameters:
    ///   - period: seconds between two beginnings.
    ///   - holder: names whoever takes it, different from all others.
    /// - Returns: nil where it is not due, or another one has it.
    package func take(
        _ job: StoreJob, every period: TimeInterval, as holder: String
    ) async throws -> Assignment? {
        let now = shop.clock.now()
        // Asked often; only what is due is worth a transaction.
        guard
            try await shop.read({ work in
                try Self.isFree(work.jobs.status(of: job), every: period, at: now)
            })
        else { return nil }
        return try await shop.write { work in
            let status = try work.jobs.status(of: job)
            guard Self.isFree(status, every: period, at: now) else { return nil }
            try work.jobs.save(
                JobLease(
                    holder: holder, leaseEnd: now.addingTimeInterval(Self.lease),
                    last: status?.last), of: job)
            return Assignment(job: job, holder: holder, start: now)
        }
    }

    /// A clock that was set back lets nothing wait: no lease ends later than one that begins now.
    private static func isFree(
        _ status: JobLease?, every period: TimeInterval, at now: Date
    ) -> Bool {
        guard let status else { return true }
        let isLeased =
            status.leaseEnd > now
            && status.leaseEnd <= now.addingTimeInterval(max(lease, patience))
        let isDone = status.last.map { $0 <= now && $0.addingTimeInterval(period) > now }
        return !isLeased && isDone != true
    }

    /// Says that whoever has the job is alive.
    ///
    /// - Returns: false where it was lost to another one.
    package func renew(_ assignment: Assignment) async throws -> Bool {
        let end = shop.clock.now().addingTimeInterval(Self.lease)
        return try await change(assignment) { status in
            JobLease(holder: assignment.holder, leaseEnd: end, last: status.last)
        }
    }

    /// Gives the job back, done; nothing happens where it was lost to another one.
    package func complete(_ assignment: Assignment) async throws {
        let now = shop.clock.now()
        _ = try await change(assignment) { _ in
            JobLease(holder: nil, leaseEnd: now, last: assignment.start)
        }
    }

    /// Gives the job back, not done.
    ///
    /// - Parameter hasFailed: whether it is to rest for a while, instead of going to whoever
    ///   comes.
    package func giveBack(_ assignment: Assignment, hasFailed: Bool) async throws {
        let end = shop.clock.now().addingTimeInterval(hasFailed ? Self.patience : 0)
        _ = try await change(assignment) { status in
            JobLease(holder: nil, leaseEnd: end, last: status.last)
        }
    }

    // MARK: Clock

    /// What was believed of the clock last, or when the last thing happened; `nil` for a new store.
    package func knownTime() async throws -> Date? {
        try await shop.read { work in
            try work.jobs.status(of: .watchingClock)?.last
                ?? work.jobs.lastEvent()
        }
    }

    /// Writes down that the clock was believed.
    ///
    /// - Parameter known: what `knownTime` gave; nothing happens where it is another by now.
    package func believe(_ time: Date, insteadOf known: Date?) async throws {
        try await shop.write { work in
            let last = try work.jobs.status(of: .watchingClock)?.last
            guard last == nil || last == known else { return }
            try work.jobs.save(
                JobLease(holder: nil, leaseEnd: time, last: time), of: .watchingClock)
        }
    }

    private func change(
        _ assignment: Assignment, to next: @escaping @Sendable (JobLease) -> JobLease
    ) async throws -> Bool {
        try await shop.write { work in
            guard let status = try work.jobs.status(of: assignment.job),
                status.holder == assignment.holder
            else { return false }
            try work.jobs.save(next(status), of: assignment.job)
            return true
        }
    }
}

extension UnitOfWork {
    /// Makes a job due at once. If a process is running the job, that process continues.
    func makeDue(_ job: StoreJob) throws {
        guard let status = try jobs.status(of: job) else { return }
        try jobs.save(
            JobLease(
                holder: status.holder, leaseEnd: status.holder == nil ? now : status.leaseEnd,
                last: nil), of: job)
    }
}
