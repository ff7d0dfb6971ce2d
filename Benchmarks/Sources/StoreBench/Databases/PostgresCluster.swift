import CBenchPostgres
import Foundation

/// A PostgreSQL server of Debian's in a folder of its own, that commits to disk before it answers.
///
/// What is not as Debian has it: the size of its memory and of its log, and that it listens on a
/// socket in its folder only.
final class PostgresCluster {
    let folder: URL
    private let server = Process()
    static let programs = newest()
    /// As the README has them.
    static let settings = [
        "shared_buffers": "1GB", "max_wal_size": "8GB", "max_connections": "1500",
        "checkpoint_timeout": "15min",
    ]

    /// Makes and starts it.
    init(folder: URL) throws {
        self.folder = folder
        try? FileManager.default.removeItem(at: folder)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        let isRoot = geteuid() == 0
        let lines =
            Self.settings.map { "\($0.key) = \($0.value)" } + [
                "listen_addresses = ''", "unix_socket_directories = '\(folder.path)'",
                "logging_collector = on", "log_destination = jsonlog",
                "log_filename = 'statements.log'",
                "log_rotation_size = 0",
            ]
        try BenchShop.run(
            "/bin/bash",
            [
                "-c",
                """
                set -e
                cd '\(folder.path)'
                if \(isRoot); then
                    # The server refuses to run as root, and has to get at its folder.
                    for above in . .. ../.. ../../..; do chmod a+x $above; done
                    chown postgres .
                fi
                \(isRoot ? "runuser -u postgres --" : "") '\(Self.programs)/initdb' -D data -A trust \
                    -U postgres -E UTF8 --locale=C.UTF-8 --no-instructions >/dev/null
                cat >>data/postgresql.conf <<'END'
                \(lines.joined(separator: "\n"))
                END
                """,
            ])
        let words = [Self.programs + "/postgres", "-D", folder.path + "/data"]
        // Without a process in between: its children are looked for by its number.
        server.executableURL = URL(fileURLWithPath: "/usr/bin/setpriv")
        server.arguments =
            (isRoot ? ["--reuid=postgres", "--regid=postgres", "--clear-groups"] : []) + words
        server.currentDirectoryURL = folder
        server.standardOutput = FileHandle.nullDevice
        server.standardError = FileHandle.nullDevice
        try server.run()
        for _ in 0..<500 where PQping(place("postgres")) != PQPING_OK { usleep(20_000) }
        guard PQping(place("postgres")) == PQPING_OK else {
            throw BenchFailure("PostgreSQL in \(folder.path) does not answer")
        }
    }

    /// Ends it, and removes its folder.
    func stop() {
        // SIGINT: without waiting for those who are connected.
        server.interrupt()
        server.waitUntilExit()
        try? FileManager.default.removeItem(at: folder)
    }

    func create(_ database: String) throws {
        try run("CREATE DATABASE \(database) ENCODING 'UTF8' TEMPLATE template0", on: "postgres")
    }

    /// As the store takes it.
    func address(of database: String) -> String {
        "postgres://postgres@/\(database)?host=\(folder.path)"
    }

    /// As libpq takes it.
    func place(_ database: String) -> String {
        "host=\(folder.path) user=postgres dbname=\(database)"
    }

    /// Runs statements as `psql` does, in the store's schema.
    ///
    /// - Returns: the rows, columns separated by `|`.
    @discardableResult
    func run(_ sql: String, on database: String) throws -> String {
        let file = FileManager.default.temporaryDirectory
            .appendingPathComponent("bench-\(UUID().uuidString).sql")
        try (sql + "\n;\n").write(to: file, atomically: true, encoding: .utf8)
        defer { try? FileManager.default.removeItem(at: file) }
        return try BenchShop.run(
            Self.programs + "/psql",
            ["-XqAt", "-v", "ON_ERROR_STOP=1", "-d", place(database), "-f", file.path],
            environment: Self.session)
    }

    /// What a session of the store is set to, for programs of PostgreSQL's: the store's own say
    /// the same with each connection.
    static let session = [
        "PGOPTIONS": "-c search_path=openstore -c enable_seqscan=off -c random_page_cost=1.1 "
            + "-c jit=off -c client_min_messages=warning",
        "PATH": "/usr/bin:/bin",
    ]

    // MARK: What it costs

    /// The server with its children.
    var processes: [pid_t] {
        let children = try? String(
            contentsOfFile:
                "/proc/\(server.processIdentifier)/task/\(server.processIdentifier)/children",
            encoding: .utf8)
        return [server.processIdentifier]
            + (children ?? "").split(separator: " ").compactMap { pid_t($0) }
    }

    /// Processor time of all that run now, seconds.
    var processor: Double {
        processes.compactMap { try? ProcessMetrics.processor(of: $0) }.reduce(0, +)
    }

    /// Memory of all that run now, shared pages counted once, MiB.
    var proportional: Double {
        processes.compactMap { try? ProcessMetrics($0).proportional }.reduce(0, +)
    }

    private static func newest() -> String {
        let versions =
            (try? FileManager.default.contentsOfDirectory(atPath: "/usr/lib/postgresql")) ?? []
        return "/usr/lib/postgresql/\(versions.compactMap { Int($0) }.max() ?? 15)/bin"
    }
}
