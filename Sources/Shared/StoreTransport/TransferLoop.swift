import Foundation
import Synchronization

/// A thread on which libcurl carries transfers, over connections that they share.
///
/// The thread starts with the first transfer, waits without a tick, and ends with the loop.
final class TransferLoop: Sendable {
    private let configuration: HTTPClient.Configuration
    private let core: Mutex<LoopCore?> = Mutex(nil)

    init(_ configuration: HTTPClient.Configuration) {
        self.configuration = configuration
    }

    deinit {
        core.withLock { $0 }?.stop()
    }

    /// Sends a request.
    ///
    /// - Parameters:
    ///   - accept: sees the response's header; what it throws ends the transfer.
    ///   - sink: gets the pieces in order; what it throws ends the transfer. While it works,
    ///     nothing else on this thread goes on.
    /// - Throws: what `accept` or `sink` throw, else `TransportError`.
    func run(
        _ request: TransportRequest,
        accept: @escaping @Sendable (TransportResponse) throws -> Void,
        sink: @escaping @Sendable (UnsafeRawBufferPointer) throws -> Void
    ) async throws -> TransportResponse {
        let core = try started()
        let id = core.identifier()
        return try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                core.add(
                    LoopCore.Order(id: id, end: { continuation.resume(with: $0) }) {
                        [configuration] in
                        try Transfer(request, configuration, id: id, accept: accept, sink: sink)
                    })
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
            let fresh = LoopCore(try CurlConnections())
            core = fresh
            let thread = Thread { fresh.run() }
            thread.name = configuration.threadName
            thread.start()
            return fresh
        }
    }
}

/// What the thread and those who give it work share.
private final class LoopCore: @unchecked Sendable {
    // Sendable: `running` is used by the loop's thread only; of `connections` others use wakeUp
    // only; what they leave is behind the lock.
    struct Order: Sendable {
        let id: Int
        /// Hears how it has ended, once.
        let end: @Sendable (Result<TransportResponse, any Error>) -> Void
        /// Makes the transfer on the thread that carries it.
        let make: @Sendable () throws -> Transfer
    }

    private struct Mail {
        var added: [Order] = []
        var cancelled: Set<Int> = []
        var isStopped = false
    }

    private let connections: CurlConnections
    private let mail = Mutex(Mail())
    private let count = Atomic(0)
    private var running: [Int: (transfer: Transfer, order: Order)] = [:]

    init(_ connections: CurlConnections) {
        self.connections = connections
    }

    func identifier() -> Int { count.wrappingAdd(1, ordering: .relaxed).oldValue }

    func add(_ order: Order) {
        leave { $0.added.append(order) }
    }

    func cancel(_ id: Int) {
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
            connections.wakeUp()
        }
    }

    func run() {
        while takeMail() {
            _ = connections.advance()
            while let (transfer, result) = connections.nextEnded() {
                end(transfer.id) { transfer.outcome(of: result) }
            }
            // Whoever leaves mail wakes it up.
            connections.wait(milliseconds: 600_000)
        }
        for id in running.keys { end(id) { .failure(TransportError.cancellation) } }
    }

    /// - Returns: false if the loop is to end.
    private func takeMail() -> Bool {
        let mail = mail.withLock { mail in
            defer {
                mail.added = []
                mail.cancelled = []
            }
            return mail
        }
        for order in mail.added { begin(order) }
        for id in mail.cancelled { end(id) { .failure(TransportError.cancellation) } }
        return !mail.isStopped
    }

    private func begin(_ order: Order) {
        do {
            let transfer = try order.make()
            guard connections.add(transfer) else { throw TransportError.noMemory }
            running[order.id] = (transfer, order)
        } catch {
            order.end(.failure(error))
        }
    }

    private func end(_ id: Int, _ result: () -> Result<TransportResponse, any Error>) {
        guard let (transfer, order) = running.removeValue(forKey: id) else { return }
        connections.remove(transfer)
        order.end(result())
    }
}
