import Dispatch
import StoreCore
import StoreSQL

/// The real database, whose writing thread takes turns with the one that runs jobs.
final class TurnDatabase: StoreDatabase {
    private let inner: SQLiteDatabase
    private let pool: JobPool

    init(_ inner: SQLiteDatabase, pool: JobPool) {
        self.inner = inner
        self.pool = pool
    }

    func read<Result: Sendable>(
        _ body: @escaping @Sendable (any StoreRepositories) throws -> Result
    ) async throws -> Result {
        try await inner.read(body)
    }

    func lookUp<Result>(_ body: (any StoreRepositories) throws -> Result) throws -> Result? {
        try inner.lookUp(body)
    }

    func write<Result: Sendable>(
        _ body: @escaping @Sendable (any StoreRepositories) throws -> Result
    ) async throws -> Result {
        let turn = pool.beginTurn()
        return try await inner.write { repositories in
            turn.wait()
            return try body(repositories)
        }
    }

    func catalogGeneration() throws -> Int64 { try inner.catalogGeneration() }
    func knownCatalogGeneration() -> Int64? { inner.knownCatalogGeneration() }
    func storefrontGeneration() throws -> Int64 { try inner.storefrontGeneration() }
    func knownStorefrontGeneration() -> Int64? { inner.knownStorefrontGeneration() }
    func changes() throws -> Int64 { try inner.changes() }
    func lastEvent() throws -> DeviceEventID { try inner.lastEvent() }
    func close() { inner.close() }
}
