import Foundation
import StoreCore
import StoreModel
import Synchronization

/// Lets requests wait for events of their account.
///
/// Events may be added by other processes on the same database. As long as somebody waits,
/// the number of the last event is looked at every second, which costs as much as reading
/// one row.
package final class EventHub: Sendable {
    private struct Waiter {
        let account: AccountID
        let seen: DeviceEventID
        let deadline: Date
        let continuation: CheckedContinuation<Void, Never>
    }

    private struct State {
        var waiters: [UInt64: Waiter] = [:]
        var count: UInt64 = 0
        var isTicking = false
        var isStopped = false
    }

    private static let interval: Duration = .seconds(1)

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

    /// Returns when there may be an event of the account behind `seen`, at the deadline, or
    /// when the account was nudged.
    func wait(for account: AccountID, after seen: DeviceEventID, until deadline: Date) async {
        await withCheckedContinuation { continuation in
            let waiter = Waiter(
                account: account, seen: seen, deadline: deadline, continuation: continuation)
            let (isOver, starts) = state.withLock { state -> (Bool, Bool) in
                guard !state.isStopped else { return (true, false) }
                state.count += 1
                state.waiters[state.count] = waiter
                defer { state.isTicking = true }
                return (false, !state.isTicking)
            }
            if isOver { continuation.resume() }
            if starts { Task { await tick() } }
        }
    }

    /// Lets requests of an account look again at once.
    package func nudge(_ account: AccountID) {
        end { $0.account == account }
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
            guard try database.lastEvent() > oldest else { return }
            let changed = try await database.read { try $0.events.accounts(after: oldest) }
            end { waiter in changed[waiter.account].map { $0 > waiter.seen } ?? false }
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
        for waiter in over { waiter.continuation.resume() }
    }
}
