import StoreModel

/// What some columns of a row have in them.
///
/// The initializer is the description. It is run to list the columns, to read them and to write them.
/// The compiler makes sure that no property is left out, and `RecordDescription` that each property
/// stands for its own column.
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
package protocol RecordPart: Sendable {
    init(_ column: borrowing RecordColumns<Self>) throws
}

/// A row of a table.
package protocol Record: RecordPart {
    static var table: StaticString { get }
}

extension RecordPart {
    /// Its columns, for a statement: `"SELECT \(Affiliate.columns) FROM …"`.
    package static var columns: RecordDescription { RecordDescription.of(Self.self) }
}

/// What is done with a column beside reading it.
package enum ColumnRole: Sendable {
    /// It is inserted and updated.
    case plain
    /// It says which row it is. The database gives the number of a row whose key is 0.
    case key
    /// It is inserted, and never changed.
    case immutable
}

/// Asks a record for its columns, one after the other.
package struct RecordColumns<Owner>: ~Copyable {
    fileprivate let state: UnsafeMutablePointer<ColumnState>
    /// The record that is written; `nil` when columns are listed or read.
    fileprivate let owner: UnsafePointer<Owner>?

    init(_ state: UnsafeMutablePointer<ColumnState>, _ owner: UnsafePointer<Owner>? = nil) {
        (self.state, self.owner) = (state, owner)
    }

    /// A column. A key path rather than a function, because the compiler explains a wrong key path.
    package borrowing func callAsFunction<Value: ColumnValue>(
        _ name: StaticString, _ property: KeyPath<Owner, Value>, _ role: ColumnRole = .plain
    ) throws -> Value {
        guard let owner else { return try state.pointee.next(name, role) }
        return state.pointee.write(owner.pointee[keyPath: property])
    }

    /// An amount: a column of thousandths and one of the currency, which several amounts may share.
    package borrowing func money(
        _ amount: StaticString, _ currency: StaticString, _ property: KeyPath<Owner, Money>,
        _ role: ColumnRole = .plain
    ) throws -> Money {
        guard let owner else {
            return Money(
                thousandths: try state.pointee.next(amount, role),
                currency: try state.pointee.next(currency, role))
        }
        let money = owner.pointee[keyPath: property]
        return Money(
            thousandths: state.pointee.write(money.thousandths),
            currency: state.pointee.write(money.currency))
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
}

/// Where the columns of a record come from, or go to.
///
/// Apart from the record's type, so that the compiler makes its functions once for each type of value,
/// and not for each property.
struct ColumnState {
    enum Mode {
        /// The columns are listed, and samples given.
        case list
        case read
        case write
    }

    let mode: Mode
    var listed: [RecordDescription.Column] = []
    var prefix = ""
    /// How often the numbers of samples are halved.
    var shift = 0
    var row: (any SQLRow)?
    /// Where the row has each of the columns.
    var places: [Int] = []
    var position = 0
    var values: [SQLValue] = []

    init(_ mode: Mode) { self.mode = mode }

    @inline(never)
    mutating func next<Value: ColumnValue>(_ name: StaticString, _ role: ColumnRole) throws -> Value
    {
        switch mode {
        case .read:
            guard let row else { throw SQLError(code: .other, "there is no row") }
            defer { position += 1 }
            return try Value(row, places[position])
        case .list:
            let sample = Value.sample(listed.count >> shift)
            listed.append(
                RecordDescription.Column(
                    name: prefix + name.description, role: role, sample: sample.sql))
            return sample
        case .write:
            // Never so: what is written has an owner.
            return Value.sample(0)
        }
    }

    @inline(never)
    mutating func write<Value: ColumnValue>(_ value: Value) -> Value {
        values.append(value.sql)
        return value
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
