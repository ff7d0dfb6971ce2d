import Foundation
import StoreCore
import StoreModel
import Synchronization

/// Lets requests wait for events of their account, and of everybody with their app.
///
/// Events may be added by other processes on the same database. As long as somebody waits,
/// the number of the last event is looked at every second, which costs as much as reading
/// one row.
package final class EventHub: Sendable {
    /// Who waits: of the requests of one app on one device only the newest, for the older
    /// ones have nobody left who hears them.
    struct Subscriber: Hashable, Sendable {
        let account: AccountID
        let app: AppID
        let environment: StoreEnvironment
        let device: String

        var place: DeviceNews.Place { DeviceNews.Place(app: app, environment: environment) }
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
        var waiters: [Subscriber: Waiter] = [:]
        var isTicking = false
        var isStopped = false
    }

    private static let interval: Duration = .seconds(1)
    /// So many may wait, fewer than there are connections: those who buy need some too.
    /// Whoever comes when all places are taken is answered at once.
    static let capacity = 3072

    private let database: any StoreDatabase
    private let clock: any StoreClock
    private let sleep: @Sendable (Duration) async throws -> Void
    private let state = Mutex(State())

    /// - Parameter sleep: waits between two looks.
    package init(
        database: any StoreDatabase, clock: any StoreClock,
        sleep: @escaping @Sendable (Duration) async throws -> Void = {
            try await Task.sleep(for: $0)
        }
    ) {
        self.database = database
        self.clock = clock
        self.sleep = sleep
    }

    /// Whether anybody may wait.
    var isOpen: Bool { state.withLock { !$0.isStopped } }

    /// How many requests wait.
    package var waiting: Int { state.withLock { $0.waiters.count } }

    /// Returns when there may be an event for the account behind `seen`, at the deadline, or
    /// when the account was nudged.
    func wait(
        _ subscriber: Subscriber, after seen: DeviceEventID, until deadline: Date
    ) async -> End {
        await withCheckedContinuation { continuation in
            let waiter = Waiter(
                subscriber: subscriber, seen: seen, deadline: deadline,
                continuation: continuation)
            let (over, starts) = state.withLock { state -> (Waiter?, Bool) in
                let isKnown = state.waiters[subscriber] != nil
                guard !state.isStopped, isKnown || state.waiters.count < Self.capacity else {
                    return (waiter, false)
                }
                let before = state.waiters.updateValue(waiter, forKey: subscriber)
                defer { state.isTicking = true }
                return (before, !state.isTicking)
            }
            over?.continuation.resume(returning: .leave)
            if starts { Task { await tick() } }
        }
    }

    /// Lets requests of an account look again at once.
    package func nudge(_ account: AccountID) {
        end { $0.subscriber.account == account }
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
        guard let oldest = state.withLock({ $0.waiters.values.map(\.seen).min() }) else { return }
        do {
            guard try await database.lastEvent() > oldest else { return }
            let news = try await database.read { try $0.events.news(after: oldest) }
            end { waiter in
                let subscriber = waiter.subscriber
                let last = news.last(of: subscriber.account, at: subscriber.place)
                return last.map { $0 > waiter.seen } ?? false
            }
        } catch {
            // Each request finds out by itself what is wrong.
            end { _ in true }
        }
    }

    private func end(_ isOver: (Waiter) -> Bool) {
        let over = state.withLock { state -> [Waiter] in
            let keys = state.waiters.filter { isOver($0.value) }.map(\.key)
            return keys.compactMap { state.waiters.removeValue(forKey: $0) }
        }
        for waiter in over { waiter.continuation.resume(returning: .look) }
    }
}
