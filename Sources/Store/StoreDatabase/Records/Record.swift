import Foundation

/// What some columns of a row have in them.
///
/// Public, and what reads and writes single columns inlinable, as in `ColumnValue` and `Cache`: only so the
/// compiler makes code for the types of other modules.
///
/// The initializer is the description. It is run to list the columns, to read them and to write them.
/// The compiler makes sure that no property is left out, and `RecordDescription` that each property
/// stands for its own column, except derived ones.
///
/// ```swift
/// extension Affiliate: Record {
///     package static let table: StaticString = "affiliate"
///     package init(_ column: borrowing RecordColumns<Self>) throws {
///         id = try column("id", \.id, .key)
///         name = try column("name", \.name)
///         created = try column("created", \.created, .immutable)
///     }
/// }
/// ```
public protocol RecordPart: Sendable {
    init(_ column: borrowing RecordColumns<Self>) throws
}

/// A row of a table.
public protocol Record: RecordPart {
    static var table: StaticString { get }
    /// What it is read from, as it stands behind `FROM`: its table, or a subquery in parentheses with an
    /// alias, which joins other tables and adds the columns whose role is `joined`.
    static var source: StaticString { get }
}

extension Record {
    /// The table, unless a record says otherwise.
    public static var source: StaticString { table }
}

extension RecordPart {
    /// Its columns, for a statement: `"SELECT \(Affiliate.columns) FROM …"`.
    package static var columns: RecordDescription { RecordDescription.of(Self.self) }
}

/// What is done with a column beside reading it.
public enum ColumnRole: Sendable {
    /// It is inserted and updated.
    case plain
    /// It says which row it is. The database gives the number of a row whose key is 0.
    case key
    /// It is inserted, and never changed.
    case immutable
    /// It is inserted and updated, and not read, because other columns say the same: for conditions,
    /// orders and indexes.
    case derived
    /// It is read and never written, because the record's source takes it from another table or computes it.
    case joined
}

/// Asks a record for its columns, one after the other.
public struct RecordColumns<Owner>: ~Copyable {
    @usableFromInline let state: UnsafeMutablePointer<ColumnState>
    /// The record that is written; `nil` when columns are listed or read.
    @usableFromInline let owner: UnsafePointer<Owner>?

    init(_ state: UnsafeMutablePointer<ColumnState>, _ owner: UnsafePointer<Owner>? = nil) {
        (self.state, self.owner) = (state, owner)
    }

    /// A column. A key path rather than a function, because the compiler explains a wrong key path.
    @inlinable public borrowing func callAsFunction<Value: ColumnValue>(
        _ name: StaticString, _ property: KeyPath<Owner, Value>, _ role: ColumnRole = .plain
    ) throws -> Value {
        guard let owner else { return try state.pointee.next(name, role) }
        return state.pointee.write(owner.pointee[keyPath: property])
    }

    /// A column that is written and not read, because other columns say the same.
    package borrowing func derived<Value: ColumnValue>(
        _ name: StaticString, _ property: KeyPath<Owner, Value>
    ) {
        if let owner {
            _ = state.pointee.write(owner.pointee[keyPath: property])
        } else {
            state.pointee.listDerived(name, Value.self)
        }
    }

    /// A value of two columns, the second of which other values may share.
    @inlinable public borrowing func pair<Value, First: ColumnValue, Second: ColumnValue>(
        _ first: StaticString, _ second: StaticString, _ property: KeyPath<Owner, Value>,
        _ role: ColumnRole = .plain, parts: (Value) -> (First, Second),
        value: (First, Second) -> Value
    ) throws -> Value {
        guard let owner else {
            return value(
                try state.pointee.next(first, role), try state.pointee.next(second, role))
        }
        let (one, other) = parts(owner.pointee[keyPath: property])
        return value(state.pointee.write(one), state.pointee.write(other))
    }

    /// The columns of a value that has several.
    ///
    /// - Parameter prefix: stands before their names, as the statement has it.
    package borrowing func part<Value: RecordPart>(
        _ property: KeyPath<Owner, Value>, prefix: StaticString? = nil
    ) throws -> Value {
        let before = state.pointee.prefix
        if let prefix { state.pointee.prefix += prefix.description }
        defer { state.pointee.prefix = before }
        guard let owner else { return try Value(RecordColumns<Value>(state)) }
        return try withUnsafePointer(to: owner.pointee[keyPath: property]) {
            try Value(RecordColumns<Value>(state, $0))
        }
    }

