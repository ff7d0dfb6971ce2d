import Foundation
import StoreCore
import StoreKernel

/// What a running store does by itself: processing packages, sending notifications, ranking items,
/// collecting and forgetting what nobody needs, renewing subscriptions and certificates, deciding on refunds,
/// testing how fast publishers' servers are, and exporting the partner feed.
///
/// What charges, decides or deletes stops while the clock can't be believed (`ClockWatch`).
package struct StoreJobs: Sendable {
    /// Packages and partners of the feed that other processes left are looked for so often.
    private static let look: Duration = .seconds(2)
    /// Subscriptions and requests become due at any moment.
    private static let second: Duration = .seconds(1)
    private static let hour: Duration = .seconds(3600)
    private static let day: Duration = .seconds(86_400)
    /// Seconds.
    private static let daily: TimeInterval = 86_400
    /// Seconds. Exports of the partner feed become due with a day's beginning.
    private static let quarterHour: TimeInterval = 900

    private let store: Store
    private let address: String?
    private let processor: ContentProcessor
    private let feed: FeedJob?
    package let delivery: NotificationDelivery
    private let performance: PerformanceTesting
    private let runner: JobRunner
    private let failures = FailureLogThrottle()
    /// An RSA key takes longer than a task may.
    private let keyMaking = BlockingPool("store-keys", threads: 1)
    private let sleep: @Sendable (Duration) async throws -> Void

    /// - Parameters:
    ///   - address: scheme and host at which customers reach the store, for certificates and for links in
    ///     the partner feed; nil makes no exports.
    ///   - publishers: the way to publishers' servers; nil for the usual one.
    ///   - sleep: waits between two looks.
    package init(
        store: Store, address: String? = nil, publishers: (any PublisherConnection)? = nil,
        sleep: @escaping @Sendable (Duration) async throws -> Void = {
            try await Task.sleep(for: $0)
        }
    ) {
        self.store = store
        self.address = address
        self.processor = ContentProcessor(store: store, sleep: sleep)
        self.feed = address.map { FeedJob(store: store, address: $0) }
        let connection =
            publishers ?? WebhookClient(targets: store.services.notificationTargets)
        self.delivery = NotificationDelivery(
            store: store, connection: connection, sleep: sleep)
        self.performance = PerformanceTesting(
            services: store.services, connection: connection, sleep: sleep)
        self.runner = JobRunner(
            jobs: JobService(database: store.database, clock: store.clock), log: store.log,
            metrics: store.jobMetrics, sleep: sleep)
        self.sleep = sleep
    }

    /// Runs until its task is cancelled; returns when nothing is at work any more.
    package func run() async {
        await withTaskGroup(of: Void.self) { group in
            group.addTask { await again(every: Self.look) { store.uploadSignal.send() } }
            group.addTask {
                for await _ in store.uploadSignal.signals {
                    await attempt(.processingContent) { try await processor.processWaiting() }
                }
            }
            group.addTask { await again(every: Self.second) { await doWhatIsDue() } }
            group.addTask {
                await again(every: Self.second) {
                    await attempt(.testingServers) { try await performance.runWaiting() }
                }
            }
            group.addTask {
                // So often because the clock may be believed again at any time.
                await again(every: Self.hour) {
                    await attempt(.renewingCertificates) { try await renewCertificates() }
                }
            }
            // Each process has a folder of its own; the bytes of content are one's for all.
            group.addTask {
                await again(every: Self.day) {
                    await attempt(.cleaningTemporary) {
                        store.cleanTemporary(at: try await store.believedTime())
                    }
                }
            }
            group.addTask { await delivery.run(signal: store.notificationSignal) }
            for (job, work) in daily {
                group.addTask { await runner.run(job, every: Self.daily, work) }
            }
            if let feed {
                group.addTask {
                    await runner.run(.exportingFeed, every: Self.quarterHour, look: Self.look) {
                        _ = try await store.believedTime()
                        try await feed.runIfDue()
                    }
                }
            }
        }
    }

    private func again(every pause: Duration, _ work: () async -> Void) async {
        while !Task.isCancelled {
            await work()
            try? await sleep(pause)
        }
    }

    /// Renews what is to be renewed, and decides what waits for a decision.
    private func doWhatIsDue() async {
        let services = store.services
        await attempt(.renewingSubscriptions) {
            try await services.renewals.advance { try await store.clockWatch.time() }
        }
        await attempt(.extendingSubscriptions) { try await services.extensions.advance() }
        await attempt(.decidingOnRefunds) {
            try await services.refunds.advance { try await store.clockWatch.time() }
        }
    }

    /// What one of all servers of the store does once a day.
    private var daily: [(StoreJob, @Sendable () async throws -> Void)] {
        [
            (.listingApps, { _ = try await store.services.items.listApps() }),
            (.rankingItems, { try await rank() }),
            (.collectingContent, { try await collect() }),
            (.forgettingNotifications, { try await forget() }),
        ]
    }

    private func collect() async throws {
        let report = try await store.collect(.standard, at: try await store.believedTime())
        store.log.write(
            .info, .contentCollected,
            [
                "versions": "\(report.versions.count)", "files": "\(report.files)",
                "bytes": "\(report.bytes)", "uploads": "\(report.uploads)",
            ])
    }

    private func forget() async throws {
        let now = try await store.believedTime()
        try await store.services.purchases.forget(at: now)
        let count = try await store.services.notifications.forget(at: now)
        guard count > 0 else { return }
        store.log.write(.info, .notificationsForgotten, ["count": "\(count)"])
    }

    private func renewCertificates() async throws {
        try await store.renewCertificates(answeringAt: address)
        let made = try await keyMaking.run { [store] in try store.keys.prepareReceipts() }
        if let made { store.logIssued(made) }
    }

    private func rank() async throws {
        let changed = try await PopularityService(database: store.database, clock: store.clock)
            .recompute()
        store.log.write(.info, .itemsRanked, ["changed": "\(changed)"])
    }

    private func attempt<Value>(_ task: StoreTask, _ body: () async throws -> Value) async {
        let what = task.rawValue
        let start = ContinuousClock.now
        do {
            _ = try await body()
            store.jobMetrics.add(what, took: ContinuousClock.now - start, failed: false)
            if failures.end(of: what) { store.log.write(.info, .jobRecovered, ["job": what]) }
        } catch is CancellationError {
            return
        } catch {
            store.jobMetrics.add(what, took: ContinuousClock.now - start, failed: true)
            let reason = String(describing: error)
            guard failures.isWorthTelling(what, reason, at: store.clock.now()) else { return }
            store.log.write(.error, .jobFailed, ["job": what, "reason": reason])
        }
    }
}
