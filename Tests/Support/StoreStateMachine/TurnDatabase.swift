import Dispatch
import StoreCore
import StoreTestSupport

/// The real database, whose writing thread takes turns with the one that runs jobs.
final class TurnDatabase: ForwardingDatabase {
    let inner: any ShopDatabase
    private let pool: JobPool

    init(_ inner: any ShopDatabase, pool: JobPool) {
        self.inner = inner
        self.pool = pool
    }

    func write<Result: Sendable>(
        _ body: @escaping @Sendable (StoreRepositories) throws -> Result
    ) async throws -> Result {
        let turn = pool.beginTurn()
        return try await inner.write { repositories in
            turn.wait()
            return try body(repositories)
        }
    }
}
