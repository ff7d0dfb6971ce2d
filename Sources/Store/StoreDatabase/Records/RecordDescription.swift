import Synchronization

/// What is known of a kind of record: its columns and the statements that write it, found once by
/// running its initializer.
package final class RecordDescription: Sendable {
    struct Column: Sendable {
        let name: String
        let role: ColumnRole
        /// What is written for a record of samples.
        let sample: SQLValue
        /// What is written where there is no value.
        let null: SQLValue
    }

    /// In the initializer's order; a column that several properties share comes several times.
    let columns: [Column]
    /// The names of the columns that are read, in the order of `columns`.
    let read: [String]
    /// Each once.
    private let selected: [String]
    private let list: String
    private let places = Mutex<[StatementText: [Int]]>([:])
    fileprivate let writing: RecordStatements?

    private init<Value: RecordPart>(_ type: Value.Type) {
        // Two columns with the same sample, such as truth values, get different ones in one of these.
        for shift in 1..<7 { _ = Self.listed(type, shift) }
        columns = Self.listed(type, 0)
        var seen: Set<String> = []
        read = columns.filter { $0.role != .derived }.map(\.name)
        selected = read.filter { seen.insert($0).inserted }
        list = selected.joined(separator: ", ")
        writing = (type as? any Record.Type).map { [columns] in RecordStatements($0.table, columns)
        }
    }

    /// Makes a record of samples, and checks that each column is written as it was read. A property with
    /// the key path of another one is found here, when the record is first used.
    private static func listed<Value: RecordPart>(_ type: Value.Type, _ shift: Int) -> [Column] {
        var state = ColumnState(.list)
        state.shift = shift
        do {
            let value = try withUnsafeMutablePointer(to: &state) { try Value(RecordColumns($0)) }
            let written = try value.written()
            precondition(written.count == state.listed.count, "\(type) leaves columns out")
            for (column, value) in zip(state.listed, written) where column.role != .derived {
                precondition(
                    value == column.sample, "\(type) has another property for \"\(column.name)\"")
            }
        } catch {
            preconditionFailure("\(type) can't be made of samples: \(error)")
        }
        return state.listed
    }

    private static let known = Mutex<[ObjectIdentifier: RecordDescription]>([:])

    static func of<Value: RecordPart>(_ type: Value.Type) -> RecordDescription {
        if let found = known.withLock({ $0[ObjectIdentifier(type)] }) { return found }
        // Outside of the lock, because a record asks for its parts.
        let made = RecordDescription(type)
        return known.withLock { known in
            if let found = known[ObjectIdentifier(type)] { return found }
            known[ObjectIdentifier(type)] = made
            return made
        }
    }

    func selection(_ alias: StaticString?, _ prefix: StaticString?) -> String {
        guard alias != nil || prefix != nil else { return list }
        let table = alias.map { "\($0)." } ?? ""
        return selected.map { name in
            prefix.map { "\(table)\(name) AS \($0)\(name)" } ?? "\(table)\(name)"
        }.joined(separator: ", ")
    }

    /// Where the rows of a statement have the columns.
    ///
    /// - Throws: `SQLError` that names a column which the statement lacks.
    func places(in row: any SQLRow, of text: StatementText) throws -> [Int] {
        if let known = places.withLock({ $0[text] }) { return known }
        let names = row.names
        let found = try read.map { name in
            guard let place = names.firstIndex(of: name) else {
                throw SQLError(code: .other, "the statement has no column \"\(name)\"")
            }
            return place
        }
        places.withLock { $0[text] = found }
        return found
    }

    /// Whether some columns are read and never written.
    var isJoined: Bool { columns.contains { $0.role == .joined } }

    /// The name of the column that says which row it is.
    package var key: SQL { SQL(described: keyColumn.name) }

    /// Whether its key is a number.
    var isNumbered: Bool { if case .integer = keyColumn.sample { true } else { false } }

    private var keyColumn: Column {
        let keys = columns.filter { $0.role == .key }
        precondition(keys.count == 1, "the record has no key of one column")
        return keys[0]
    }

    /// The statements that write it.
    var statements: RecordStatements {
        guard let writing else { preconditionFailure("a part of a record is no row of a table") }
        return writing
    }

    private let statementsWithOthers = Mutex<[[OtherColumn.StatementKey]: RecordStatements]>([:])

    /// The statements that write it together with columns that no property has.
    func statements(_ table: StaticString, with others: [OtherColumn]) -> RecordStatements {
        guard !others.isEmpty else { return statements }
        let names = others.map(\.statementKey)
        return statementsWithOthers.withLock { known in
            if let found = known[names] { return found }
            let made = RecordStatements(table, others.map(\.column) + columns)
            known[names] = made
            return made
        }
    }
}

