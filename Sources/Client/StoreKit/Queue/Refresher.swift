import Synchronization

/// Brings something up to date in the background, such as the receipt, one request at a time.
///
/// Whoever asks while a request runs gets the next one, together with all others who ask
/// until it begins: a thousand finished transactions make a few requests.
final class Refresher: Sendable {
    private struct State {
        var running: Task<Void, Never>?
        var next: Task<Void, Never>?
    }

    private let state = Mutex(State())

    /// A task that ends when what was asked for after this call has arrived, or could not be had.
    func refresh(_ fetch: @escaping @Sendable () async -> Void) -> Task<Void, Never> {
        state.withLock { state in
            if let next = state.next { return next }
            let running = state.running
            let task = Task { [self] in
                await running?.value
                self.state.withLock { state in
                    state.running = state.next
                    state.next = nil
                }
                await fetch()
            }
            state.next = task
            return task
        }
    }

    /// Returns when nothing runs that was asked for before.
    func end() async {
        let (running, next) = state.withLock { ($0.running, $0.next) }
        await running?.value
        await next?.value
    }
}

extension PaymentEngine {
    /// Brings the receipt up to date before observers are told of what it shows. Nobody
    /// waits long for a store that does not answer.
    func freshenReceipt(_ opened: Opened) async {
        await waitBriefly(for: refreshReceipt(opened.device))
    }

    /// A task that ends when the receipt is up to date, or could not be had.
    @discardableResult
    func refreshReceipt(_ device: StoreDevice) -> Task<Void, Never> {
        receipts.refresh {
            do {
                try await device.refreshReceipt()
            } catch {
                device.log("The receipt could not be brought up to date: \(error)")
            }
        }
    }

    /// Returns when a task has ended, or after `retry.patience`.
    func waitBriefly(for task: Task<Void, Never>) async {
        _ = await withCheckedContinuation { continuation in
            let answer = FirstAnswer(continuation)
            Task {
                await task.value
                answer.give(true)
            }
            Task { [retry] in
                try? await retry.sleep(retry.patience)
                answer.give(false)
            }
        }
    }
}
