import CStorePostgres
import Foundation
import StoreCore
import StoreDatabase
import Synchronization

/// A real PostgreSQL server of Debian's in a folder of its own, one for the whole process.
///
/// It ends with the process, however that ends, and its folder goes away with it.
package final class PostgresServer: Sendable {
    package static let password = "correct horse"
    /// Has a password, and may make nothing.
    package static let guest = "guest"

    /// The folder of its socket.
    private let folder: String
    /// Where it listens for those who come with a password.
    package let loopbackPort: Int
    private let template: Mutex<String?>

    private static let started: Result<PostgresServer, any Error> = Result { try PostgresServer() }

    /// The server of this process, started with the first call.
    package static func shared() throws -> PostgresServer { try started.get() }

    private init() throws {
        let versions = try FileManager.default.contentsOfDirectory(atPath: "/usr/lib/postgresql")
        let version = versions.compactMap { Int($0) }.max() ?? 15
        let programs = "/usr/lib/postgresql/\(version)/bin"
        template = Mutex(nil)
        // Another program may take the port before the server does.
        var attempts = 0
        while true {
            attempts += 1
            let folder = NSTemporaryDirectory() + "/pg-\(UUID().uuidString.prefix(8))"
            let port = try Self.freePort()
            let log = Self.start(
                try Self.script(folder: folder, programs: programs, loopbackPort: port))
            if Self.answers(folder: folder, port: port, unless: log) {
                (self.folder, loopbackPort) = (folder, port)
                break
            }
            guard attempts < 5 else {
                throw SQLError(
                    code: .unreachable,
                    "the test's PostgreSQL does not answer: \(log.text.withLock { $0 ?? "" })")
            }
        }
        _ = try run(
            "CREATE ROLE \(Self.guest) LOGIN PASSWORD '\(Self.password)'", on: "postgres")
    }

    /// What a server wrote that has ended.
    private final class EndLog: Sendable {
        let text = Mutex<String?>(nil)
    }

    /// Runs the script on a thread that stays: the server is told when the thread that started
    /// it ends.
    private static func start(_ script: [String]) -> EndLog {
        let log = EndLog()
        Thread.detachNewThread {
            let end = Result { try ChildProgram.runBlocking("/usr/bin/setpriv", script) }
            log.text.withLock {
                $0 =
                    (try? end.get()).map { String(decoding: $0.output, as: UTF8.self) }
                    ?? "\(end)"
            }
        }
        return log
    }

    /// Waits until a server answers, however slow the machine is.
    ///
    /// - Returns: `false` where it ended instead.
    private static func answers(folder: String, port: Int, unless log: EndLog) -> Bool {
        while log.text.withLock({ $0 == nil }) {
            if let connection = PQconnectdb(address(of: "postgres", in: folder, port)) {
                defer { PQfinish(connection) }
                if cstore_pq_is_open(connection) { return true }
            }
            usleep(20_000)
        }
        return false
    }

    /// A shell that makes the server, runs it, and removes it when it is told that this process
    /// is no more.
    private static func script(
        folder: String, programs: String, loopbackPort: Int
    ) throws -> [String] {
        let isRoot = geteuid() == 0
        try FileManager.default.createDirectory(
            atPath: folder, withIntermediateDirectories: true,
            attributes: [.posixPermissions: 0o755])
        // initdb refuses to work for root.
        if isRoot {
            guard let user = getpwnam("postgres") else { throw POSIXError(.ENOENT) }
            guard chown(folder, user.pointee.pw_uid, user.pointee.pw_gid) == 0 else {
                throw POSIXError(.EPERM)
            }
        }
        // Another order of texts than the store's: what depends on the database's is found out.
        let shell = """
            cd '\(folder)'
            '\(programs)/initdb' -D data -U postgres -A trust --no-sync -E UTF8 \
                --locale=C.UTF-8 --locale-provider=icu --icu-locale=en-US >initdb.log 2>&1 ||
                { cat initdb.log; exit 1; }
            printf '%s\\n' 'local all all trust' 'host all all 127.0.0.1/32 scram-sha-256' \
                >data/pg_hba.conf
            '\(programs)/postgres' -D data -k '\(folder)' -p \(loopbackPort) \
                -c listen_addresses=127.0.0.1 -c max_connections=500 -c shared_buffers=64MB \
                -c max_pred_locks_per_transaction=256 -c log_min_messages=fatal \
                -c client_min_messages=warning -c dynamic_shared_memory_type=mmap \
                -c autovacuum_naptime=1h -c fsync=off -c full_page_writes=off \
                >postgres.log 2>&1 &
            server=$!
            trap 'kill -QUIT $server 2>/dev/null' TERM INT HUP
            wait $server; wait $server
            cat postgres.log
            cd / && rm -rf '\(folder)'
            """
        let user = isRoot ? ["--reuid=postgres", "--regid=postgres", "--clear-groups"] : []
        return user + ["--pdeathsig=TERM", "/bin/sh", "-c", shell]
    }

    /// A port that nobody listens on.
    private static func freePort() throws -> Int {
        let file = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        defer { close(file) }
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let result = withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
                bind(file, address, length) == 0 ? getsockname(file, address, &length) : -1
            }
        }
        guard result == 0 else { throw POSIXError(.EADDRINUSE) }
        return Int(UInt16(bigEndian: address.sin_port))
    }

    /// The address of a database, over the socket.
    package func address(of database: String) -> String {
        Self.address(of: database, in: folder, loopbackPort)
    }

    private static func address(of database: String, in folder: String, _ port: Int) -> String {
        "postgres://postgres@/\(database)?host=\(folder)&port=\(port)"
    }

    /// Runs statements beside the store; gives the rows of the last one.
    @discardableResult
    package func run(_ sql: String, on database: String) throws -> [[String?]] {
        guard let connection = PQconnectdb(address(of: database)) else {
            throw POSIXError(.ENOMEM)
        }
        defer { PQfinish(connection) }
        let result = PQexec(connection, sql)
        defer { PQclear(result) }
        let outcome = result.map { cstore_pq_outcome($0) }
        guard outcome == Int32(CSTORE_PQ_DONE) || outcome == Int32(CSTORE_PQ_ROWS) else {
            throw SQLError(
                code: .other, PQerrorMessage(connection).map { String(cString: $0) } ?? "")
        }
        return (0..<PQntuples(result)).map { row in
            (0..<PQnfields(result)).map { column in
                PQgetisnull(result, row, column) == 1
                    ? nil : PQgetvalue(result, row, column).map { String(cString: $0) }
            }
        }
    }

    /// Makes a database with the newest schema and nothing in it.
    fileprivate func makeDatabase(isEmpty: Bool) throws -> String {
        let name = "t" + UUID().uuidString.replacing("-", with: "").lowercased()
        guard !isEmpty else {
            try run("CREATE DATABASE \(name)", on: "postgres")
            return name
        }
        // One at a time: nobody else may use the one that is copied.
        try template.withLock { template in
            if template == nil {
                try run("DROP DATABASE IF EXISTS prepared", on: "postgres")
                try run("CREATE DATABASE prepared", on: "postgres")
                try PostgresDatabase(PostgresAddress(address(of: "prepared"))).close()
                template = "prepared"
            }
            // By files, a third of the time that the log of it takes.
            try run(
                "CREATE DATABASE \(name) TEMPLATE prepared STRATEGY FILE_COPY", on: "postgres")
        }
        return name
    }
}

/// A database of the test server, which goes away with its last user.
package final class PostgresTestDatabase: Sendable {
    package let server: PostgresServer
    package let name: String

    /// - Parameter isEmpty: whether it has no schema.
    package init(isEmpty: Bool = false) throws {
        server = try PostgresServer.shared()
        name = try server.makeDatabase(isEmpty: isEmpty)
    }

    deinit {
        Self.dropping.async { [server, name] in
            _ = try? server.run("DROP DATABASE \(name) WITH (FORCE)", on: "postgres")
        }
    }

    private static let dropping = DispatchQueue(label: "postgres.dropping")

    package var address: String { server.address(of: name) }

    /// Runs statements beside the store; gives the rows of the last one.
    @discardableResult
    package func run(_ sql: String) throws -> [[String?]] { try server.run(sql, on: name) }
}
