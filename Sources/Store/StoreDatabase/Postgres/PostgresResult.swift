import CStorePostgres
import Foundation

/// What a statement gave; given back to libpq with the last reference.
final class PostgresResult {
    private let handle: OpaquePointer

    init(_ handle: OpaquePointer) {
        self.handle = handle
    }

    deinit { PQclear(handle) }

    var outcome: Int32 { cstore_pq_outcome(handle) }

    /// `COMMIT`, or `INSERT 0 1`.
    var command: String { PQcmdStatus(handle).map { String(cString: $0) } ?? "" }

    var count: Int { Int(PQntuples(handle)) }

    func row(_ number: Int) -> PostgresRow {
        PostgresRow(result: self, handle: handle, row: Int32(number))
    }

    /// What went wrong; nil for an error that libpq has made itself.
    var state: String? { cstore_pq_sqlstate(handle).map { String(cString: $0) } }

    var message: String {
        let primary = cstore_pq_message(handle) ?? UnsafePointer(PQresultErrorMessage(handle))
        return primary.map { String(cString: $0) } ?? "no reason was given"
    }
}

/// A row of a result, in PostgreSQL's texts.
struct PostgresRow: SQLRow {
    fileprivate let result: PostgresResult
    fileprivate let handle: OpaquePointer
    fileprivate let row: Int32

    func isNull(_ column: Int) -> Bool { PQgetisnull(handle, row, Int32(column)) == 1 }

    private func bytes(_ column: Int) -> UnsafeBufferPointer<UInt8> {
        guard let start = PQgetvalue(handle, row, Int32(column)) else {
            return UnsafeBufferPointer(start: nil, count: 0)
        }
        let count = Int(PQgetlength(handle, row, Int32(column)))
        return UnsafeBufferPointer(
            start: UnsafeRawPointer(start).assumingMemoryBound(to: UInt8.self), count: count)
    }

    /// A number; 1 and 0 for what is a truth value in PostgreSQL.
    func integer(_ column: Int) -> Int64 {
        let digits = bytes(column)
        guard let first = digits.first else { return 0 }
        if first == UInt8(ascii: "t") { return 1 }
        let isNegative = first == UInt8(ascii: "-")
        var value: Int64 = 0
        for digit in digits.dropFirst(isNegative ? 1 : 0) {
            guard (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(digit) else { break }
            // Negative, as the smallest number has no positive counterpart.
            value = value &* 10 &- Int64(digit - UInt8(ascii: "0"))
        }
        return isNegative ? value : 0 &- value
    }

    /// All values, by the types that the server gives them: numbers, texts and bytes.
    var values: [SQLValue] {
        (0..<Int(PQnfields(handle))).map { column in
            guard !isNull(column) else { return .noText }
            switch PQftype(handle, Int32(column)) {
            case 16, 20, 21, 23, 1700: return .integer(integer(column))
            case 17: return .blob(blob(column))
            default: return .text(text(column))
            }
        }
    }

    func text(_ column: Int) -> String { String(decoding: bytes(column), as: UTF8.self) }

    func data(_ column: Int) -> Data { Data(bytes(column)) }

    func blob(_ column: Int) -> Data {
        // As `\xdeadbeef`.
        let digits = bytes(column).dropFirst(2).map { digit in
            digit < UInt8(ascii: "a") ? digit - UInt8(ascii: "0") : digit - 87
        }
        return Data(
            stride(from: 0, to: digits.count, by: 2).map { digits[$0] << 4 | digits[$0 + 1] })
    }

    var names: [String] {
        (0..<PQnfields(handle)).map { column in
            PQfname(handle, column).map { String(cString: $0) } ?? ""
        }
    }
}
