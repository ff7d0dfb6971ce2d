import StoreDatabase

extension SQLConnection {
    /// A page of a list, with the number of all: list and count come from one condition.
    ///
    /// - Parameters:
    ///   - condition: `"WHERE team = \(team)"`.
    ///   - order: `"name, id"`.
    func page<Value: Record>(
        _ type: Value.Type, _ condition: SQL = "", by order: SQL, _ request: PageRequest
    ) throws -> ListPage<Value> {
        try page(type, from: "\(raw: type.source) \(condition)", by: order, request)
    }

    /// A page of what several tables give together.
    ///
    /// - Parameter source: what stands behind `FROM`, with the condition.
    func page<Value: RecordPart>(
        _ type: Value.Type, from source: SQL, by order: SQL, _ request: PageRequest
    ) throws -> ListPage<Value> {
        let found = try records(
            type,
            """
            SELECT \(type.columns) FROM \(source) ORDER BY \(order)
            LIMIT \(request.limit) OFFSET \(try request.offset())
            """)
        let total = try value(Int.self, "SELECT count(*) FROM \(source)")
        return try ListPage(found, total: total ?? 0, from: request)
    }
}
