import Foundation
import StoreCore
import StoreModel
import Synchronization

/// Lets requests wait for events of their account, and of everybody with their app.
///
/// What this process adds to an account's events wakes who waits for them. Other processes on the same
/// database may add some too: as long as somebody waits, the number of the last event is looked at every
/// second, which costs as much as reading one row.
package final class EventHub: Sendable {
    /// Who waits: of the requests of one app on one device only the newest, for the older
    /// ones have nobody left who hears them.
    struct Subscriber: Hashable, Sendable {
        let account: AccountID
        let app: AppID
        let environment: StoreEnvironment
        let device: String

        var place: AppScope { AppScope(app: app, environment: environment) }
    }

    /// How a wait has ended.
    enum End: Sendable {
        /// There may be something, or the time is over.
        case look
        /// Another request waits now, or too many do.
        case leave
    }

    private struct Waiter {
        let subscriber: Subscriber
        let seen: DeviceEventID
        let deadline: Date
        let continuation: CheckedContinuation<End, Never>
    }

    private struct State {
        /// By account: each purchase asks for those of one.
        private(set) var waiters: [AccountID: [Subscriber: Waiter]] = [:]
        private(set) var count = 0
        var isTicking = false
        var isStopped = false
        var nudged = LatestNudges()

        func waiter(_ subscriber: Subscriber) -> Waiter? {
            waiters[subscriber.account]?[subscriber]
        }

        /// - Returns: the one before it.
        mutating func insert(_ waiter: Waiter) -> Waiter? {
            let subscriber = waiter.subscriber
            let before = waiters[subscriber.account, default: [:]]
                .updateValue(waiter, forKey: subscriber)
            if before == nil { count += 1 }
            return before
        }

        mutating func remove(of account: AccountID, _ isOver: (Waiter) -> Bool) -> [Waiter] {
            guard let there = waiters[account] else { return [] }
            let left = there.filter { !isOver($0.value) }
            guard left.count < there.count else { return [] }
            waiters[account] = left.isEmpty ? nil : left
            count -= there.count - left.count
            return there.filter { left[$0.key] == nil }.map(\.value)
        }
    }

    private static let interval: Duration = .seconds(1)
    /// So many may wait, fewer than there are connections: those who buy need some too.
    /// Whoever comes when all places are taken is answered at once.
    static let capacity = 3072

    private let database: any ShopDatabase
    private let clock: any StoreClock
    private let sleep: @Sendable (Duration) async throws -> Void
    private let state = Mutex(State())

    /// - Parameter sleep: waits between two looks.
    package init(
        database: any ShopDatabase, clock: any StoreClock,
        sleep: @escaping @Sendable (Duration) async throws -> Void = {
            try await Task.sleep(for: $0)
        }
    ) {
        self.database = database
        self.clock = clock
        self.sleep = sleep
        database.whenDevicesHaveNews { [weak self] accounts in
            for account in accounts { self?.nudge(account) }
        }
    }

    /// Whether anybody may wait.
    var isOpen: Bool { state.withLock { !$0.isStopped } }

    /// How many requests wait.
    package var waiting: Int { state.withLock { $0.count } }

    /// How many nudges there were until now. A request reads it before it looks for events, and gives it
    /// to `wait`.
    var nudges: Int { state.withLock { $0.nudged.count } }

    /// Returns when there may be an event for the account behind `seen`, at the deadline, or
    /// when the account was nudged.
    ///
    /// - Parameter nudges: what `nudges` was before the request looked. Who was nudged since looks again
    ///   at once.
    func wait(
        _ subscriber: Subscriber, after seen: DeviceEventID, nudges: Int, until deadline: Date
    ) async -> End {
        await withCheckedContinuation { continuation in
            let waiter = Waiter(
                subscriber: subscriber, seen: seen, deadline: deadline,
                continuation: continuation)
            // Who is not to wait: this one, or the one before it, which nobody hears any more.
            let (over, end, starts) = state.withLock { state -> (Waiter?, End, Bool) in
                let isKnown = state.waiter(subscriber) != nil
                guard !state.isStopped, isKnown || state.count < Self.capacity else {
                    return (waiter, .leave, false)
                }
                guard !state.nudged.holds(subscriber, since: nudges) else {
                    return (waiter, .look, false)
                }
                let before = state.insert(waiter)
                defer { state.isTicking = true }
                return (before, .leave, !state.isTicking)
            }
            over?.continuation.resume(returning: end)
            if starts { Task { await tick() } }
        }
    }

    /// Lets requests of an account look again at once.
    ///
    /// - Parameter device: whose requests need not; nil for none.
    package func nudge(_ account: AccountID, except device: String? = nil) {
        let over = state.withLock { state in
            state.nudged.append(account, except: device)
            return state.remove(of: account) { $0.subscriber.device != device }
        }
        for waiter in over { waiter.continuation.resume(returning: .look) }
    }

    /// Lets all look again, and nobody wait any more: the store is stopping.
    package func stop() {
        state.withLock { $0.isStopped = true }
        end { _ in true }
    }

    /// Looks for events until nobody waits.
    private func tick() async {
        while true {
            try? await sleep(Self.interval)
            await look()
            let isDone = state.withLock { state -> Bool in
                guard state.waiters.isEmpty else { return false }
                state.isTicking = false
                return true
            }
            if isDone { return }
        }
    }

    private func look() async {
        let now = clock.now()
        end { $0.deadline <= now }
        let seen = state.withLock { state in
            state.waiters.values.lazy.compactMap { $0.values.lazy.map(\.seen).min() }.min()
        }
        guard let oldest = seen else { return }
        do {
            guard try await database.lastEvent() > oldest else { return }
            let latest = try await database.read { try $0.events.latest(after: oldest) }
            end { waiter in
                let subscriber = waiter.subscriber
                let last = latest.last(of: subscriber.account, at: subscriber.place)
                return last.map { $0 > waiter.seen } ?? false
            }
        } catch {
            // Each request finds out by itself what is wrong.
            end { _ in true }
        }
    }

    private func end(_ isOver: (Waiter) -> Bool) {
        let over = state.withLock { state -> [Waiter] in
            let accounts = Array(state.waiters.keys)
            return accounts.flatMap { state.remove(of: $0, isOver) }
        }
        for waiter in over { waiter.continuation.resume(returning: .look) }
    }
}

/// The latest nudges, for requests that have looked and do not wait yet.
private struct LatestNudges {
    /// Seconds' worth of purchases; who looks for longer than that looks again.
    private static let capacity = 4096

    private(set) var count = 0
    private var latest: [(account: AccountID, except: String?)] = []

    mutating func append(_ account: AccountID, except device: String?) {
        if latest.count < Self.capacity {
            latest.append((account, device))
        } else {
            latest[count % Self.capacity] = (account, device)
        }
        count += 1
    }

    /// Whether one of those behind the first `count` was for a subscriber.
    func holds(_ subscriber: EventHub.Subscriber, since count: Int) -> Bool {
        guard count < self.count else { return false }
        guard self.count - count <= latest.count else { return true }
        return (count..<self.count).contains { number in
            let (account, device) = latest[number % Self.capacity]
            return account == subscriber.account && device != subscriber.device
        }
    }
}
