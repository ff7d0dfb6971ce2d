import CBenchPostgres
import Foundation

/// PostgreSQL's full-text search over the same rows: a server of its own, in a temporary folder,
/// with its documented way of searching (a stored `tsvector` with weights, a GIN index, `ts_rank`).
final class PostgresSearch {
    private let cluster: PostgresCluster
    private let connection: OpaquePointer

    /// Starts a server, and loads the rows.
    init(folder: URL, items: GeneratedItems, count: Int) throws {
        cluster = try PostgresCluster(folder: folder)
        let place = cluster.place("postgres")
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
        cluster.stop()
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
