// The protocol `ColumnValue` documents each member; the types that conform add nothing to it.
// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

import Foundation

/// A value that one column has.
public protocol ColumnValue: Sendable {
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
    @inlinable public static var null: SQLValue { .noInteger }
    @inlinable public static func sample(_ number: Int) -> Int64 { Int64(number) }
    @inlinable public init(_ row: any SQLRow, _ column: Int) { self = row.integer(column) }
    @inlinable public var sql: SQLValue { .integer(self) }
}

extension Int: ColumnValue {
    @inlinable public static var null: SQLValue { .noInteger }
    @inlinable public static func sample(_ number: Int) -> Int { number }
    @inlinable public init(_ row: any SQLRow, _ column: Int) { self = Int(row.integer(column)) }
    @inlinable public var sql: SQLValue { .integer(Int64(self)) }
}

extension Bool: ColumnValue {
    @inlinable public static var null: SQLValue { .noInteger }
    @inlinable public static func sample(_ number: Int) -> Bool { number % 2 == 1 }
    @inlinable public init(_ row: any SQLRow, _ column: Int) { self = row.integer(column) != 0 }
    @inlinable public var sql: SQLValue { .integer(Int64(self ? 1 : 0)) }
}

extension String: ColumnValue {
    @inlinable public static var null: SQLValue { .noText }
    @inlinable public static func sample(_ number: Int) -> String { "sample\(number)" }
    @inlinable public init(_ row: any SQLRow, _ column: Int) { self = row.text(column) }
    @inlinable public var sql: SQLValue { .text(self) }
}

extension Data: ColumnValue {
    @inlinable public static var null: SQLValue { .noText }
    @inlinable public static func sample(_ number: Int) -> Data { Data("sample\(number)".utf8) }
    @inlinable public init(_ row: any SQLRow, _ column: Int) { self = row.blob(column) }
    @inlinable public var sql: SQLValue { .blob(self) }
}

/// Milliseconds since 1970.
extension Date: ColumnValue {
    @inlinable public static var null: SQLValue { .noInteger }
    @inlinable public static func sample(_ number: Int) -> Date {
        Date(timeIntervalSince1970: Double(number))
    }
    public init(_ row: any SQLRow, _ column: Int) { self = row.date(column) }
    public var sql: SQLValue { .date(self) }
}

/// Milliseconds, and not below zero.
extension Duration: ColumnValue {
    @inlinable public static var null: SQLValue { .noInteger }
    @inlinable public static func sample(_ number: Int) -> Duration { .milliseconds(number) }
    @inlinable public init(_ row: any SQLRow, _ column: Int) {
        self = .milliseconds(row.integer(column))
    }
    @inlinable public var sql: SQLValue {
        let (seconds, attoseconds) = components
        return .integer(max(seconds * 1000 + attoseconds / 1_000_000_000_000_000, 0))
    }
}

extension Optional: ColumnValue where Wrapped: ColumnValue {
    @inlinable public static var null: SQLValue { Wrapped.null }
    @inlinable public static func sample(_ number: Int) -> Wrapped? { Wrapped.sample(number) }
    @inlinable public init(_ row: any SQLRow, _ column: Int) throws {
        self = row.isNull(column) ? nil : try Wrapped(row, column)
    }
    @inlinable public var sql: SQLValue { self?.sql ?? Wrapped.null }
}

/// The error of a column that the program would not have written: the database was changed by others.
@usableFromInline func impossible(_ value: String) -> any Error {
    SQLError(code: .row, "the database holds \(value) where it can't be")
}

/// An identifier that is a number.
public protocol NumberColumnValue: ColumnValue {
    init(number: Int64)
    var number: Int64 { get }
}

extension NumberColumnValue {
    @inlinable public static var null: SQLValue { .noInteger }
    @inlinable public static func sample(_ number: Int) -> Self { Self(number: Int64(number)) }
    @inlinable public init(_ row: any SQLRow, _ column: Int) {
        self.init(number: row.integer(column))
    }
    @inlinable public var sql: SQLValue { .integer(number) }
}

/// An enum by its raw values, which are numbers.
public protocol RawNumberColumnValue: ColumnValue, RawRepresentable<Int>, CaseIterable {}

extension RawNumberColumnValue {
    @inlinable public static var null: SQLValue { .noInteger }
    @inlinable public static func sample(_ number: Int) -> Self {
        allCases[allCases.index(allCases.startIndex, offsetBy: number % allCases.count)]
    }
    @inlinable public init(_ row: any SQLRow, _ column: Int) throws {
        let number = row.integer(column)
        guard let value = Int(exactly: number).flatMap(Self.init(rawValue:)) else {
            throw impossible("\(number)")
        }
        self = value
    }
    @inlinable public var sql: SQLValue { .integer(Int64(rawValue)) }
}

/// A value that its column has as text, and not every text is one: identifiers, and enums by their
/// raw values.
public protocol TextColumnValue: ColumnValue {
    init?(columnText: String)
    var columnText: String { get }
}

extension TextColumnValue {
    @inlinable public static var null: SQLValue { .noText }
    @inlinable public init(_ row: any SQLRow, _ column: Int) throws {
        let text = row.text(column)
        guard let value = Self(columnText: text) else { throw impossible("\"\(text)\"") }
        self = value
    }
    @inlinable public var sql: SQLValue { .text(columnText) }
}

extension TextColumnValue where Self: RawRepresentable<String> {
    @inlinable public init?(columnText: String) { self.init(rawValue: columnText) }
    @inlinable public var columnText: String { rawValue }
}

extension TextColumnValue where Self: RawRepresentable<String> & CaseIterable {
    @inlinable public static func sample(_ number: Int) -> Self {
        allCases[allCases.index(allCases.startIndex, offsetBy: number % allCases.count)]
    }
}