    /// The columns of a value that there may be: all of them are null where there is none.
    package borrowing func part<Value: RecordPart>(
        _ property: KeyPath<Owner, Value?>, prefix: StaticString? = nil
    ) throws -> Value? {
        let before = state.pointee.prefix
        if let prefix { state.pointee.prefix += prefix.description }
        defer { state.pointee.prefix = before }
        guard let owner else {
            if try state.pointee.skipsNulls(Value.self) { return nil }
            return try Value(RecordColumns<Value>(state))
        }
        guard let value = owner.pointee[keyPath: property] else {
            state.pointee.values += Value.columns.columns.map(\.null)
            return nil
        }
        return try withUnsafePointer(to: value) { try Value(RecordColumns<Value>(state, $0)) }
    }

    /// Two columns one of which has the value, by its kind; the other one is null. Both have
    /// `role` unless `secondRole` is given.
    package borrowing func either<First: ColumnValue, Second: ColumnValue>(
        _ first: StaticString, _ firstProperty: KeyPath<Owner, First?>,
        _ makeFirst: (First) -> Owner,
        _ second: StaticString, _ secondProperty: KeyPath<Owner, Second?>,
        _ makeSecond: (Second) -> Owner, _ role: ColumnRole = .plain,
        _ secondRole: ColumnRole? = nil
    ) throws -> Owner {
        guard let owner else {
            let one: First? = try state.pointee.alternative(first, role, 0)
            let other: Second? = try state.pointee.alternative(second, secondRole ?? role, 1)
            if let one { return makeFirst(one) }
            if let other { return makeSecond(other) }
            throw SQLError(code: .row, "a row has neither \"\(first)\" nor \"\(second)\"")
        }
        _ = state.pointee.write(owner.pointee[keyPath: firstProperty])
        _ = state.pointee.write(owner.pointee[keyPath: secondProperty])
        return owner.pointee
    }

    /// A value that its column has as JSON.
    ///
    /// - Parameters:
    ///   - sample: what a record of samples has.
    ///   - cache: values by their texts, where many rows have the same text.
    package borrowing func json<Value: Codable & Sendable>(
        _ name: StaticString, _ property: KeyPath<Owner, Value>, sample: Value,
        _ role: ColumnRole = .plain, cache: JSONColumnCache<Value>? = nil
    ) throws -> Value {
        guard let owner else {
            return try state.pointee.nextJSON(name, role, sample: sample, cache)
        }
        let value = owner.pointee[keyPath: property]
        state.pointee.values.append(try .json(value))
        return value
    }

    /// Never called: without it, `json` would write the text `null` for a property without a value.
    @available(*, unavailable, renamed: "optionalJSON")
    package borrowing func json<Value: Codable & Sendable>(
        _ name: StaticString, _ property: KeyPath<Owner, Value?>, sample: Value?,
        _ role: ColumnRole = .plain, cache: JSONColumnCache<Value>? = nil
    ) throws -> Value? { nil }

    /// A value that its column has as JSON; null where there is none.
    ///
    /// - Parameters:
    ///   - sample: what a record of samples has.
    ///   - cache: values by their texts, where many rows have the same text.
    package borrowing func optionalJSON<Value: Codable & Sendable>(
        _ name: StaticString, _ property: KeyPath<Owner, Value?>, sample: Value?,
        _ role: ColumnRole = .plain, cache: JSONColumnCache<Value>? = nil
    ) throws -> Value? {
        guard let owner else {
            return try state.pointee.nextOptionalJSON(name, role, sample: sample, cache)
        }
        let value = owner.pointee[keyPath: property]
        state.pointee.values.append(try value.map { try .json($0) } ?? .noText)
        return value
    }
}

/// Where the columns of a record come from, or go to.
///
/// Apart from the record's type, so that the compiler makes its functions once for each type of value,
/// and not for each property.
@usableFromInline struct ColumnState {
    @usableFromInline enum Mode {
        /// The columns are listed, and samples given.
        case list
        case read
        case write
    }

    @usableFromInline let mode: Mode
    var listed: [RecordDescription.Column] = []
    var prefix = ""
    /// How often the numbers of samples are halved.
    var shift = 0
    @usableFromInline var row: (any SQLRow)?
    /// Where the row has each of the columns.
    @usableFromInline var places: [Int] = []
    @usableFromInline var position = 0
    @usableFromInline var values: [SQLValue] = []

