import CBenchCrypto
import CBenchSQLite
import Foundation
import Synchronization

/// What a purchase can't do without, and nothing else: the same rows inserted into the same
/// tables with the same durability and settings by one writer with group commit, and one ES256
/// signature for each purchase, made by the client that waited for it.
///
/// A purchase is a row of the ledger, one of the account's history, and the history's counter.
final class GroupCommitBaseline: Sendable {
    private let file: String

    /// The accounts whose rows are inserted, one after another.
    private let accounts: [Int]

    /// - Parameter customers: rows are those of so many customers; nil for one in an empty table.
    init(folder: URL, customers: LedgerRows? = nil) throws {
        file = folder.appendingPathComponent("baseline.sqlite").path
        for suffix in ["", "-wal", "-shm"] { unlink(file + suffix) }
        let store = folder.appendingPathComponent("store/store.sqlite").path
        if let customers {
            accounts = (0..<customers.customers).map {
                customers.accountBase + 1 + $0 * 7919 % customers.customers
            }
            try Self.copy(store, to: file)
        } else {
            accounts = [1]
            try Self.makeEmpty(like: store, at: file)
        }
    }

    private static let tables = "('ledger', 'history', 'history_counter')"

    /// The same rows, tables and indexes, without triggers: what these write is written by statement.
    private static func copy(_ store: String, to file: String) throws {
        try BenchShop.run("/usr/bin/sqlite3", [store, ".backup '\(file)'"])
        let triggers = try BenchShop.run(
            "/usr/bin/sqlite3",
            [
                file,
                "SELECT 'DROP TRIGGER ' || name || ';' FROM sqlite_schema "
                    + "WHERE type = 'trigger' AND tbl_name IN \(tables)",
            ])
        try BenchShop.run("/usr/bin/sqlite3", [file, "PRAGMA journal_mode = WAL; \(triggers)"])
    }

    private static func makeEmpty(like store: String, at file: String) throws {
        let schema = try BenchShop.run(
            "/usr/bin/sqlite3",
            [
                store,
                "SELECT sql || ';' FROM sqlite_schema WHERE type IN ('table', 'index') "
                    + "AND tbl_name IN \(tables) AND sql IS NOT NULL",
            ])
        // The same tables and indexes; the tables that they refer to hold one row each.
        try BenchShop.run(
            "/usr/bin/sqlite3",
            [
                file,
                "PRAGMA journal_mode = WAL;"
                    + "CREATE TABLE app (id INTEGER PRIMARY KEY); INSERT INTO app VALUES (1);"
                    + "CREATE TABLE account (id INTEGER, environment TEXT, UNIQUE (id, environment));"
                    + "INSERT INTO account VALUES (1, 'Sandbox');"
                    + "CREATE TABLE product (app INTEGER, product_id TEXT, UNIQUE (app, product_id));"
                    + "INSERT INTO product VALUES (1, 'com.example.bench.item1');" + schema,
            ])
    }

    private struct Queue {
        var waiting: [(number: Int, client: DispatchSemaphore)] = []
        var isOver = false
    }

    /// What it did: rows that were committed and signed for, per second.
    struct Outcome {
        let perSecond: Double
        let latency: Percentiles
    }

    func run(clients: Int, seconds: Int) throws -> Outcome {
        let queue = Mutex(Queue())
        let work = DispatchSemaphore(value: 0)
        let times = Mutex<[Double]>([])
        TimedRun.settle()
        let ended = DispatchGroup()
        let end = ContinuousClock.now + .seconds(seconds)
        let start = ContinuousClock.now

        ended.enter()
        let (path, accounts) = (file, accounts)
        Thread.detachNewThread {
            Self.write(path, accounts, queue, work)
            ended.leave()
        }
        let clientsDone = DispatchGroup()
        for client in 0..<clients {
            clientsDone.enter()
            Thread.detachNewThread {
                let signer = Signer()
                let committed = DispatchSemaphore(value: 0)
                var own: [Double] = []
                while ContinuousClock.now < end {
                    let begin = ContinuousClock.now
                    let number = client * 100_000_000 + own.count
                    queue.withLock { $0.waiting.append((number, committed)) }
                    work.signal()
                    committed.wait()
                    signer.sign()
                    own.append((ContinuousClock.now - begin) / .milliseconds(1))
                }
                let done = own
                times.withLock { $0 += done }
                clientsDone.leave()
            }
        }
        clientsDone.wait()
        let elapsed = (ContinuousClock.now - start) / .seconds(1)
        queue.withLock { $0.isOver = true }
        work.signal()
        ended.wait()
        let done = times.withLock { $0 }
        return Outcome(perSecond: Double(done.count) / elapsed, latency: Percentiles(of: done))
    }

