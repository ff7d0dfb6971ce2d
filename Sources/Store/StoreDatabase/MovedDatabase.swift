/// A database whose rows are in another one by now.
package enum MovedDatabase {
    /// - Throws: `SQLError` with the code `moved`, and where they are now.
    package static func check(_ connection: any SQLConnection) throws {
        let address = try connection.row("SELECT address FROM moved_to", []) { $0.text(0) }
        if let address { throw error(address) }
    }

    static func error(_ address: String) -> SQLError {
        SQLError(
            code: .moved,
            "the shop has moved to \(address); start with --database and that address. Where nothing "
                + "of it is wanted here any more, drop what is left: of PostgreSQL the schemas "
                + "openstore and openstore_moved, of SQLite the file")
    }
}
