import StoreDatabase

/// The rows of a noun in a transaction: what each noun needs. Statements of its own are an extension of
/// the noun's (`extension Records<Affiliate>`), in a file `…Repository`.
package struct Records<Value: Record> {
    let connection: any SQLConnection

    init(_ connection: any SQLConnection) {
        self.connection = connection
    }

    package func find(_ key: some ColumnValue) throws -> Value? {
        try connection.find(Value.self, key)
    }

    /// All of them, the first made first.
    package func page(_ request: PageRequest) throws -> ListPage<Value> {
        try connection.page(Value.self, by: "id", request)
    }

    /// - Returns: the record as the database has it, with its number.
    @discardableResult
    package func insert(_ value: Value) throws -> Value { try connection.inserted(value) }

    /// Writes what may change of a record.
    package func update(_ value: Value) throws { try connection.update(value) }

    package func delete(_ key: some ColumnValue) throws { try connection.delete(Value.self, key) }
}
