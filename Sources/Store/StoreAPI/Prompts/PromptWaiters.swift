import Foundation
import StoreCore
import Synchronization

/// Devices that wait for their customers, without a thread of their own.
package final class PromptWaiters: Sendable {
    /// How a wait has ended.
    enum End: Sendable {
        /// The prompt may have ended, or the time is over.
        case look
        /// Another request waits for the prompt now: nobody may be there any longer who hears
        /// this one's answer.
        case replaced
    }

    private struct Waiter {
        let number: UInt64
        let resume: @Sendable (End) -> Void
    }

    private struct State {
        var waiters: [PromptID: [Waiter]] = [:]
        var next: UInt64 = 0
        /// How many prompts have ended, as this process knows.
        var endings: UInt64 = 0
        var isEnded = false
    }

    private let state = Mutex(State())

    package init() {}

    /// Whether nobody may wait any longer, because the store is stopping.
    var isEnded: Bool { state.withLock { $0.isEnded } }

    /// How many requests wait at the moment.
    package var count: Int { state.withLock { $0.waiters.values.reduce(0) { $0 + $1.count } } }

    /// To be had before a prompt is read: what ends after the reading is not slept over.
    var mark: UInt64 { state.withLock { $0.endings } }

    package func ended(_ id: PromptID) {
        let waiters = state.withLock { state -> [Waiter] in
            state.endings += 1
            return state.waiters.removeValue(forKey: id) ?? []
        }
        for waiter in waiters { waiter.resume(.look) }
    }

    /// Sends everybody away who waits, and whoever comes later.
    package func end() {
        let waiters = state.withLock { state -> [Waiter] in
            state.isEnded = true
            defer { state.waiters = [:] }
            return state.waiters.values.flatMap { $0 }
        }
        for waiter in waiters { waiter.resume(.look) }
    }

    /// Waits until a prompt has ended, as this process knows it, or the time is over.
    ///
    /// - Parameter mark: returns at once where any has ended since.
    func wait(for id: PromptID, since mark: UInt64, atMost duration: Duration) async -> End {
        await withTaskGroup(of: End.self) { group in
            group.addTask { await self.signal(for: id, since: mark) }
            group.addTask {
                try? await Task.sleep(for: duration)
                return .look
            }
            let end = await group.next() ?? .look
            group.cancelAll()
            return end
        }
    }

    private func signal(for id: PromptID, since mark: UInt64) async -> End {
        let number = state.withLock { state in
            state.next += 1
            return state.next
        }
        return await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let (over, end) = state.withLock { state -> ([Waiter], End) in
                    let waiter = Waiter(number: number) { continuation.resume(returning: $0) }
                    // A cancellation before this has found nothing to end.
                    guard !state.isEnded, state.endings == mark, !Task.isCancelled else {
                        return ([waiter], .look)
                    }
                    let before = state.waiters[id] ?? []
                    state.waiters[id] = [waiter]
                    return (before, .replaced)
                }
                for waiter in over { waiter.resume(end) }
            }
        } onCancel: {
            let waiter = state.withLock { state -> Waiter? in
                guard let index = state.waiters[id]?.firstIndex(where: { $0.number == number })
                else { return nil }
                let waiter = state.waiters[id]?.remove(at: index)
                if state.waiters[id]?.isEmpty == true { state.waiters[id] = nil }
                return waiter
            }
            waiter?.resume(.look)
        }
    }
}
