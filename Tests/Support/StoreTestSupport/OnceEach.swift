import Synchronization

/// What is expensive to make, made once for each key, by whoever asks first; the others wait for it.
package final class OnceEach<Key: Hashable & Sendable, Value: Sendable>: Sendable {
    private let tasks = Mutex<[Key: Task<Value, any Error>]>([:])

    package init() {}

    /// - Throws: what making it has thrown, to each who asks.
    package func value(
        for key: Key, make: @escaping @Sendable () async throws -> Value
    ) async throws -> Value {
        let task = tasks.withLock { tasks in
            if let task = tasks[key] { return task }
            let task = Task { try await make() }
            tasks[key] = task
            return task
        }
        return try await task.value
    }
}
