import Foundation
import StoreCore
import Synchronization

/// The health check behind `/readyz`: whether a store can read, write and reach its content.
final class Readiness: Sendable {
    /// What is looked at.
    enum Check: String, Sendable, CaseIterable {
        case databaseRead
        case databaseWrite
        case content
        /// Whether the store goes on, and does not stop.
        case serving
    }

    /// A look is good for so long: whoever asks more often gets the one before.
    private static let age: Duration = .seconds(1)
    /// What takes longer is as good as broken.
    static let patience: Duration = .seconds(5)

    private struct State {
        var look: Task<[Check: Bool], Never>?
        var began: ContinuousClock.Instant?
        var isStopping = false
        /// Checks that did not come back.
        var stuck: Set<Check> = []
    }

    private let store: Store
    private let patience: Duration
    private let state = Mutex(State())

    init(store: Store, patience: Duration = Readiness.patience) {
        self.store = store
        self.patience = patience
    }

    /// The store is about to stop.
    func stop() { state.withLock { $0.isStopping = true } }

    /// What works.
    func report() async -> [Check: Bool] {
        let now = ContinuousClock.now
        let look = state.withLock { state -> Task<[Check: Bool], Never> in
            if let look = state.look, let began = state.began, now - began < Self.age {
                return look
            }
            let look = Task { await self.look() }
            state.look = look
            state.began = now
            return look
        }
        var report = await look.value
        report[.serving] = state.withLock { !$0.isStopping }
        return report
    }

    /// Looks at everything now.
    func look() async -> [Check: Bool] {
        let store = store
        async let read = passes(.databaseRead) {
            _ = try await store.database.read { try $0.catalog.generation() }
        }
        // Waits for its turn as any purchase does, and writes nothing.
        async let write = passes(.databaseWrite) {
            try await store.database.write { _ in }
        }
        async let content = passes(.content) { try await store.reachContent() }
        return await [.databaseRead: read, .databaseWrite: write, .content: content]
    }

    /// Whether something is done, without an error and in time. What hangs is not begun again.
    private func passes(
        _ check: Check, _ body: @escaping @Sendable () async throws -> Void
    ) async -> Bool {
        let isStuck = state.withLock { !$0.stuck.insert(check).inserted }
        if isStuck { return false }
        let patience = patience
        return await withCheckedContinuation { continuation in
            let answer = Answer(continuation)
            Task {
                let isDone: Void? = try? await body()
                self.state.withLock { _ = $0.stuck.remove(check) }
                answer.give(isDone != nil)
            }
            Task {
                try? await Task.sleep(for: patience)
                answer.give(false)
            }
        }
    }

    /// Answered once, by whoever is first.
    private final class Answer: Sendable {
        private let waiting: Mutex<CheckedContinuation<Bool, Never>?>

        init(_ continuation: CheckedContinuation<Bool, Never>) {
            waiting = Mutex(continuation)
        }

        func give(_ value: Bool) {
            waiting.withLock { $0.take() }?.resume(returning: value)
        }
    }
}

extension Store {
    /// Looks whether content can be read.
    ///
    /// - Throws: what is wrong with the folder, or the bucket.
    fileprivate func reachContent() async throws {
        if let objects {
            try await objects.content.apart { try objects.reach() }
            return
        }
        let folder = directory.appendingPathComponent("content")
        guard access(folder.path, R_OK | W_OK | X_OK) == 0 else { throw POSIXError(.EACCES) }
    }
}
