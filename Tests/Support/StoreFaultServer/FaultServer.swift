import Foundation
import StoreCore
import StoreServer
import StoreTestSupport
import Synchronization

/// A store like `openstore serve`, which kills itself with SIGKILL: after the commit of its
/// n-th transaction that wrote to the ledger, before anyone is answered; or before or after
/// the n-th transaction that wrote anything.
@main
struct FaultServer {
    static func main() async throws {
        let arguments = CommandLine.arguments
        guard (4...5).contains(arguments.count), let port = UInt16(arguments[2]),
            let count = Int(arguments[3]),
            let moment = KillingDatabase.Moment(
                rawValue: arguments.count == 5 ? arguments[4] : "sale")
        else {
            FileHandle.standardError.write(
                Data("usage: StoreFaultServer DIR PORT COUNT [sale|before|after]\n".utf8))
            exit(64)
        }
        let directory = URL(fileURLWithPath: arguments[1])
        let database = KillingDatabase(
            inner: try SQLiteDatabase(path: directory.appendingPathComponent("store.sqlite").path),
            count: count, moment: moment)
        let store = try Store(directory: directory, database: database, log: .standardError)
        let server = try StoreServer(store: store, port: port)
        let signals = StopSignals()
        let processor = ContentProcessor(store: store)
        let processing = Task {
            for await _ in store.uploadSignal.signals {
                do { try await processor.processWaiting() } catch {
                    // The next ring tries again; what is said here, a test that fails shows.
                    FileHandle.standardError.write(Data("processing failed: \(error)\n".utf8))
                }
            }
        }
        print(server.address)
        fflush(nil)
        _ = await signals.first()
        processing.cancel()
        server.stop()
    }
}

/// The real database, with an end at one of its transactions.
private final class KillingDatabase: ForwardingDatabase {
    enum Moment: String, Sendable {
        /// After a commit that changed the ledger.
        case sale
        /// Before a transaction that writes.
        case before
        /// After the commit of one.
        case after
    }

    let inner: any ShopDatabase
    private let moment: Moment
    private let left: Mutex<Int>

    init(inner: any ShopDatabase, count: Int, moment: Moment) {
        self.inner = inner
        self.moment = moment
        self.left = Mutex(count)
    }

    func write<Result: Sendable>(
        _ body: @escaping @Sendable (StoreRepositories) throws -> Result
    ) async throws -> Result {
        if moment == .before { count() }
        let result = try await inner.write(body)
        let isSale = Result.self == Swift.Result<PurchaseService.Outcome, PurchaseRefusal>.self
        if moment == .after || (moment == .sale && isSale) { count() }
        return result
    }

    private func count() {
        let isLast = left.withLock { left in
            left -= 1
            return left == 0
        }
        if isLast { kill(getpid(), SIGKILL) }
    }
}
