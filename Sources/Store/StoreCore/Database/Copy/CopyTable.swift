import Foundation
import StoreDatabase

/// A table as it is copied: the same in each database, whatever it is made of there.
struct CopyTable: Sendable, Equatable {
    let name: String
    /// Without those that are computed.
    let columns: [String]
    /// Places of the columns that tell rows apart.
    let key: [Int]
    /// Whether rows are only ever added, each with a higher number than all that can be seen.
    let isLog: Bool

    /// The one column that numbers the rows of a log.
    var number: String { columns[key[0]] }
    var list: String { columns.map { "\"\($0)\"" }.joined(separator: ", ") }

    /// Tables in which nothing is changed or deleted, and whose numbers only grow: the schema has
    /// triggers that refuse anything else. So it is where one writes at a time; where several do, a
    /// lower number may be committed after a higher one, and only `device_event` waits for it.
    static let logs: Set<String> = [
        "ledger", "pending_purchase", "price_consent", "device_event", "audit", "app_transaction",
        "ledger_extension", "item_sale",
    ]

    /// Tables of the search, which SQLite keeps in FTS5 and PostgreSQL in plain ones.
    static let searches: [CopyTable] = [
        ("item_name_search", SearchTable.names), ("item_text_search", .texts),
        ("artist_search", .artists),
    ].map { name, table in
        CopyTable(
            name: name, columns: ["rowid"] + table.columns.map(\.rawValue), key: [0],
            isLog: false)
    }
}

/// A row on its way.
typealias CopyRow = [SQLValue]

/// How many rows there are and what they hold, in whichever order they come.
struct CopySum: Sendable, Equatable {
    var rows = 0
    var sum: UInt64 = 0

    mutating func add(_ hash: UInt64) {
        rows += 1
        sum &+= hash
    }

    static func hash(_ values: some Sequence<SQLValue>) -> UInt64 {
        var hash: UInt64 = 0xcbf2_9ce4_8422_2325
        func mix(_ byte: UInt8) { hash = (hash ^ UInt64(byte)) &* 0x0000_0100_0000_01b3 }
        for value in values {
            switch value {
            case .noInteger, .noText: mix(0)
            case .integer(let number):
                mix(1)
                withUnsafeBytes(of: number.littleEndian) { $0.forEach(mix) }
            case .text(let text):
                mix(2)
                var text = text
                text.withUTF8 { $0.forEach(mix) }
                mix(0xFF)
            case .blob(let data):
                mix(3)
                data.forEach(mix)
                mix(0xFE)
            }
        }
        // Sums of similar rows are to differ too.
        hash ^= hash >> 33
        hash &*= 0xff51_afd7_ed55_8ccd
        return hash ^ hash >> 33
    }
}

/// A database that rows are taken from.
protocol CopySource: AnyObject {
    var tables: [CopyTable] { get }
    /// The last numbers that were given by tables that give none twice.
    func counters() throws -> [String: Int64]
    /// Begins a snapshot of the database that no writer changes.
    func beginSnapshot() throws
    func endSnapshot()
    /// How many rows the snapshot has.
    func count(_ table: CopyTable) throws -> Int
    /// Reads a table as the snapshot has it, or with the writers locked out as it is.
    func read(_ table: CopyTable, after: Int64?, _ body: (CopyRow) throws -> Void) throws
    /// Locks all writers out, until `endPause` or `commitMove`.
    func beginPause() throws
    func endPause()
    /// Writes down that the shop goes on elsewhere, for `commitMove`: whatever could refuse that
    /// does so here, and the locks have held until now.
    func prepareMove(to address: String, at date: Date) throws
    /// Says that the shop goes on elsewhere, and lets nobody write any more.
    func commitMove() throws
}

/// A database that rows are brought to, in one transaction.
protocol CopyTarget: AnyObject {
    /// Begins the transaction in a database with the newest schema.
    ///
    /// - Throws: `SQLError` where there is anything in it.
    func begin(_ tables: [CopyTable]) throws
    func write(_ table: CopyTable, _ rows: [CopyRow]) throws
    func delete(_ table: CopyTable, _ keys: [CopyRow]) throws
    func read(_ table: CopyTable, after: Int64?, _ body: (CopyRow) throws -> Void) throws
    /// Ends the transaction: from now on the database is the shop's.
    func commit(_ counters: [String: Int64]) throws
    func rollBack()
    /// Checks what could wait for the end of the pause.
    func finish() throws
}
