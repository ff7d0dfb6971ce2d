import Dispatch
import StoreCore
import StoreTestSupport

/// The real database, whose writing thread takes turns with the one that runs jobs.
final class TurnDatabase: ForwardingDatabase {
    private let sqlite: SQLiteDatabase
    private let pool: JobPool

    init(_ inner: SQLiteDatabase, pool: JobPool) {
        sqlite = inner
        self.pool = pool
    }

    var inner: any ShopDatabase { sqlite }

    func write<Result: Sendable>(
        _ body: @escaping @Sendable (StoreRepositories) throws -> Result
    ) async throws -> Result {
        let turn = pool.beginTurn()
        return try await inner.write { repositories in
            turn.wait()
            return try body(repositories)
        }
    }

    func close() { sqlite.close() }
}
