/// Records are read and written by these; whatever else a statement gives is read by `rows`.
extension SQLConnection {
    // MARK: Reading

    /// The records that a whole statement gives. It names their columns, in any order.
    package func records<Value: RecordPart>(_ type: Value.Type, _ sql: SQL) throws -> [Value] {
        try rows(type, sql) { $0 }
    }

    /// The same one at a time: none is kept.
    package func read<Value: RecordPart>(
        _ type: Value.Type, _ sql: SQL, _ body: (Value) throws -> Void
    ) throws {
        _ = try rows(type, sql, body)
    }

    private func rows<Value: RecordPart, Result>(
        _ type: Value.Type, _ sql: SQL, _ body: (Value) throws -> Result
    ) throws -> [Result] {
        let text = StatementText(sql)
        var state = ColumnState(.read)
        return try rows(text, sql.values) { row in
            if state.row == nil { state.places = try type.columns.places(in: row, of: text) }
            state.row = row
            state.position = 0
            return try body(
                try withUnsafeMutablePointer(to: &state) { try Value(RecordColumns($0)) })
        }
    }

    /// The same where some rows may be broken: each with a part of its row by which it is known.
    package func results<Key: RecordPart, Value: RecordPart>(
        _ type: Value.Type, by key: Key.Type, _ sql: SQL
    ) throws -> [(key: Key, value: Result<Value, any Error>)] {
        let text = StatementText(sql)
        var (keys, values) = (ColumnState(.read), ColumnState(.read))
        return try rows(text, sql.values) { row in
            if keys.row == nil {
                keys.places = try key.columns.places(in: row, of: text)
                values.places = try type.columns.places(in: row, of: text)
            }
            (keys.row, keys.position) = (row, 0)
            (values.row, values.position) = (row, 0)
            return (
                try withUnsafeMutablePointer(to: &keys) { try Key(RecordColumns($0)) },
                Result {
                    try withUnsafeMutablePointer(to: &values) { try Value(RecordColumns($0)) }
                }
            )
        }
    }

    /// The records of a table: `"WHERE team = \(team) ORDER BY id"`.
    package func all<Value: Record>(_ type: Value.Type, _ rest: SQL = "") throws -> [Value] {
        try records(type, "SELECT \(type.columns) FROM \(raw: type.source) \(rest)")
    }

    /// The first record of a table: `"WHERE token = \(token)"`.
    package func first<Value: Record>(_ type: Value.Type, _ rest: SQL) throws -> Value? {
        try all(type, "\(rest) LIMIT 1").first
    }

    /// The record with a key.
    package func find<Value: Record>(_ type: Value.Type, _ key: some ColumnValue) throws -> Value? {
        try all(type, "WHERE \(type.columns.key) = \(key)").first
    }

    /// The one value of each row.
    package func values<Value: ColumnValue>(_ type: Value.Type, _ sql: SQL) throws -> [Value] {
        try rows(sql) { try Value($0, 0) }
    }

    /// The one value of the first row; `nil` if there is no row.
    package func value<Value: ColumnValue>(_ type: Value.Type, _ sql: SQL) throws -> Value? {
        try rows(sql) { try Value($0, 0) }.first
    }

    /// Whether there is a row: `"FROM affiliate WHERE …"`.
    package func exists(_ rest: SQL) throws -> Bool {
        try value(Int.self, "SELECT 1 \(rest) LIMIT 1") != nil
    }

    // MARK: Writing

    /// Adds a record.
    ///
    /// - Parameter others: what else its row has.
    package func insert<Value: Record>(_ record: Value, with others: OtherColumn...) throws {
        let (writing, values) = try written(record, others)
        try run(try writing.insertion(of: values))
    }

    /// Adds a record, and gives it back as the database has it: with its number, and what triggers
    /// made of it.
    package func inserted<Value: Record>(_ record: Value, with others: OtherColumn...) throws
        -> Value
    {
        let (writing, values) = try written(record, others)
        let insertion = try writing.insertion(of: values)
        guard Value.columns.isJoined else {
            return try records(Value.self, "\(insertion) RETURNING \(Value.columns)").first
                .orMissing("record")
        }
        let key = Value.columns.key
        let isNumber = Value.columns.isNumbered
        return try rows("\(insertion) RETURNING \(key)") { row in
            isNumber ? SQLValue.integer(row.integer(0)) : .text(row.text(0))
        }.first.flatMap { try first(Value.self, "WHERE \(key) = \(bound: $0)") }.orMissing("record")
    }

    /// Adds a record, or writes what may change of the one with its key.
    package func save<Value: Record>(_ record: Value, with others: OtherColumn...) throws {
        let (writing, values) = try written(record, others)
        try run(try writing.replacement(by: values))
    }

    /// Writes what may change of a record.
    package func update<Value: Record>(_ record: Value) throws {
        try run(try Value.columns.statements.update(to: try record.written()))
    }

    private func written<Value: Record>(
        _ record: Value, _ others: [OtherColumn]
    ) throws -> (RecordStatements, [SQLValue]) {
        let writing = Value.columns.statements(Value.table, with: others)
        return (writing, others.map(\.value) + (try record.written()))
    }

    /// Deletes the record with a key.
    package func delete<Value: Record>(_ type: Value.Type, _ key: some ColumnValue) throws {
        try run("DELETE FROM \(raw: type.table) WHERE \(type.columns.key) = \(key)")
    }
}

extension Record {
    /// The statement that adds it, to which the caller adds a clause: `"\(try record.insertion()) ON CONFLICT …"`.
    package func insertion() throws -> SQL {
        try Self.columns.statements.insertion(of: try written())
    }
}

extension Optional {
    /// The row that a statement with RETURNING always gives.
    package func orMissing(_ what: String) throws -> Wrapped {
        guard let self else { throw SQLError(code: .other, "the \(what) was not written") }
        return self
    }
}