    init(_ mode: Mode) { self.mode = mode }

    @inlinable @inline(never)
    mutating func next<Value: ColumnValue>(_ name: StaticString, _ role: ColumnRole) throws -> Value
    {
        switch mode {
        case .read:
            guard let row else { throw Self.noRow }
            defer { position += 1 }
            return try Value(row, places[position])
        case .list:
            let sample = Value.sample(sampleNumber)
            list(name, role, sample: sample.sql, null: Value.null)
            return sample
        case .write:
            // Never so: what is written has an owner.
            return Value.sample(0)
        }
    }

    @usableFromInline static var noRow: any Error {
        SQLError(code: .other, "there is no row")
    }

    @usableFromInline var sampleNumber: Int { listed.count >> shift }

    @usableFromInline mutating func list(
        _ name: StaticString, _ role: ColumnRole, sample: SQLValue, null: SQLValue
    ) {
        listed.append(
            RecordDescription.Column(
                name: prefix + name.description, role: role, sample: sample, null: null))
    }

    mutating func listDerived<Value: ColumnValue>(_ name: StaticString, _ type: Value.Type) {
        guard mode == .list else { return }
        listed.append(
            RecordDescription.Column(
                name: prefix + name.description, role: .derived, sample: Value.null,
                null: Value.null))
    }

    /// One of two columns. A record of samples has the first and the second in turn.
    mutating func alternative<Value: ColumnValue>(
        _ name: StaticString, _ role: ColumnRole, _ number: Int
    ) throws -> Value? {
        guard mode == .list, shift % 2 != number else { return try next(name, role) }
        listed.append(
            RecordDescription.Column(
                name: prefix + name.description, role: role, sample: Value.null, null: Value.null))
        return nil
    }

    mutating func nextJSON<Value: Codable & Sendable>(
        _ name: StaticString, _ role: ColumnRole, sample: Value, _ cache: JSONColumnCache<Value>?
    ) throws -> Value {
        guard mode == .read, let row else {
            return list(name, role, sample, try .json(sample))
        }
        defer { position += 1 }
        let text = row.data(places[position])
        return try cache?.value(for: text) ?? ColumnJSON.decoded(text)
    }

    mutating func nextOptionalJSON<Value: Codable & Sendable>(
        _ name: StaticString, _ role: ColumnRole, sample: Value?, _ cache: JSONColumnCache<Value>?
    ) throws -> Value? {
        guard mode == .read, let row else {
            return list(name, role, sample, try sample.map { try .json($0) } ?? .noText)
        }
        defer { position += 1 }
        guard !row.isNull(places[position]) else { return nil }
        let text = row.data(places[position])
        return try cache?.value(for: text) ?? ColumnJSON.decoded(text)
    }

    private mutating func list<Value>(
        _ name: StaticString, _ role: ColumnRole, _ sample: Value, _ json: SQLValue
    ) -> Value {
        listed.append(
            RecordDescription.Column(
                name: prefix + name.description, role: role, sample: json, null: .noText))
        return sample
    }

    /// Whether the row that is read has none of the part's columns; it goes on behind them then.
    mutating func skipsNulls<Value: RecordPart>(_ part: Value.Type) throws -> Bool {
        guard mode == .read, let row else { return false }
        let end = position + part.columns.read.count
        guard places[position..<end].allSatisfy({ row.isNull($0) }) else { return false }
        position = end
        return true
    }

    @inlinable @inline(never)
    mutating func write<Value: ColumnValue>(_ value: Value) -> Value {
        values.append(value.sql)
        return value
    }
}

/// How columns have JSON.
enum ColumnJSON {
    private static let decoder = JSONDecoder()
    private static let encoder: JSONEncoder = {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        return encoder
    }()

    static func decoded<Value: Decodable>(_ text: Data) throws -> Value {
        do {
            return try decoder.decode(Value.self, from: text)
        } catch {
            throw SQLError(code: .row, "the database holds JSON that can't be read: \(error)")
        }
    }

    static func encoded(_ value: some Encodable) throws -> String {
        String(decoding: try encoder.encode(value), as: UTF8.self)
    }
}

extension RecordPart {
    /// What is written for it, in the order of its columns.
    func written() throws -> [SQLValue] {
        var state = ColumnState(.write)
        try withUnsafePointer(to: self) { owner in
            try withUnsafeMutablePointer(to: &state) { _ = try Self(RecordColumns($0, owner)) }
        }
        return state.values
    }
}
