import StoreDatabase
import StoreModel

/// Takes transactions out of the database of a test's store. A store that is not a test's never
/// deletes one.
package struct TransactionDeletion {
    private let connection: SQLiteConnection

    /// - Parameter path: that of the database.
    /// - Throws: `SQLError`.
    package init(database path: String) throws {
        connection = try SQLiteConnection(path: path)
        try connection.ignoreTriggers()
    }

    /// A transaction and the ones that depend on it: its renewals, its restored copies, and changes of plan
    /// that were ordered during its period.
    package func family(of id: TransactionID) throws -> [TransactionID] {
        try numbers(
            "SELECT id FROM ledger WHERE id = \(id.number) OR original = \(id.number) "
                + "UNION SELECT id FROM ledger_period WHERE original = \(id.number) "
                + "OR period = \(id.number) ORDER BY 1"
        ).map { TransactionID(number: $0) }
    }

    /// Deletes transactions, and everything that is known of them.
    ///
    /// A subscription whose last period goes refers to the one before, which no better product has ended any
    /// more. What else its row says is of the period that is gone: see `SubscriptionTesting.goBack`.
    package func delete(_ ids: [TransactionID]) throws {
        try connection.script("BEGIN IMMEDIATE")
        do {
            let numbers = ids.map(\.number)
            let gone = Self.list(numbers)
            let earlier = """
                SELECT max(p.id) FROM ledger_period p
                WHERE p.original = subscription.original AND p.is_paid = 1 AND p.id NOT IN \(gone)
                """
            try connection.script(
                """
                DELETE FROM ledger_upgrade WHERE id IN (
                    SELECT (\(earlier)) FROM subscription WHERE latest IN \(gone));
                UPDATE subscription SET latest = coalesce((\(earlier)), original)
                WHERE latest IN \(gone)
                """)
            try delete(from: "ledger", where: "id", numbers)
            try connection.script("COMMIT")
        } catch {
            try? connection.script("ROLLBACK")
            throw error
        }
    }

    /// Deletes rows of a table, and before them the rows of other tables that refer to them.
    private func delete(from table: String, where column: String, _ values: [Int64]) throws {
        guard !values.isEmpty else { return }
        let rows = "FROM \(table) WHERE \(column) IN \(Self.list(values))"
        for reference in try references(to: table) {
            let referred = try numbers("SELECT DISTINCT \(reference.referred) \(rows)")
            try delete(from: reference.table, where: reference.column, referred)
        }
        try connection.script("DELETE \(rows)")
    }

    private struct Reference {
        let table: String
        let column: String
        /// The column that it refers to.
        let referred: String
    }

    /// The foreign keys of other tables, and of the table itself.
    private func references(to table: String) throws -> [Reference] {
        try connection.values(
            """
            SELECT s.name, k."from", k."to"
            FROM sqlite_schema s JOIN pragma_foreign_key_list(s.name) k
            WHERE s.type = 'table' AND k."table" = '\(table)' ORDER BY 1, 2
            """, count: 3
        ).compactMap { row in
            guard case .text(let table) = row[0], case .text(let column) = row[1],
                case .text(let referred) = row[2]
            else { return nil }
            return Reference(table: table, column: column, referred: referred)
        }
    }

    private func numbers(_ sql: String) throws -> [Int64] {
        try connection.values(sql, count: 1).compactMap { row in
            if case .integer(let number) = row[0] { number } else { nil }
        }
    }

    private static func list(_ numbers: [Int64]) -> String {
        "(" + numbers.map(String.init).joined(separator: ", ") + ")"
    }
}
