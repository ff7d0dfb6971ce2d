import Foundation
import StoreDatabase
import StoreKernel

/// Where a store keeps its rows: `sqlite:FILE`, or an address of a PostgreSQL server.
///
/// Its description has no password.
package enum DatabaseAddress: Sendable, CustomStringConvertible {
    case sqlite(path: String)
    case postgres(PostgresAddress)

    /// - Throws: `SQLError` for anything else. Its text repeats nothing of the address.
    package init(_ text: String) throws {
        if text.hasPrefix(scalars: "postgres://") || text.hasPrefix(scalars: "postgresql://") {
            self = .postgres(try PostgresAddress(text))
            return
        }
        let path = text.dropFirst("sqlite:".count)
        guard text.hasPrefix(scalars: "sqlite:"), !path.isEmpty else {
            throw SQLError(
                code: .other,
                "a database is named by postgres://user@host/name or sqlite:FILE")
        }
        self = .sqlite(path: URL(fileURLWithPath: String(path)).path)
    }

    package var description: String {
        switch self {
        case .sqlite(let path): "sqlite:\(path)"
        case .postgres(let address): address.description
        }
    }

    /// Opens the database; brings its schema up to date.
    ///
    /// - Throws: `SQLError`.
    package func open() throws -> any ShopDatabase {
        switch self {
        case .sqlite(let path): try SQLiteDatabase(path: path)
        case .postgres(let address): try PostgresDatabase(address)
        }
    }
}