/// A column of a record's row that no property stands for, such as what the record belongs to.
package struct OtherColumn: Sendable {
    /// What the text of a statement depends on: not the value.
    struct StatementKey: Hashable {
        let name: String
        let role: ColumnRole
    }

    let column: RecordDescription.Column
    let value: SQLValue

    var statementKey: StatementKey { StatementKey(name: column.name, role: column.role) }

    package init<Value: ColumnValue>(
        _ name: StaticString, _ value: Value, _ role: ColumnRole = .plain
    ) {
        column = RecordDescription.Column(
            name: name.description, role: role, sample: value.sql, null: Value.null)
        self.value = value.sql
    }
}

/// The statements that write a record.
struct RecordStatements: Sendable {
    /// A statement with the columns that it binds, by their numbers.
    struct Statement: Sendable {
        let text: String
        let columns: [Int]

        func sql(_ values: [SQLValue]) -> SQL {
            SQL(described: text, columns.map { values[$0] })
        }
    }

    private let insertion: Statement
    /// Without the key, which the database gives.
    private let numberedInsertion: Statement
    private let update: Statement
    /// Adds a row, or updates the one that has its key.
    private let replacement: Statement
    private let keys: [Int]
    /// Columns of several properties, which must have the same value in all of them.
    private let shared: [(first: Int, other: Int)]

    init(_ table: StaticString, _ columns: [RecordDescription.Column]) {
        let own = columns.indices.filter { columns[$0].role != .joined }
        let first = Dictionary(
            own.map { (columns[$0].name, $0) }, uniquingKeysWith: { first, _ in first })
        let all = own.filter { first[columns[$0].name] == $0 }
        shared = own.compactMap { index in
            first[columns[index].name].flatMap { $0 == index ? nil : ($0, index) }
        }
        keys = all.filter { columns[$0].role == .key }
        let changed = all.filter { [.plain, .derived].contains(columns[$0].role) }
        func insertion(_ bound: [Int]) -> Statement {
            let names = bound.map { columns[$0].name }.joined(separator: ", ")
            let marks = bound.map { _ in "?" }.joined(separator: ", ")
            return Statement(
                text: "INSERT INTO \(table) (\(names)) VALUES (\(marks))", columns: bound)
        }
        func assignments(_ bound: [Int], _ separator: String) -> String {
            bound.map { "\(columns[$0].name) = ?" }.joined(separator: separator)
        }
        self.insertion = insertion(all)
        numberedInsertion = insertion(all.filter { columns[$0].role != .key })
        update = Statement(
            text: "UPDATE \(table) SET \(assignments(changed, ", ")) "
                + "WHERE \(assignments(keys, " AND "))",
            columns: changed + keys)
        let excluded = changed.map { "\(columns[$0].name) = excluded.\(columns[$0].name)" }
        replacement = Statement(
            text: insertion(all).text
                + " ON CONFLICT (\(keys.map { columns[$0].name }.joined(separator: ", "))) "
                + "DO UPDATE SET \(excluded.joined(separator: ", "))",
            columns: all)
    }

    /// The insertion of these values: without the key if it is 0.
    ///
    /// - Throws: `SQLError` for two values of one column.
    func insertion(of values: [SQLValue]) throws -> SQL {
        try check(values)
        let isNumbered = keys.count == 1 && values[keys[0]] == .integer(0)
        return (isNumbered ? numberedInsertion : insertion).sql(values)
    }

    /// The update to these values.
    ///
    /// - Throws: `SQLError` for two values of one column, and for a record without a key or with immutable
    ///   columns only.
    func update(to values: [SQLValue]) throws -> SQL {
        try check(values)
        guard !keys.isEmpty, update.columns.count > keys.count else {
            throw SQLError(code: .other, "the record has no key, or only immutable columns")
        }
        return update.sql(values)
    }

    /// The insertion of these values, or the update to them where the key is known.
    ///
    /// - Throws: `SQLError` for two values of one column.
    func replacement(by values: [SQLValue]) throws -> SQL {
        try check(values)
        return replacement.sql(values)
    }

    private func check(_ values: [SQLValue]) throws {
        for (first, other) in shared where values[first] != values[other] {
            throw SQLError(
                code: .other, "a record has \(values[first]) and \(values[other]) for one column")
        }
    }
}
