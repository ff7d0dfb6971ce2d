import Foundation
import StoreKernel
import Synchronization

/// A statement, or a part of one: text of the program, and values that are bound.
///
/// ```swift
/// let ofTeam: SQL? = team.map { "AND team = \($0)" }
/// let found = try connection.all(Item.self, "WHERE state = \(ItemState.onSale) \(ofTeam) ORDER BY id")
/// ```
/// No text from outside can get into it: its literals are `StaticString`s, so no `String` becomes
/// one, and whatever is interpolated is bound. PostgreSQL reads the same text, translated by
/// `PostgresText`.
package struct SQL: ExpressibleByStringInterpolation, Sendable {
    /// With a question mark for each value, in the order of `values`.
    private(set) var text: String
    private(set) var values: [SQLValue]

    package init(stringLiteral text: StaticString) {
        (self.text, values) = (text.description, [])
    }

    package init(stringInterpolation built: StringInterpolation) {
        (text, values) = (built.text, built.values)
    }

    /// Text that descriptions of records and schemas are made of.
    init(described text: String, _ values: [SQLValue] = []) {
        (self.text, self.values) = (text, values)
    }

    package struct StringInterpolation: StringInterpolationProtocol, Sendable {
        fileprivate var text = ""
        fileprivate var values: [SQLValue] = []

        package init(literalCapacity: Int, interpolationCount: Int) {
            text.reserveCapacity(literalCapacity + 32 * interpolationCount)
            values.reserveCapacity(interpolationCount)
        }

        package mutating func appendLiteral(_ literal: StaticString) {
            literal.withUTF8Buffer { text += String(decoding: $0, as: UTF8.self) }
        }

        /// A value, which is bound.
        package mutating func appendInterpolation(_ value: some ColumnValue) {
            text += "?"
            values.append(value.sql)
        }

        /// A value that there may be.
        package mutating func appendInterpolation(_ value: (some ColumnValue)?) {
            text += "?"
            values.append(value.sql)
        }

        /// A value as the database takes it.
        package mutating func appendInterpolation(bound value: SQLValue) {
            text += "?"
            values.append(value)
        }

        /// Values among which one has to be, `"name IN \(list: names)"`: bound as one array, so that
        /// the statement is the same for any number of them.
        package mutating func appendInterpolation(list values: [some TextColumnValue]) {
            appendInterpolation(list: values.map(\.columnText))
        }

        package mutating func appendInterpolation(list values: [String]) {
            text += "(SELECT value FROM json_each(?))"
            self.values.append(values.isEmpty ? .text("[]") : .list(values))
        }

        package mutating func appendInterpolation(list values: [Int64]) {
            text += "(SELECT CAST(value AS INTEGER) FROM json_each(?))"
            self.values.append(values.isEmpty ? .text("[]") : .list(values))
        }

        package mutating func appendInterpolation(list values: [some NumberColumnValue]) {
            appendInterpolation(list: values.map(\.number))
        }

        /// Cases of an enumeration in the text itself, `"state IN \(cases: [.active, .grace])"`: an index
        /// over some rows serves only statements that show its condition.
        package mutating func appendInterpolation<Case: RawRepresentable & CaseIterable>(
            cases: [Case]
        ) where Case.RawValue == String {
            let words = cases.map { "'\($0.rawValue.replacing(scalar: "'", with: "''"))'" }
            precondition(!words.isEmpty, "no case is among none")
            text += "(\(words.joined(separator: ", ")))"
        }

        /// A part of the statement; nothing if `nil`.
        package mutating func appendInterpolation(_ part: SQL?) {
            guard let part else { return }
            text += part.text
            values += part.values
        }

        /// Parts of the statement, one behind the other.
        package mutating func appendInterpolation(_ parts: [SQL?]) {
            for case .some(let part) in parts {
                text += " "
                appendInterpolation(part)
            }
        }

        /// A name or a keyword that the program chooses: `\(raw: isDescending ? "DESC" : "")`.
        package mutating func appendInterpolation(raw: StaticString) { appendLiteral(raw) }

        /// The columns of a record.
        ///
        /// - Parameters:
        ///   - alias: the table's.
        ///   - prefix: stands before their names in the result, as in `RecordColumns.part`.
        package mutating func appendInterpolation(
            _ columns: RecordDescription, of alias: StaticString? = nil,
            prefix: StaticString? = nil
        ) {
            text += columns.selection(alias, prefix)
        }
    }
}

/// The text of a statement at an address that never changes, by which drivers know what they have
/// prepared.
package struct StatementText: Hashable, @unchecked Sendable {
    // Sendable: bytes that nobody writes and nobody frees.
    let start: UnsafePointer<UInt8>
    let count: Int

    init(_ literal: StaticString) {
        (start, count) = (literal.utf8Start, literal.utf8CodeUnitCount)
    }

    /// The text of a composed statement. It is kept for ever: there are as many as the program has
    /// combinations of parts.
    init(_ sql: SQL) {
        self = ComposedTexts.shared.text(sql.text)
    }

    var bytes: UnsafeBufferPointer<UInt8> { UnsafeBufferPointer(start: start, count: count) }

    var description: String { String(decoding: bytes, as: UTF8.self) }

    fileprivate init(start: UnsafePointer<UInt8>, count: Int) {
        (self.start, self.count) = (start, count)
    }

    package static func == (left: Self, right: Self) -> Bool { left.start == right.start }

    package func hash(into hasher: inout Hasher) { hasher.combine(start) }
}

/// The texts of composed statements, each once.
private final class ComposedTexts: Sendable {
    static let shared = ComposedTexts()

    private let known = Mutex<[String: StatementText]>([:])

    func text(_ text: String) -> StatementText {
        known.withLock { known in
            if let found = known[text] { return found }
            let bytes = UnsafeMutableBufferPointer<UInt8>.allocate(
                capacity: max(text.utf8.count, 1))
            _ = bytes.initialize(from: text.utf8)
            let made = StatementText(
                start: UnsafePointer(bytes.baseAddress!), count: text.utf8.count)
            known[text] = made
            return made
        }
    }
}
