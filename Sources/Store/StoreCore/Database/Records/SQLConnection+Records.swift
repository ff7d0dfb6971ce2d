/// Records are read and written by these; whatever else a statement gives is read by `rows`.
extension SQLConnection {
    // MARK: Reading

    /// The records that a whole statement gives. It names their columns, in any order.
    func records<Value: RecordPart>(_ type: Value.Type, _ sql: SQL) throws -> [Value] {
        let text = StatementText(sql)
        var state = ColumnState(.read)
        return try rows(text, sql.values) { row in
            if state.row == nil { state.places = try type.columns.places(in: row, of: text) }
            state.row = row
            state.position = 0
            return try withUnsafeMutablePointer(to: &state) { try Value(RecordColumns($0)) }
        }
    }

    /// The records of a table: `"WHERE team = \(team) ORDER BY id"`.
    func all<Value: Record>(_ type: Value.Type, _ rest: SQL = "") throws -> [Value] {
        try records(type, "SELECT \(type.columns) FROM \(raw: type.table) \(rest)")
    }

    /// The first record of a table: `"WHERE token = \(token)"`.
    func first<Value: Record>(_ type: Value.Type, _ rest: SQL) throws -> Value? {
        try all(type, "\(rest) LIMIT 1").first
    }

    /// The record with a key.
    func find<Value: Record>(_ type: Value.Type, _ key: some ColumnValue) throws -> Value? {
        try all(type, "WHERE \(type.columns.key) = \(key)").first
    }

    /// A page of a list, with the number of all: list and count come from one condition.
    ///
    /// - Parameters:
    ///   - condition: `"WHERE team = \(team)"`.
    ///   - order: `"name, id"`.
    func page<Value: Record>(
        _ type: Value.Type, _ condition: SQL = "", by order: SQL, _ request: PageRequest
    ) throws -> ListPage<Value> {
        let found = try all(
            type,
            "\(condition) ORDER BY \(order) LIMIT \(request.limit) OFFSET \(try request.offset())")
        let total = try value(Int.self, "SELECT count(*) FROM \(raw: type.table) \(condition)")
        return try ListPage(found, total: total ?? 0, from: request)
    }

    /// The one value of the first row; `nil` if there is no row.
    func value<Value: ColumnValue>(_ type: Value.Type, _ sql: SQL) throws -> Value? {
        try rows(sql) { try Value($0, 0) }.first
    }

    /// Whether there is a row: `"FROM affiliate WHERE …"`.
    func exists(_ rest: SQL) throws -> Bool {
        try value(Int.self, "SELECT 1 \(rest) LIMIT 1") != nil
    }

    // MARK: Writing

    /// Adds a record.
    func insert<Value: Record>(_ record: Value) throws {
        try run(try Value.columns.statements.insertion(of: try record.written()))
    }

    /// Adds a record, and gives it back as the database has it: with its number, and what triggers
    /// made of it.
    func inserted<Value: Record>(_ record: Value) throws -> Value {
        let columns = Value.columns
        let insertion = try columns.statements.insertion(of: try record.written())
        return try records(Value.self, "\(insertion) RETURNING \(columns)").first
            .orMissing("record")
    }

    /// Writes what may change of a record.
    func update<Value: Record>(_ record: Value) throws {
        try run(try Value.columns.statements.update(to: try record.written()))
    }

    /// Deletes the record with a key.
    func delete<Value: Record>(_ type: Value.Type, _ key: some ColumnValue) throws {
        try run("DELETE FROM \(raw: type.table) WHERE \(type.columns.key) = \(key)")
    }
}
