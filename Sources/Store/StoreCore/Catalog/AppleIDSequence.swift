import StoreDatabase

/// The one sequence of numbers ("Apple IDs") for apps, in-app purchases, items and artists.
struct AppleIDSequence {
    let connection: any SQLConnection

    /// The next number, past all that publishers have brought along.
    func next() throws -> Int64 {
        let number = try connection.value(
            Int64.self,
            """
            WITH RECURSIVE free (id) AS (
                SELECT last + 1 FROM apple_id
                UNION ALL
                SELECT id + 1 FROM free WHERE EXISTS (SELECT 1 FROM item i WHERE i.id = free.id)
                    OR EXISTS (SELECT 1 FROM artist a WHERE a.id = free.id)
                    OR EXISTS (SELECT 1 FROM app p WHERE p.id = free.id)
                    OR EXISTS (SELECT 1 FROM product o WHERE o.id = free.id))
            SELECT max(id) FROM free
            """
        ).orMissing("number")
        try connection.run("UPDATE apple_id SET last = \(number)")
        return number
    }

    /// Whether a number names something in this store, or did.
    func isTaken(_ number: Int64) throws -> Bool {
        try connection.exists(
            """
            FROM app_number n
            WHERE n.last >= \(number)
                OR EXISTS (SELECT 1 FROM app WHERE id = \(number))
                OR EXISTS (SELECT 1 FROM product WHERE id = \(number))
                OR EXISTS (SELECT 1 FROM item WHERE id = \(number))
                OR EXISTS (SELECT 1 FROM artist WHERE id = \(number))
                OR EXISTS (SELECT 1 FROM former_apple_id WHERE id = \(number))
            """)
    }
}