    /// Takes all rows that wait, inserts and commits them, and lets their clients go on.
    private static func write(
        _ file: String, _ accounts: [Int], _ queue: borrowing Mutex<Queue>,
        _ work: DispatchSemaphore
    ) {
        var database: OpaquePointer?
        precondition(sqlite3_open(file, &database) == SQLITE_OK)
        defer { sqlite3_close(database) }
        // As the store's writer has them.
        for pragma in [
            "journal_mode = WAL", "synchronous = FULL", "foreign_keys = ON", "cache_size = -12288",
            "wal_autocheckpoint = 4096",
        ] {
            sqlite3_exec(database, "PRAGMA \(pragma)", nil, nil, nil)
        }
        let ledger = statement(
            """
            INSERT INTO ledger (kind, environment, account, app, bundle_id, product_id,
                product_type, purchase_key, device, quantity, unit_price, charged, currency,
                storefront, date)
            VALUES ('purchase', 'Sandbox', ?3, 1, 'com.example.bench', 'com.example.bench.item1',
                'Consumable', ?1, 'bench', 1, 990, 990, 'USD', 'USA', ?2)
            """, database)
        let counter = statement(
            """
            INSERT INTO history_counter (account, app, last) VALUES (?1, 1, 1)
            ON CONFLICT (account, app) DO UPDATE SET last = last + 1 RETURNING last
            """, database)
        let history = statement(
            "INSERT INTO history (id, account, app, revision) VALUES (?1, ?2, 1, ?3)", database)
        defer { for statement in [ledger, counter, history] { sqlite3_finalize(statement) } }
        var turn = 0
        while true {
            work.wait()
            let (group, isOver) = queue.withLock { queue in
                defer { queue.waiting.removeAll() }
                return (queue.waiting, queue.isOver)
            }
            if group.isEmpty {
                if isOver { return }
                continue
            }
            sqlite3_exec(database, "BEGIN IMMEDIATE", nil, nil, nil)
            for (number, _) in group {
                let account = Int64(accounts[turn % accounts.count])
                turn += 1
                bench_bind_text(ledger, 1, "bench-baseline-\(number)")
                sqlite3_bind_int64(ledger, 2, 1_800_000_000_000)
                sqlite3_bind_int64(ledger, 3, account)
                insert(ledger)
                sqlite3_bind_int64(counter, 1, account)
                precondition(sqlite3_step(counter) == SQLITE_ROW)
                sqlite3_bind_int64(history, 3, sqlite3_column_int64(counter, 0))
                insert(counter)
                sqlite3_bind_int64(history, 1, sqlite3_last_insert_rowid(database))
                sqlite3_bind_int64(history, 2, account)
                insert(history)
            }
            precondition(sqlite3_exec(database, "COMMIT", nil, nil, nil) == SQLITE_OK)
            for (_, client) in group { client.signal() }
        }
    }

    private static func statement(_ sql: String, _ database: OpaquePointer?) -> OpaquePointer? {
        var statement: OpaquePointer?
        let result = sqlite3_prepare_v2(database, sql, -1, &statement, nil)
        precondition(result == SQLITE_OK, String(cString: sqlite3_errmsg(database)))
        return statement
    }

    private static func insert(_ statement: OpaquePointer?) {
        precondition(sqlite3_step(statement) == SQLITE_DONE)
        sqlite3_reset(statement)
    }
}

/// One ES256 signature over as many bytes as a transaction has.
private final class Signer {
    private let key = bench_generate_p256()
    private let message = [UInt8](repeating: 65, count: 3200)

    deinit {
        EVP_PKEY_free(key)
    }

    func sign() {
        let context = EVP_MD_CTX_new()
        defer { EVP_MD_CTX_free(context) }
        var length = 80
        var signature = [UInt8](repeating: 0, count: length)
        EVP_DigestSignInit(context, nil, EVP_sha256(), nil, key)
        let result = EVP_DigestSign(context, &signature, &length, message, message.count)
        precondition(result == 1)
    }
}
