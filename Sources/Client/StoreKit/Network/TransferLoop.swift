import CStoreCurl
import FoundationNetworking
import StoreSecurity
import Synchronization

/// A thread on which libcurl carries transfers, over connections that they share.
///
/// The thread starts with the first transfer, waits without a tick, and ends with the loop.
final class TransferLoop: Sendable {
    private let core: Mutex<LoopCore?> = Mutex(nil)

    init() {}

    deinit {
        core.withLock { $0 }?.stop()
    }

    /// Sends a request.
    ///
    /// - Parameters:
    ///   - pace: how slow the answer may be; its size is the sink's to count.
    ///   - accept: sees the header of the answer; what it throws ends the transfer.
    ///   - sink: gets the pieces in order; what it throws ends the transfer. While it works,
    ///     nothing else on this thread goes on.
    /// - Throws: what `accept` or `sink` throw, else `URLError`.
    func run(
        _ request: URLRequest, pace: TransferPace,
        accept: @escaping @Sendable (HTTPURLResponse) throws -> Void,
        sink: @escaping @Sendable (Data) throws -> Void
    ) async throws {
        let core = try started()
        let id = UUID()
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                core.add(id) {
                    Transfer(request, pace: pace, accept: accept, sink: sink) {
                        continuation.resume(with: $0)
                    }
                }
                // A cancellation before `add` has found nothing to end.
                if Task.isCancelled { core.cancel(id) }
            }
        } onCancel: {
            core.cancel(id)
        }
    }

    private func started() throws -> LoopCore {
        try core.withLock { core in
            if let core { return core }
            let fresh = try LoopCore()
            core = fresh
            let thread = Thread { fresh.run() }
            thread.name = "StoreKit transfers"
            thread.start()
            return fresh
        }
    }
}

/// What the thread and those who give it work share.
private final class LoopCore: @unchecked Sendable {
    // Sendable: `multi` and `running` are used by the loop's thread only, but for
    // curl_multi_wakeup, which any thread may call; what others leave is behind the lock.
    private struct Mail {
        var added: [(id: UUID, make: @Sendable () -> Transfer)] = []
        var cancelled: Set<UUID> = []
        var isStopped = false
    }

    private let multi: OpaquePointer
    private let mail = Mutex(Mail())
    private var running: [UUID: Transfer] = [:]

    private static let isReady: Bool = {
        OpenSSLLibrary.ready
        return curl_global_init(Int(CURL_GLOBAL_DEFAULT)) == CURLE_OK
    }()

    init() throws {
        guard Self.isReady, let multi = curl_multi_init() else {
            throw URLError(.cannotLoadFromNetwork)
        }
        self.multi = OpaquePointer(multi)
    }

    func add(_ id: UUID, _ make: @escaping @Sendable () -> Transfer) {
        leave { $0.added.append((id, make)) }
    }

    func cancel(_ id: UUID) {
        leave { $0.cancelled.insert(id) }
    }

    func stop() {
        leave { $0.isStopped = true }
    }

    private func leave(_ change: (inout Mail) -> Void) {
        mail.withLock { mail in
            // Behind the end there is nobody to wake.
            guard !mail.isStopped else { return }
            change(&mail)
            curl_multi_wakeup(UnsafeMutableRawPointer(multi))
        }
    }

    func run() {
        let multi = UnsafeMutableRawPointer(self.multi)
        while takeMail(multi) {
            var count: Int32 = 0
            curl_multi_perform(multi, &count)
            var result = CURLE_OK
            while let handle = cstore_curl_ended(multi, &result) { ended(handle, result, multi) }
            // Whoever leaves mail wakes it up.
            curl_multi_poll(multi, nil, 0, 600_000, nil)
        }
        for transfer in running.values {
            curl_multi_remove_handle(multi, transfer.handle)
            transfer.finish(.failure(URLError(.cancelled)))
        }
        running = [:]
        curl_multi_cleanup(multi)
    }

    /// - Returns: false where the loop is to end.
    private func takeMail(_ multi: UnsafeMutableRawPointer) -> Bool {
        let mail = mail.withLock { mail in
            defer {
                mail.added = []
                mail.cancelled = []
            }
            return mail
        }
        for (id, make) in mail.added {
            let transfer = make()
            running[id] = transfer
            transfer.prepare(id)
            if curl_multi_add_handle(multi, transfer.handle) != CURLM_OK {
                running[id] = nil
                transfer.finish(.failure(URLError(.cannotLoadFromNetwork)))
            }
        }
        for id in mail.cancelled {
            guard let transfer = running.removeValue(forKey: id) else { continue }
            curl_multi_remove_handle(multi, transfer.handle)
            transfer.finish(.failure(URLError(.cancelled)))
        }
        return !mail.isStopped
    }

    private func ended(
        _ handle: UnsafeMutableRawPointer, _ result: CURLcode, _ multi: UnsafeMutableRawPointer
    ) {
        guard let (id, transfer) = running.first(where: { $0.value.handle == handle }) else {
            return
        }
        running[id] = nil
        curl_multi_remove_handle(multi, handle)
        transfer.finish(transfer.outcome(of: result))
    }
}
