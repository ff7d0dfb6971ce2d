import CStorePostgres
import Foundation
import StoreKernel

/// A connection to a PostgreSQL server with its prepared statements, in libpq's pipeline mode.
///
/// Statements whose rows nobody reads are sent, and their results fetched with those of the next
/// one that is asked for rows: a transaction waits for the server as often as it reads, and once
/// at its end.
///
/// Used by one thread at a time.
package final class PostgresConnection: SQLConnection {
    /// The most statements that are sent before their results are fetched. Results of so many fit
    /// into the sockets' buffers: server and program never wait for each other.
    private static let mostSent = 64

    /// What a prepared statement is known by: its text, and the types of its parameters, two bits
    /// each.
    private struct Key: Hashable {
        let text: StatementText
        let types: UInt128
    }

    private enum Sent {
        case preparation(Key)
        case statement
        /// What was sent together ends here.
        case end
    }

    private let handle: OpaquePointer
    private var names: [Key: String] = [:]
    private var sent: [Sent] = []
    /// The code of the error that the running transaction failed by.
    private(set) var failure: String?
    /// Whether the running transaction has changed something.
    private(set) var hasWritten = false
    private(set) var isBroken = false

    /// - Throws: `SQLError`, without the address's password.
    package init(_ address: PostgresAddress) throws {
        handle = try address.connect()
        guard PQenterPipelineMode(handle) == 1 else {
            PQfinish(handle)
            throw SQLError(code: .other, "libpq refuses to send statements ahead")
        }
    }

    deinit { PQfinish(handle) }

    package var dialect: SQLDialect { .postgres }

    /// Whether the server has closed its side, as far as this machine has heard.
    var hasBeenLeft: Bool { cstore_pq_was_left(handle) }

    // MARK: Statements

    package func run(_ text: StatementText, _ parameters: [SQLValue]) throws {
        hasWritten = true
        try send(text, parameters)
        if sent.count >= Self.mostSent { _ = try fetch() }
    }

    package func rows<Row>(
        _ text: StatementText, _ parameters: [SQLValue], _ read: (any SQLRow) throws -> Row
    ) throws -> [Row] {
        if !Self.isReading(text) { hasWritten = true }
        try send(text, parameters)
        guard let result = try fetch() else { return [] }
        var rows: [Row] = []
        rows.reserveCapacity(result.count)
        for number in 0..<result.count { rows.append(try read(result.row(number))) }
        return rows
    }

    package func attempt(_ body: () throws -> Void) throws {
        try send("SAVEPOINT attempt", [])
        _ = try fetch()
        do {
            try body()
            try send("RELEASE attempt", [])
            _ = try fetch()
        } catch {
            // What was sent and failed would let the server pass over what comes behind it.
            _ = try? fetch()
            guard !isBroken, !SQLError.isCollision(failure) else { throw error }
            failure = nil
            try send("ROLLBACK TO attempt", [])
            try send("RELEASE attempt", [])
            _ = try fetch()
            throw error
        }
    }

    private static func isReading(_ text: StatementText) -> Bool {
        let first = text.bytes.drop { $0 == 0x20 || $0 == 0x0A }.prefix(4)
        return first.elementsEqual("SELE".utf8) || first.elementsEqual("WITH".utf8)
    }

    // MARK: Transactions

    /// How a transaction sees others.
    package enum Isolation {
        /// One snapshot, and nothing is changed.
        case reading
        /// As if there were no others.
        ///
        /// - Parameter schema: the number of the schema that the program knows.
        case writing(schema: Int64)
    }

    package func begin(_ isolation: Isolation) throws {
        (failure, hasWritten) = (nil, false)
        switch isolation {
        case .reading: try send("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY", [])
        case .writing(let schema):
            try send("BEGIN ISOLATION LEVEL SERIALIZABLE", [])
            // The lock waits for a running migration to end, before PostgreSQL takes the transaction's
            // snapshot. The answers to these statements are read later.
            try send("LOCK TABLE schema_version IN ACCESS SHARE MODE", [])
            try send("SELECT require_schema(?1)", [.integer(schema)])
        }
    }

    /// Fetches what waits and commits.
    ///
    /// - Parameter news: a statement for after the commit, in the same turn.
    /// - Returns: what `read` makes of the row of `news`; nil where it was not run.
    /// - Throws: `SQLError`; `uncertain` where the connection was lost in between.
    func commit<News>(
        telling news: (sql: StatementText, parameters: [SQLValue])? = nil,
        _ read: (any SQLRow) -> News
    ) throws -> News? {
        // Who has waited for too long was ended by the server, and has written nothing.
        guard !hasBeenLeft else { throw lost(because: "the server has ended it") }
        do {
            try send("COMMIT", [])
        } catch {
            // Some of it may have been on its way.
            throw isBroken ? Self.uncertain : error
        }
        guard PQpipelineSync(handle) == 1 else {
            isBroken = true
            throw Self.uncertain
        }
        let told = sent
        sent = []
        if let news { try? send(news.sql, news.parameters) }
        if !sent.isEmpty, PQpipelineSync(handle) != 1 { sent = [] }
        let result: PostgresResult?
        do {
            result = try fetchSent(told)
        } catch {
            // What was sent behind it tells of nothing.
            if !isBroken, !sent.isEmpty { _ = try? fetchSent(takeSent()) }
            if isBroken { throw Self.uncertain }
            throw error
        }
        // A transaction in which something failed ends with COMMIT as well, and has written
        // nothing.
        guard result?.command == "COMMIT" else {
            throw SQLError(code: .other, "the transaction had failed before its end")
        }
        guard !sent.isEmpty else { return nil }
        let answer = try? fetchSent(takeSent())
        return answer.flatMap { $0.count > 0 ? read($0.row(0)) : nil }
    }

    private static let uncertain = SQLError(
        code: .uncertain,
        "the connection to the database was lost during a commit; whether it was written is not "
            + "known")

    /// Ends a transaction that has changed nothing. Its results are fetched with the next one's.
    func endReading() throws {
        try send("COMMIT", [])
        if failure != nil { _ = try fetch() }
        guard PQpipelineSync(handle) == 1 else { throw lost() }
        sent.append(.end)
    }

    /// Runs statements that are no literals, one after the other.
    package func script(_ statements: [String]) throws {
        _ = try fetch()
        for statement in statements {
            guard PQsendQueryParams(handle, statement, 0, nil, nil, nil, nil, 0) == 1 else {
                throw lost()
            }
            sent.append(.statement)
            do {
                _ = try fetch()
            } catch let error as SQLError {
                let beginning = statement.prefix(200)
                throw SQLError(code: error.code, "\(error.description), in: \(beginning)")
            }
        }
    }

    /// Takes everything back.
    package func rollBack() {
        guard !isBroken else { return }
        _ = try? fetch()
        // A commit that collided has taken everything back already.
        guard !isBroken, !cstore_pq_is_idle(handle), (try? send("ROLLBACK", [])) != nil else {
            return
        }
        _ = try? fetch()
    }

    // MARK: Sending

    private func send(_ sql: StaticString, _ parameters: [SQLValue]) throws {
        try send(StatementText(sql), parameters)
    }

    private func send(_ text: StatementText, _ parameters: [SQLValue]) throws {
        guard !isBroken else { throw lost() }
        let values = try PostgresParameters(parameters)
        let key = Key(text: text, types: values.signature)
        let name: String
        if let known = names[key] {
            name = known
        } else {
            name = "s\(names.count)_\(UInt(bitPattern: text.start))_\(values.signature)"
            guard
                PQsendPrepare(
                    handle, name, PostgresStatements.translation(of: text),
                    Int32(parameters.count), values.types) == 1
            else { throw lost() }
            names[key] = name
            sent.append(.preparation(key))
        }
        let isSent = values.withPointers { pointers, lengths, formats in
            PQsendQueryPrepared(
                handle, name, Int32(parameters.count), pointers, lengths, formats, 0)
        }
        guard isSent == 1 else { throw lost() }
        sent.append(.statement)
    }

    private func takeSent() -> [Sent] {
        defer { sent = [] }
        return sent
    }

    /// Fetches the results of what was sent, and gives the last one.
    private func fetch() throws -> PostgresResult? {
        guard !sent.isEmpty else { return nil }
        guard PQpipelineSync(handle) == 1 else { throw lost() }
        return try fetchSent(takeSent())
    }

    private func fetchSent(_ sent: [Sent]) throws -> PostgresResult? {
        var last: PostgresResult?
        var error: SQLError?
        for step in sent {
            if case .end = step {
                try fetchEnd()
                continue
            }
            var isDone = true
            while let handle = PQgetResult(handle) {
                let result = PostgresResult(handle)
                switch result.outcome {
                case CSTORE_PQ_DONE.value, CSTORE_PQ_ROWS.value: last = result
                case CSTORE_PQ_SKIPPED.value: isDone = false
                default:
                    isDone = false
                    if error == nil {
                        failure = failure ?? result.state
                        error = SQLError(state: result.state, result.message)
                    }
                }
                if !cstore_pq_is_open(self.handle) { throw lost(because: result.message) }
            }
            if !cstore_pq_is_open(handle) { throw lost() }
            if case .preparation(let key) = step, !isDone { names[key] = nil }
        }
        try fetchEnd()
        if let error { throw error }
        return last
    }

    private func fetchEnd() throws {
        guard let end = PQgetResult(handle).map(PostgresResult.init),
            end.outcome == CSTORE_PQ_SYNC.value
        else { throw lost() }
    }

    private func lost(because reason: String? = nil) -> SQLError {
        isBroken = true
        let reason = reason ?? PQerrorMessage(handle).map { String(cString: $0) } ?? ""
        return SQLError(
            code: .unreachable,
            "the connection to the database was lost: "
                + reason.replacing(scalar: "\n", with: " "))
    }
}

extension BinaryInteger {
    /// Constants of C's enums come as unsigned or signed numbers, by compiler.
    fileprivate var value: Int32 { Int32(self) }
}
