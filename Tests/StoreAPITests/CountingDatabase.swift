import StoreCore
import StoreTestSupport
import Synchronization

/// The database of a store, which counts what is read of it and can do something behind a read.
final class CountingDatabase: ForwardingDatabase {
    let inner: any ShopDatabase
    private let count = Mutex(0)
    private let afterRead: @Sendable () async throws -> Void

    /// - Parameter afterRead: runs when something was read, before the reader has it.
    init(
        _ inner: any ShopDatabase, afterRead: @escaping @Sendable () async throws -> Void = {}
    ) {
        self.inner = inner
        self.afterRead = afterRead
    }

    /// How many times it was read since somebody asked.
    func takeReads() -> Int {
        count.withLock { count in
            defer { count = 0 }
            return count
        }
    }

    func read<Result: Sendable>(
        _ body: @escaping @Sendable (StoreRepositories) throws -> Result
    ) async throws -> Result {
        count.withLock { $0 += 1 }
        let result = try await inner.read(body)
        try await afterRead()
        return result
    }

    func lookUp<Result>(_ body: (StoreRepositories) throws -> Result) throws -> Result? {
        count.withLock { $0 += 1 }
        return try inner.lookUp(body)
    }
}
