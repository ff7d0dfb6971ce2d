import Foundation
import StoreCore
import StoreSQL
import StoreServer
import Synchronization

/// A store like `openstore serve`, which kills itself with SIGKILL after the commit of
/// its n-th transaction that wrote to the ledger, before anyone is answered.
@main
struct FaultServer {
    static func main() async throws {
        let arguments = CommandLine.arguments
        guard arguments.count == 4, let port = UInt16(arguments[2]), let count = Int(arguments[3])
        else {
            FileHandle.standardError.write(Data("usage: StoreFaultServer DIR PORT COUNT\n".utf8))
            exit(64)
        }
        let directory = URL(fileURLWithPath: arguments[1])
        let database = KillingDatabase(
            inner: try SQLiteDatabase(path: directory.appendingPathComponent("store.sqlite").path),
            count: count)
        let store = try Store(directory: directory, database: database, log: .standardError)
        let server = try StoreServer(store: store, port: port)
        let signals = StopSignals()
        print(server.address)
        fflush(nil)
        _ = await signals.first()
        server.stop()
    }
}

/// The real database, with an end after so many commits that changed the ledger.
private final class KillingDatabase: StoreDatabase {
    private let inner: SQLiteDatabase
    private let left: Mutex<Int>

    init(inner: SQLiteDatabase, count: Int) {
        self.inner = inner
        self.left = Mutex(count)
    }

    func read<Result: Sendable>(
        _ body: @escaping @Sendable (any StoreRepositories) throws -> Result
    ) async throws -> Result {
        try await inner.read(body)
    }

    func write<Result: Sendable>(
        _ body: @escaping @Sendable (any StoreRepositories) throws -> Result
    ) async throws -> Result {
        let result = try await inner.write(body)
        if Result.self == Swift.Result<PurchaseService.Outcome, PurchaseRefusal>.self {
            let isLast = left.withLock { left in
                left -= 1
                return left == 0
            }
            if isLast { kill(getpid(), SIGKILL) }
        }
        return result
    }

    func catalogGeneration() throws -> Int64 { try inner.catalogGeneration() }
    func lastEvent() throws -> DeviceEventID { try inner.lastEvent() }
}
