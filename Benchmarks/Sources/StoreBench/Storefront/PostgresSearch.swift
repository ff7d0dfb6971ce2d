import CBenchPostgres
import Foundation

/// PostgreSQL's full-text search over the same rows: a server of its own, in a temporary folder,
/// with its documented way of searching (a stored `tsvector` with weights, a GIN index, `ts_rank`).
final class PostgresSearch {
    private let folder: URL
    private let connection: OpaquePointer
    private let server: Process
    private static let programs = "/usr/lib/postgresql/15/bin"

    /// Starts a server, and loads the rows.
    init(folder: URL, items: GeneratedItems, count: Int) throws {
        self.folder = folder
        try? FileManager.default.removeItem(at: folder)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        // The server refuses to run as root.
        let script = """
            set -e
            chmod 711 '\(folder.deletingLastPathComponent().path)'
            chown postgres '\(folder.path)'
            cd '\(folder.path)'
            runuser -u postgres -- \(Self.programs)/initdb -D data -A trust -U postgres --no-instructions >/dev/null
            echo "listen_addresses = ''" >> data/postgresql.conf
            echo "unix_socket_directories = '\(folder.path)'" >> data/postgresql.conf
            echo "shared_buffers = 512MB" >> data/postgresql.conf
            echo "max_wal_size = 4GB" >> data/postgresql.conf
            """
        try BenchShop.run("/bin/bash", ["-c", script])
        server = Process()
        server.executableURL = URL(fileURLWithPath: "/usr/sbin/runuser")
        server.arguments = [
            "-u", "postgres", "--", Self.programs + "/postgres", "-D", folder.path + "/data",
        ]
        server.currentDirectoryURL = folder
        server.standardError = FileHandle.nullDevice
        try server.run()
        let place = "host=\(folder.path) user=postgres dbname=postgres"
        for _ in 0..<500 where PQping(place) != PQPING_OK { usleep(20_000) }
        guard let connection = PQconnectdb(place), PQstatus(connection) == CONNECTION_OK else {
            throw BenchFailure("PostgreSQL can't be reached")
        }
        self.connection = connection
        try run(
            """
            CREATE TABLE item (id BIGINT PRIMARY KEY, title TEXT NOT NULL, artist TEXT NOT NULL,
                description TEXT NOT NULL, popularity BIGINT NOT NULL)
            """)
        try load(items, count)
        try run(
            """
            ALTER TABLE item ADD COLUMN words tsvector GENERATED ALWAYS AS (
                setweight(to_tsvector('simple', title), 'A')
                || setweight(to_tsvector('simple', artist), 'B')
                || setweight(to_tsvector('simple', description), 'D')) STORED
            """)
        try run("CREATE INDEX item_words ON item USING GIN (words)")
        try run("ANALYZE item")
        let prepared = PQprepare(
            connection, "search",
            """
            SELECT id, title, artist, description FROM item, plainto_tsquery('simple', $1) query
            WHERE words @@ query ORDER BY ts_rank(words, query) DESC, popularity DESC LIMIT 50
            """, 1, nil)
        defer { PQclear(prepared) }
        guard PQresultStatus(prepared) == PGRES_COMMAND_OK else { throw failure() }
    }

    func stop() {
        PQfinish(connection)
        server.terminate()
        server.waitUntilExit()
        try? FileManager.default.removeItem(at: folder)
    }

    /// - Returns: how many rows were found.
    func search(_ term: String) throws -> Int {
        let result = term.withCString { text in
            var values: [UnsafePointer<CChar>?] = [text]
            return PQexecPrepared(connection, "search", 1, &values, nil, nil, 0)
        }
        defer { PQclear(result) }
        guard PQresultStatus(result) == PGRES_TUPLES_OK else { throw failure() }
        return Int(PQntuples(result))
    }

    private func load(_ items: GeneratedItems, _ count: Int) throws {
        let copying = PQexec(
            connection, "COPY item (id, title, artist, description, popularity) FROM STDIN")
        defer { PQclear(copying) }
        guard PQresultStatus(copying) == PGRES_COPY_IN else { throw failure() }
        for index in 0..<count {
            let item = items.item(index)
            let line = "\(item.number)\t\(item.title)\t\(item.artist)\t\(item.description)\t0\n"
            guard PQputCopyData(connection, line, Int32(line.utf8.count)) == 1 else {
                throw failure()
            }
        }
        guard PQputCopyEnd(connection, nil) == 1 else { throw failure() }
        while let result = PQgetResult(connection) {
            defer { PQclear(result) }
            guard PQresultStatus(result) == PGRES_COMMAND_OK else { throw failure() }
        }
    }

    private func run(_ statement: String) throws {
        let result = PQexec(connection, statement)
        defer { PQclear(result) }
        guard PQresultStatus(result) == PGRES_COMMAND_OK else { throw failure() }
    }

    private func failure() -> BenchFailure {
        BenchFailure("PostgreSQL: " + String(cString: PQerrorMessage(connection)))
    }
}
