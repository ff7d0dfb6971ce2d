import StoreCore
import StoreTestSupport
import Synchronization

/// The database of a store, which breaks after some more looks into it.
final class BreakingDatabase: ForwardingDatabase {
    struct Broken: Error {}

    let inner: any ShopDatabase
    private let left = Mutex<Int?>(nil)
    private let takesWrites = Mutex(true)

    init(_ inner: any ShopDatabase) {
        self.inner = inner
    }

    /// Breaks from now on, after so many reads and writes.
    func breakAfter(_ count: Int) {
        left.withLock { $0 = count }
    }

    /// Takes no more writes, as a disk without room.
    func breakWrites() {
        takesWrites.withLock { $0 = false }
    }

    private func step() throws {
        try left.withLock { left in
            guard let count = left else { return }
            guard count > 0 else { throw Broken() }
            left = count - 1
        }
    }

    func read<Result: Sendable>(
        _ body: @escaping @Sendable (StoreRepositories) throws -> Result
    ) async throws -> Result {
        try step()
        return try await inner.read(body)
    }

    func lookUp<Result>(_ body: (StoreRepositories) throws -> Result) throws -> Result? {
        try step()
        return try inner.lookUp(body)
    }

    func write<Result: Sendable>(
        _ body: @escaping @Sendable (StoreRepositories) throws -> Result
    ) async throws -> Result {
        try step()
        guard takesWrites.withLock({ $0 }) else { throw Broken() }
        return try await inner.write(body)
    }
}
