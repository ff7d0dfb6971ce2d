import CStorePostgres
import Foundation

/// A connection for statements that are no literals, one after the other; with COPY.
package final class PostgresSession {
    private let handle: OpaquePointer

    package init(_ address: PostgresAddress) throws {
        handle = try address.connect()
    }

    deinit { PQfinish(handle) }

    /// Runs statements.
    package func run(_ sql: String) throws { _ = try result(of: sql) }

    /// Runs statements; gives what the last one gave.
    private func result(of sql: String) throws -> PostgresResult {
        try checked(PQexec(handle, sql), sql)
    }

    /// Rows of a statement, as values.
    package func values(_ sql: String) throws -> [[SQLValue]] {
        let result = try result(of: sql)
        return (0..<result.count).map { result.row($0).values }
    }

    /// Reads the rows of a statement a few thousand at a time, in a transaction.
    package func each(_ sql: String, _ body: ([SQLValue]) throws -> Void) throws {
        try run("DECLARE rows NO SCROLL CURSOR FOR \(sql)")
        while true {
            let result = try result(of: "FETCH 2000 FROM rows")
            for number in 0..<result.count { try body(result.row(number).values) }
            if result.count == 0 { break }
        }
        try run("CLOSE rows")
    }

    /// Runs a statement once with each of the lists of parameters.
    package func each(_ sql: String, for lists: [[SQLValue]]) throws {
        for list in lists {
            let values = try PostgresParameters(list)
            let result = values.withPointers { pointers, lengths, formats in
                PQexecParams(
                    handle, sql, Int32(list.count), values.types, pointers, lengths, formats, 0)
            }
            _ = try checked(result, sql)
        }
    }

    /// Adds rows with COPY.
    package func copy(_ target: String, _ rows: [[SQLValue]]) throws {
        let sql = "COPY \(target) FROM STDIN"
        _ = try checked(PQexec(handle, sql), sql)
        var text: [UInt8] = []
        do {
            for row in rows {
                try Self.append(row, to: &text)
                if text.count > 1 << 20 { try put(&text) }
            }
            try put(&text)
        } catch {
            _ = PQputCopyEnd(handle, "the program gave up")
            while let result = PQgetResult(handle) { PQclear(result) }
            throw error
        }
        guard PQputCopyEnd(handle, nil) == 1 else { throw lost() }
        var last: PostgresResult?
        while let result = PQgetResult(handle) {
            let result = PostgresResult(result)
            if last == nil { last = result }
        }
        guard let last, last.outcome == CSTORE_PQ_DONE else {
            throw SQLError(state: last?.state, last?.message ?? "COPY gave nothing")
        }
    }

    private func put(_ text: inout [UInt8]) throws {
        let result = text.withUnsafeBytes { bytes in
            PQputCopyData(
                handle, bytes.baseAddress?.assumingMemoryBound(to: CChar.self),
                Int32(bytes.count))
        }
        guard result == 1 else { throw lost() }
        text.removeAll(keepingCapacity: true)
    }

    /// A line of COPY's text format.
    private static func append(_ row: [SQLValue], to text: inout [UInt8]) throws {
        for (index, value) in row.enumerated() {
            if index > 0 { text.append(UInt8(ascii: "\t")) }
            switch value {
            case .noInteger, .noText: text += "\\N".utf8
            case .integer(let number): text += String(number).utf8
            case .blob(let data):
                text += "\\\\x".utf8
                for byte in data {
                    text += [hex[Int(byte >> 4)], hex[Int(byte & 15)]]
                }
            case .text(let string):
                for byte in string.utf8 {
                    switch byte {
                    case 0: throw PostgresParameters.zeroCharacter
                    case UInt8(ascii: "\\"): text += "\\\\".utf8
                    case UInt8(ascii: "\t"): text += "\\t".utf8
                    case UInt8(ascii: "\n"): text += "\\n".utf8
                    case UInt8(ascii: "\r"): text += "\\r".utf8
                    default: text.append(byte)
                    }
                }
            }
        }
        text.append(UInt8(ascii: "\n"))
    }

    private static let hex = Array("0123456789abcdef".utf8)

    private func checked(_ result: OpaquePointer?, _ sql: String) throws -> PostgresResult {
        guard let result = result.map(PostgresResult.init) else { throw lost() }
        guard result.outcome != CSTORE_PQ_FAILED else {
            throw SQLError(state: result.state, "\(result.message), in: \(sql.prefix(200))")
        }
        return result
    }

    private func lost() -> SQLError {
        let reason = PQerrorMessage(handle).map { String(cString: $0) } ?? ""
        return SQLError(code: .unreachable, "the connection to the database was lost: \(reason)")
    }
}
