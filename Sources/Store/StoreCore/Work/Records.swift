import StoreDatabase

/// The rows of a noun, in a transaction: what every noun does with its own. What one of them needs beside
/// that is an extension (`extension Records<Affiliate>`).
package struct Records<Value: Record> {
    let connection: any SQLConnection

    init(_ connection: any SQLConnection) {
        self.connection = connection
    }

    package func find(_ key: some ColumnValue) throws -> Value? {
        try connection.find(Value.self, key)
    }

    /// All of them, in the order of their keys: of what has numbers, the first made first.
    package func page(_ request: PageRequest) throws -> ListPage<Value> {
        try connection.page(Value.self, by: Value.columns.key, request)
    }

    /// - Returns: the record as the database has it, with its number.
    @discardableResult
    package func insert(_ value: Value) throws -> Value { try connection.inserted(value) }

    /// Writes what may change of a record.
    package func update(_ value: Value) throws { try connection.update(value) }

    package func delete(_ key: some ColumnValue) throws { try connection.delete(Value.self, key) }
}
