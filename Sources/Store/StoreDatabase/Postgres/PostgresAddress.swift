import CStorePostgres
import Foundation
import StoreKernel

/// Where a database of PostgreSQL is: `postgres://user:password@host:5432/name`, with the
/// parameters of libpq.
///
/// Its description has no password.
package struct PostgresAddress: Sendable, CustomStringConvertible {
    private let text: String
    package let description: String

    /// The store's schema in the database; others may stand beside it.
    static let schema = "openstore"

    /// The oldest server with everything that is used: 14.
    private static let oldestServer: Int32 = 140_000

    /// - Throws: `SQLError` where libpq can't read the address. What it says holds no password.
    package init(_ text: String) throws {
        self.text = text
        var reason: UnsafeMutablePointer<CChar>?
        guard let options = PQconninfoParse(text, &reason) else {
            PQfreemem(reason)
            throw Self.unreadable
        }
        defer { PQconninfoFree(options) }
        var values: [String: String] = [:]
        var option = options
        while let keyword = option.pointee.keyword {
            if let value = option.pointee.val {
                values[String(cString: keyword)] = String(cString: value)
            }
            option += 1
        }
        let host = values["host"] ?? values["hostaddr"] ?? "localhost"
        let isSocket = host.hasPrefix(scalars: "/")
        // A password with one of these in it would be read as host or name, and shown as such.
        guard !host.contains(scalar: "@"),
            values["dbname"]?.unicodeScalars.contains(where: { $0 == "@" || $0 == "/" }) != true,
            values["port"].map({ $0.split(scalar: ",").allSatisfy { UInt16($0) != nil } })
                ?? true
        else { throw Self.unreadable }
        let port = values["port"].map { ":\($0)" } ?? ""
        let name = values["dbname"] ?? values["user"] ?? ""
        let user = values["user"].map { "\($0)@" } ?? ""
        description =
            isSocket
            ? "postgres:///\(name)?host=\(host)" + (values["port"].map { "&port=\($0)" } ?? "")
            : "postgres://\(user)\(host)\(port)/\(name)"
    }

    private static let unreadable = SQLError(
        code: .other,
        "the address of the database can't be read; it looks like "
            + "postgres://user:password@host:5432/name, with %40 for @, %2F for / and %25 for % in "
            + "a password")

    /// A connection whose session is set up. The caller gives it to `PQfinish`.
    func connect() throws -> OpaquePointer {
        // What stands behind the address holds whatever it says.
        let parameters = [
            ("connect_timeout", "10"), ("tcp_user_timeout", "30000"), ("keepalives_idle", "30"),
            ("keepalives_interval", "5"), ("keepalives_count", "4"),
            ("application_name", "openstore"),
            // Of several hosts the one that may be written to; an address may say otherwise.
            ("target_session_attrs", "read-write"),
            ("dbname", text), ("client_encoding", "UTF8"),
        ]
        let keys = parameters.map { strdup($0.0) }
        let values = parameters.map { strdup($0.1) }
        defer { for text in keys + values { free(text) } }
        let opened = PQconnectdbParams(
            keys.map { UnsafePointer($0) } + [nil], values.map { UnsafePointer($0) } + [nil], 1)
        guard let connection = opened else {
            throw SQLError(code: .other, "libpq has no memory for a connection")
        }
        do {
            guard cstore_pq_is_open(connection) else { throw refusal(of: connection) }
            guard PQserverVersion(connection) >= Self.oldestServer else {
                throw SQLError(
                    code: .other, "\(self) is a server of before PostgreSQL 14, which is needed")
            }
            let encoding = Self.parameter("server_encoding", of: connection)
            guard encoding == "UTF8" else {
                throw SQLError(
                    code: .other,
                    "the database \(self) has the encoding \(encoding); the store needs one made "
                        + "with ENCODING 'UTF8'")
            }
            try setUp(connection)
            return connection
        } catch {
            PQfinish(connection)
            throw error
        }
    }

    /// Sets what the query planner and the locks of a connection go by.
    private func setUp(_ connection: OpaquePointer) throws {
        // Statements of the store find their rows by indexes; a plan that reads whole tables,
        // because they are small yet, would be kept when they have grown, and makes transactions
        // collide that have nothing to do with one another.
        // Who is stopped inside a transaction keeps others waiting for its locks no longer than the
        // timeout says; its transaction runs again when it wakes.
        // A sale that was acknowledged is on disk, whatever a role or a database has been set to;
        // settings that wait for more than this server stay.
        let setup = """
            SET search_path TO \(Self.schema);
            SET default_transaction_isolation TO 'read committed';
            SET enable_seqscan TO off; SET random_page_cost TO 1.1; SET jit TO off;
            SET plan_cache_mode TO auto; SET lock_timeout TO '30s';
            SET idle_in_transaction_session_timeout TO '20s';
            SELECT set_config('synchronous_commit', 'on', false)
            WHERE current_setting('synchronous_commit') = 'off';
            SET client_min_messages TO warning; SET bytea_output TO hex
            """
        guard let result = PQexec(connection, setup).map(PostgresResult.init) else {
            throw refusal(of: connection)
        }
        guard result.outcome == CSTORE_PQ_DONE else {
            throw SQLError(state: result.state, result.message)
        }
    }

    private static func parameter(_ name: String, of connection: OpaquePointer) -> String {
        PQparameterStatus(connection, name).map { String(cString: $0) } ?? "unknown"
    }

    /// Why a server could not be reached, or let nobody in.
    private func refusal(of connection: OpaquePointer) -> SQLError {
        let reason = PQerrorMessage(connection).map { String(cString: $0) } ?? ""
        let line = reason.split(scalar: "\n").map { $0.trimmingCharacters(in: .whitespaces) }
            .joined(separator: " ")
        return SQLError(code: .unreachable, "the database \(self) can't be opened: \(line)")
    }
}
