import Foundation

/// A value that one column has.
package protocol ColumnValue: Sendable {
    /// No value of this kind: PostgreSQL wants to know the type of what is not there.
    static var null: SQLValue { get }
    /// Some value, another one for each number if possible. A record's description is run with samples
    /// to list its columns and to check it.
    static func sample(_ number: Int) -> Self
    /// - Throws: `SQLError` with the code `row` for what the program would not have written.
    init(_ row: any SQLRow, _ column: Int) throws
    var sql: SQLValue { get }
}

extension Int64: ColumnValue {
    package static var null: SQLValue { .noInteger }
    package static func sample(_ number: Int) -> Int64 { Int64(number) }
    package init(_ row: any SQLRow, _ column: Int) { self = row.integer(column) }
    package var sql: SQLValue { .integer(self) }
}

extension Int: ColumnValue {
    package static var null: SQLValue { .noInteger }
    package static func sample(_ number: Int) -> Int { number }
    package init(_ row: any SQLRow, _ column: Int) { self = Int(row.integer(column)) }
    package var sql: SQLValue { .integer(Int64(self)) }
}

extension Bool: ColumnValue {
    package static var null: SQLValue { .noInteger }
    package static func sample(_ number: Int) -> Bool { number % 2 == 1 }
    package init(_ row: any SQLRow, _ column: Int) { self = row.integer(column) != 0 }
    package var sql: SQLValue { .integer(self ? 1 : 0) }
}

extension String: ColumnValue {
    package static var null: SQLValue { .noText }
    package static func sample(_ number: Int) -> String { "sample\(number)" }
    package init(_ row: any SQLRow, _ column: Int) { self = row.text(column) }
    package var sql: SQLValue { .text(self) }
}

extension Data: ColumnValue {
    package static var null: SQLValue { .noText }
    package static func sample(_ number: Int) -> Data { Data("sample\(number)".utf8) }
    package init(_ row: any SQLRow, _ column: Int) { self = row.blob(column) }
    package var sql: SQLValue { .blob(self) }
}

/// Milliseconds since 1970.
extension Date: ColumnValue {
    package static var null: SQLValue { .noInteger }
    package static func sample(_ number: Int) -> Date {
        Date(timeIntervalSince1970: Double(number))
    }
    package init(_ row: any SQLRow, _ column: Int) { self = row.date(column) }
    package var sql: SQLValue { .date(self) }
}

/// Milliseconds, and not below zero.
extension Duration: ColumnValue {
    package static var null: SQLValue { .noInteger }
    package static func sample(_ number: Int) -> Duration { .milliseconds(number) }
    package init(_ row: any SQLRow, _ column: Int) { self = .milliseconds(row.integer(column)) }
    package var sql: SQLValue {
        let (seconds, attoseconds) = components
        return .integer(max(seconds * 1000 + attoseconds / 1_000_000_000_000_000, 0))
    }
}

extension Optional: ColumnValue where Wrapped: ColumnValue {
    package static var null: SQLValue { Wrapped.null }
    package static func sample(_ number: Int) -> Wrapped? { Wrapped.sample(number) }
    package init(_ row: any SQLRow, _ column: Int) throws {
        self = row.isNull(column) ? nil : try Wrapped(row, column)
    }
    package var sql: SQLValue { self?.sql ?? Wrapped.null }
}

/// An identifier that is a number.
package protocol NumberColumnValue: ColumnValue {
    init(number: Int64)
    var number: Int64 { get }
}

extension NumberColumnValue {
    package static var null: SQLValue { .noInteger }
    package static func sample(_ number: Int) -> Self { Self(number: Int64(number)) }
    package init(_ row: any SQLRow, _ column: Int) { self.init(number: row.integer(column)) }
    package var sql: SQLValue { .integer(number) }
}

/// An enum by its raw values, which are numbers.
package protocol RawNumberColumnValue: ColumnValue, RawRepresentable<Int>, CaseIterable {}

extension RawNumberColumnValue {
    package static var null: SQLValue { .noInteger }
    package static func sample(_ number: Int) -> Self {
        allCases[allCases.index(allCases.startIndex, offsetBy: number % allCases.count)]
    }
    package init(_ row: any SQLRow, _ column: Int) throws {
        let number = row.integer(column)
        guard let value = Int(exactly: number).flatMap(Self.init(rawValue:)) else {
            throw SQLError(code: .row, "the database holds \(number) where it can't be")
        }
        self = value
    }
    package var sql: SQLValue { .integer(rawValue) }
}

/// A value that its column has as text, and not every text is one: identifiers, and enums by their
/// raw values.
package protocol TextColumnValue: ColumnValue {
    init?(columnText: String)
    var columnText: String { get }
}

extension TextColumnValue {
    package static var null: SQLValue { .noText }
    package init(_ row: any SQLRow, _ column: Int) throws {
        self = try row.value(column) { Self(columnText: $0) }
    }
    package var sql: SQLValue { .text(columnText) }
}

extension TextColumnValue where Self: RawRepresentable<String> {
    package init?(columnText: String) { self.init(rawValue: columnText) }
    package var columnText: String { rawValue }
}

extension TextColumnValue where Self: RawRepresentable<String> & CaseIterable {
    package static func sample(_ number: Int) -> Self {
        allCases[allCases.index(allCases.startIndex, offsetBy: number % allCases.count)]
    }
}
