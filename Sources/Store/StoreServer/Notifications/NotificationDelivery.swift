import Foundation
import StoreAPI
import StoreCore
import Synchronization

/// Sends publishers' servers what the outbox holds for them.
///
/// At least once: what was sent when the process ended, and not written down, is sent again. So
/// many at once go to one server and so many to all, so that a slow one keeps nobody waiting but
/// itself.
package final class NotificationDelivery: Sendable {
    /// How much goes on at once. To a server that has not answered in time, it is one.
    package struct Limits: Sendable {
        package var lane: Int
        package var all: Int

        package init(lane: Int = 4, all: Int = 128) {
            self.lane = lane
            self.all = all
        }
    }

    /// What other processes wrote is looked for so often.
    private static let look: Duration = .seconds(1)

    private let dispatch: NotificationDispatch
    private let signer: NotificationSigner
    private let connection: any PublisherConnection
    private let limits: Limits
    private let clock: any StoreClock
    private let log: EventLog
    private let sleep: @Sendable (Duration) async throws -> Void
    private let traffic = Mutex(Traffic())
    private let failures = FailureLogThrottle()

    /// So often `settle` looks anew: whoever takes what is due, and never answers, ends it.
    private static let mostRounds = 100

    /// What is under way.
    private struct Traffic {
        var counts: [AppScope: Int] = [:]
        /// Those that have not answered in time when they were last sent something.
        var slow: Set<AppScope> = []
        var all = 0
        /// How many look for what is due.
        var looking = 0
        /// Who waits for nothing to be under way.
        var waiting: [CheckedContinuation<Void, Never>] = []

        func room(_ lane: AppScope, _ limits: Limits) -> Int {
            (slow.contains(lane) ? 1 : limits.lane) - counts[lane, default: 0]
        }

        mutating func begin(_ lane: AppScope) {
            counts[lane, default: 0] += 1
            all += 1
        }

        /// - Returns: those who need wait no longer.
        mutating func end(_ lane: AppScope) -> [CheckedContinuation<Void, Never>] {
            let left = counts[lane, default: 1] - 1
            counts[lane] = left > 0 ? left : nil
            all -= 1
            return free()
        }

        var isIdle: Bool { all == 0 && looking == 0 }

        /// - Returns: those who need wait no longer.
        mutating func free() -> [CheckedContinuation<Void, Never>] {
            guard isIdle else { return [] }
            defer { waiting = [] }
            return waiting
        }
    }

    package init(
        store: Store, connection: any PublisherConnection, limits: Limits = Limits(),
        sleep: @escaping @Sendable (Duration) async throws -> Void = {
            try await Task.sleep(for: $0)
        }
    ) {
        self.dispatch = NotificationDispatch(
            database: store.database, clock: store.clock,
            setAside: { [log = store.log] id, reason in
                log.write(
                    .error, .notificationSetAside,
                    ["id": "\(id)", "reason": reason])
            })
        self.signer = store.services.notificationSigner
        self.connection = connection
        self.limits = limits
        self.clock = store.clock
        self.log = store.log
        self.sleep = sleep
    }

    /// Sends what is due, and what becomes due, until its task is cancelled.
    ///
    /// - Parameter signal: rings where something was written.
    package func run(signal: WakeSignal) async {
        await withTaskGroup(of: Void.self) { group in
            group.addTask { [sleep] in
                while !Task.isCancelled {
                    signal.send()
                    try? await sleep(Self.look)
                }
            }
            group.addTask { [self] in
                await withDiscardingTaskGroup { sending in
                    for await _ in signal.signals {
                        for assignment in await next() {
                            sending.addTask { [self] in
                                await carryOut(assignment)
                                signal.send()
                            }
                        }
                    }
                }
            }
        }
    }

    /// Sends everything that is due now, and returns when it was sent.
    package func sendDue() async {
        await withTaskGroup(of: Void.self) { group in
            var count = 0
            while !Task.isCancelled {
                for assignment in await next() {
                    count += 1
                    group.addTask { [self] in await carryOut(assignment) }
                }
                guard count > 0 else { return }
                await group.next()
                count -= 1
            }
        }
    }

    /// Sends everything that is due now, beside `run` too, and returns when nothing is under way.
    package func settle() async {
        for _ in 0..<Self.mostRounds {
            await sendDue()
            await idle()
            guard (try? await dispatch.isAnythingDue()) ?? false else { return }
        }
    }

    /// Returns when nothing is under way.
    private func idle() async {
        await withCheckedContinuation { continuation in
            let isIdle = traffic.withLock { traffic in
                if !traffic.isIdle { traffic.waiting.append(continuation) }
                return traffic.isIdle
            }
            if isIdle { continuation.resume() }
        }
    }

    /// Takes what there is room for.
    private func next() async -> [NotificationDispatch.Assignment] {
        let task = StoreTask.sendingNotifications.rawValue
        traffic.withLock { $0.looking += 1 }
        defer {
            let waiting = traffic.withLock { traffic in
                traffic.looking -= 1
                return traffic.free()
            }
            for waiting in waiting { waiting.resume() }
        }
        do {
            let isAnythingDue = try await dispatch.isAnythingDue()
            if failures.end(of: task) { log.write(.info, .jobRecovered, ["job": task]) }
            guard isAnythingDue else { return [] }
            let limit = traffic.withLock { limits.all - $0.all }
            let taken = try await dispatch.take(limit: limit) { [self] lane in
                traffic.withLock { $0.room(lane, limits) }
            }
            traffic.withLock { traffic in
                for assignment in taken { traffic.begin(assignment.notification.lane) }
            }
            return taken
        } catch {
            let reason = String(describing: error)
            if failures.isWorthTelling(task, reason, at: clock.now()) {
                log.write(.error, .jobFailed, ["job": task, "reason": reason])
            }
            return []
        }
    }

    private func carryOut(_ assignment: NotificationDispatch.Assignment) async {
        let lane = assignment.notification.lane
        defer {
            for waiting in traffic.withLock({ $0.end(lane) }) { waiting.resume() }
        }
        do {
            let start = clock.now()
            let began = ContinuousClock.now
            guard let outcome = await send(assignment) else {
                try await dispatch.giveBack(assignment)
                return
            }
            traffic.withLock { traffic in
                if outcome.result == .timedOut {
                    traffic.slow.insert(lane)
                } else {
                    traffic.slow.remove(lane)
                }
            }
            try await dispatch.record(
                outcome, of: assignment, start: start, duration: began.duration(to: .now))
            log.write(
                outcome.result == .success ? .info : .warning, .notification,
                [
                    "uuid": assignment.notification.uuid,
                    "type": assignment.notification.details.type.rawValue,
                    "result": outcome.result.rawValue,
                    "status": outcome.status.map { "\($0)" } ?? "-",
                ])
        } catch {
            // It is sent again when the time is over for which it was given out.
            log.write(
                .error, .attemptNotRecorded,
                ["uuid": assignment.notification.uuid, "reason": "\(error)"])
        }
    }

    private func send(_ assignment: NotificationDispatch.Assignment) async -> SendOutcome? {
        guard let url = assignment.url else {
            return SendOutcome(
                .other, detail: "The app has no URL for notifications in this environment.")
        }
        let body: Data
        do {
            body = try signer.body(of: assignment.content)
        } catch {
            log.write(
                .error, .notificationNotSigned,
                ["uuid": assignment.notification.uuid, "reason": "\(error)"])
            return SendOutcome(.other, detail: "The store could not sign the notification.")
        }
        return await connection.post(body, to: url)
    }
}
