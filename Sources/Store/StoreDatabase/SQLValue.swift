import Foundation

/// A value that goes into or comes out of a statement.
public enum SQLValue: Sendable, Hashable {
    /// None where a number could be.
    case noInteger
    /// None where a text could be.
    case noText
    case integer(Int64)
    case text(String)
    case blob(Data)

    package static func integer(_ value: Bool) -> SQLValue { .integer(value ? 1 : 0) }
    package static func integer(_ value: Int) -> SQLValue { .integer(Int64(value)) }
    package static func text(_ value: String?) -> SQLValue { value.map(SQLValue.text) ?? .noText }
    /// Milliseconds since 1970.
    package static func date(_ value: Date) -> SQLValue {
        let milliseconds = (value.timeIntervalSince1970 * 1000 + 0.001).rounded(.down)
        return .integer(Int64(exactly: milliseconds) ?? (milliseconds > 0 ? .max : .min))
    }
    package static func date(_ value: Date?) -> SQLValue { value.map { .date($0) } ?? .noInteger }
}

/// A row of a result, while it is being read.
public protocol SQLRow {
    func isNull(_ column: Int) -> Bool
    func integer(_ column: Int) -> Int64
    func text(_ column: Int) -> String
    /// The bytes of a text.
    func data(_ column: Int) -> Data
    /// The bytes of a column of bytes.
    func blob(_ column: Int) -> Data
    /// What the columns are called, in their order.
    var names: [String] { get }
}

extension SQLRow {
    package func date(_ column: Int) -> Date {
        Date(timeIntervalSince1970: TimeInterval(integer(column)) / 1000)
    }
}

/// A connection to a database in the midst of a transaction: what records are read and written by,
/// whichever driver is behind it.
package protocol SQLConnection: AnyObject {
    /// Runs a statement.
    ///
    /// A statement may wait for the next one whose rows are read, and for the end of the
    /// transaction at the latest: what is wrong with it is thrown there.
    func run(_ text: StatementText, _ parameters: [SQLValue]) throws
    /// Runs a statement and reads its rows.
    func rows<Row>(
        _ text: StatementText, _ parameters: [SQLValue], _ read: (any SQLRow) throws -> Row
    ) throws -> [Row]
    /// Runs statements that the schema may refuse. What they wrote is taken back where one is
    /// refused, its error is thrown here, and the transaction goes on.
    func attempt(_ body: () throws -> Void) throws
    var dialect: SQLDialect { get }
}

/// What SQL a database speaks, where a statement can't be the same for both.
package enum SQLDialect: Sendable {
    case sqlite
    case postgres
}

extension SQLConnection {
    /// Runs a statement that is a literal; parameters stand as `?1`, `?2`.
    package func run(_ sql: StaticString, _ parameters: [SQLValue]) throws {
        try run(StatementText(sql), parameters)
    }

    /// Runs a statement that is a literal, and reads its rows.
    package func rows<Row>(
        _ sql: StaticString, _ parameters: [SQLValue], _ read: (any SQLRow) throws -> Row
    ) throws -> [Row] {
        try rows(StatementText(sql), parameters, read)
    }

    /// Runs a statement.
    package func run(_ sql: SQL) throws { try run(StatementText(sql), sql.values) }

    /// Runs a statement and reads its rows.
    package func rows<Row>(_ sql: SQL, _ read: (any SQLRow) throws -> Row) throws -> [Row] {
        try rows(StatementText(sql), sql.values, read)
    }

    /// The first row, where there is one.
    package func row<Row>(
        _ sql: StaticString, _ parameters: [SQLValue], _ read: (any SQLRow) throws -> Row
    ) throws -> Row? {
        try rows(sql, parameters, read).first
    }
}

/// What a database refused, or what is wrong with it.
package struct SQLError: Error, Sendable, CustomStringConvertible {
    package enum Code: Sendable, Hashable {
        /// A rule of the schema was broken.
        case constraint
        /// Somebody else holds the database for too long.
        case busy
        /// The file is no database of this store, or damaged.
        case corrupt
        /// A row holds what it can't; the others can be read.
        case row
        /// The disk is full, or refuses to write.
        case disk
        /// The server is stopping.
        case closed
        /// The database's server can't be reached, or has ended the connection.
        case unreachable
        /// The connection was lost while a transaction was being committed: whether it was
        /// written is not known.
        case uncertain
        /// A copied database holds everything; what makes it fast and proves its rules was not done.
        case unfinished
        /// The rows are in another database by now.
        case moved
        /// Another program has changed the database's schema while this one ran.
        case outdated
        /// A text has a character that the database does not keep.
        case text
        case other
    }

    package let code: Code
    package let description: String

    package init(code: Code, _ description: String) {
        self.code = code
        self.description = description
    }
}

extension SQLError {
    /// The store has closed its database.
    static var stopping: SQLError { SQLError(code: .closed, "the store is stopping") }

    /// What a failed `COMMIT` of SQLite means for those that wait for it.
    ///
    /// A rule that is broken and a lock that is held are refused before anything is written. What
    /// fails later may have come into the log as far as its end: the next process that opens the
    /// database finds it there.
    package var ofCommit: SQLError {
        switch code {
        case .busy, .constraint: self
        default:
            SQLError(
                code: .uncertain,
                "the commit failed, and whether it was written is not known: \(description)")
        }
    }
}
