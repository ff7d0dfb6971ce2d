/// Waits that end when a step says so, not when time has passed.
final class Timers: @unchecked Sendable {
    // Sendable: touched by the one thread that runs jobs.
    enum Kind: Sendable {
        /// Until something is tried again.
        case retry
        /// Until somebody looks whether there is something to do.
        case idle
    }

    private struct Wait {
        let number: Int
        let owner: JobOwner
        let kind: Kind
        let continuation: UnsafeContinuation<Void, any Error>
    }

    private let pool: JobPool
    private var waits: [Wait] = []
    private var count = 0

    init(pool: JobPool) {
        self.pool = pool
    }

    func count(_ kind: Kind, of owner: JobOwner) -> Int {
        waits.count { $0.kind == kind && $0.owner == owner }
    }

    /// Waits.
    ///
    /// - Throws: `CancellationError` where the task is cancelled.
    func wait(_ kind: Kind) async throws {
        count += 1
        let number = count
        try await withTaskCancellationHandler {
            try await withUnsafeThrowingContinuation {
                (continuation: UnsafeContinuation<Void, any Error>) in
                guard !Task.isCancelled else {
                    continuation.resume(throwing: CancellationError())
                    return
                }
                waits.append(
                    Wait(number: number, owner: pool.owner, kind: kind, continuation: continuation))
            }
        } onCancel: {
            guard let index = waits.firstIndex(where: { $0.number == number }) else { return }
            waits.remove(at: index).continuation.resume(throwing: CancellationError())
        }
    }

    /// Ends one of the waits of a kind.
    func fire(_ kind: Kind, of owner: JobOwner, at index: Int) {
        let found = waits.indices.filter { waits[$0].kind == kind && waits[$0].owner == owner }
        let wait = waits.remove(at: found[index])
        pool.acting(as: owner) { wait.continuation.resume() }
    }

    /// Forgets the waits of a launch that has ended.
    func forget(_ owner: JobOwner) {
        waits.removeAll { $0.owner == owner }
    }
}
