import Foundation
@testable import StoreCore
import StoreDatabase
import StoreModel
import StoreTestSupport
import Synchronization
import Testing

/// What happens where several write at once, and where the server goes away.
@Suite(.usesDrivers) struct PostgresFaultTests {
    private let place: PostgresTestDatabase
    private static let date = SeededShop.date

    init() throws {
        place = try PostgresTestDatabase()
    }

    /// - Parameter silence: milliseconds; as good as for ever where nothing is said.
    private func open(
        silence: Int32 = .max, pause: @escaping @Sendable (Int) -> Void = { _ in }
    ) throws -> PostgresDatabase {
        var limits = PostgresDatabase.Limits()
        limits.silence = silence
        return try PostgresDatabase(PostgresAddress(place.address), limits: limits, pause: pause)
    }

    /// Lets the server end connections of others to the database, and waits until they have ended.
    private static func endConnections(to place: PostgresTestDatabase, where condition: String)
        throws
    {
        // It waits as long as that takes: for a day, in milliseconds.
        try place.run(
            """
            SELECT pg_terminate_backend(pid, 86400000) FROM pg_stat_activity
            WHERE datname = current_database() AND pid <> pg_backend_pid() AND \(condition)
            """)
    }

    @Test func `two that change the same run one after the other, whoever is first`() async throws {
        let pauses = Mutex(0)
        let database = try open { _ in pauses.withLock { $0 += 1 } }
        let shop = try await SeededShop(in: database)
        // Each decides by what it has read: none may decide by what was so before the other.
        try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 0..<20 {
                group.addTask {
                    try await database.write { repositories in
                        let product = try #require(
                            try repositories.catalog.product(SeededShop.chapter, in: shop.app.id)
                        ).details
                        var changed = product
                        let price = product.prices.entries.first.flatMap { entry in
                            if case .amount(let amount) = entry.figure { amount } else { nil }
                        }
                        changed.prices = ["USA": (price ?? 0) + 1000]
                        try repositories.catalog.save(changed, in: shop.app.id)
                    }
                }
            }
            try await group.waitForAll()
        }
        let before = SeededShop.product(SeededShop.chapter, .nonConsumable).prices
        let start = before.entries.compactMap { entry -> Int64? in
            if case .amount(let amount) = entry.figure { amount } else { nil }
        }.first
        let product = try await database.read { repositories in
            try repositories.catalog.product(SeededShop.chapter, in: shop.app.id)
        }
        let end = try #require(product).details.prices.entries.compactMap { entry -> Int64? in
            if case .amount(let amount) = entry.figure { amount } else { nil }
        }.first
        #expect(end == (start ?? 0) + 20_000)
        database.close()
    }

    @Test func `connections that the server has ended are made again`() async throws {
        let database = try open()
        let shop = try await SeededShop(in: database)
        _ = try await database.read { try $0.catalog.apps() }
        try Self.endConnections(to: place, where: "true")
        #expect(try await database.read { try $0.catalog.apps().count } == 2)
        // It may be cut off: nobody's own thread waits for it.
        #expect(try database.lookUp { _ in true } == nil)
        _ = try await database.write { repositories in
            try repositories.accounts.insertSession(
                tokenDigest: Data(repeating: 1, count: 32), account: shop.ada.id,
                start: Self.date, end: Self.date.addingTimeInterval(60))
        }
        #expect(try await database.catalogGeneration() > 0)
        database.close()
    }

    /// As the server does to who waits for too long: in the midst, or before the commit, where nobody
    /// has to ask what became of it.
    @Test(arguments: [true, false])
    func `what is ended before its commit runs again, and is there once`(
        isMidst: Bool
    ) async throws {
        let database = try open()
        let shop = try await SeededShop(in: database)
        let attempts = Mutex(0)
        let place = place
        try await database.write { repositories in
            let attempt = attempts.withLock { count in
                count += 1
                return count
            }
            try repositories.accounts.insertSession(
                tokenDigest: Data(repeating: 2, count: 32), account: shop.ada.id,
                start: Self.date, end: Self.date.addingTimeInterval(60))
            _ = try repositories.catalog.apps()
            guard attempt == 1 else { return }
            try Self.endConnections(to: place, where: "state = 'idle in transaction'")
            if isMidst { _ = try repositories.catalog.apps() }
        }
        #expect(attempts.withLock { $0 } == 2)
        #expect(try place.run("SELECT count(*) FROM openstore.session") == [["1"]])
        database.close()
    }

    @Test func `who met a row of somebody else's looks again, however often others collided`()
        async throws
    {
        let database = try open()
        let shop = try await SeededShop(in: database)
        let attempts = Mutex(0)
        let place = place
        @Sendable func add(_ repositories: StoreRepositories) throws {
            try repositories.accounts.insertSession(
                tokenDigest: Data(repeating: 4, count: 32), account: shop.ada.id,
                start: Self.date, end: Self.date.addingTimeInterval(60))
        }
        try await database.write(add)
        try await database.write { repositories in
            let attempt = attempts.withLock { count in
                count += 1
                return count
            }
            _ = try repositories.catalog.apps()
            if attempt <= 3 {
                try Self.endConnections(to: place, where: "state = 'idle in transaction'")
                _ = try repositories.catalog.apps()
            }
            if attempt == 4 { try add(repositories) }
        }
        #expect(attempts.withLock { $0 } == 5)
        database.close()
    }

    @Test func `a refused write leaves nothing, and the next one goes through`() async throws {
        let database = try open()
        let shop = try await SeededShop(in: database)
        await #expect(throws: SQLError.self) {
            try await database.write { repositories in
                try repositories.accounts.insertSession(
                    tokenDigest: Data(repeating: 3, count: 32), account: shop.ada.id,
                    start: Self.date, end: Self.date.addingTimeInterval(60))
                // Half as long as a digest is.
                try repositories.accounts.insertSession(
                    tokenDigest: Data(repeating: 3, count: 16), account: shop.ada.id,
                    start: Self.date, end: Self.date.addingTimeInterval(60))
            }
        }
        #expect(try place.run("SELECT count(*) FROM openstore.session") == [["0"]])
        #expect(try await database.read { try $0.catalog.apps().count } == 2)
        database.close()
    }

    @Test func `a program hears of what another has written`() async throws {
        let (writer, other) = (try open(), try open())
        let generation = try await other.catalogGeneration()
        let changes = try other.changes()
        let (rung, ring) = AsyncStream.makeStream(of: Void.self)
        other.whenNotified { ring.yield() }
        let shop = try await SeededShop(in: writer)
        try await writer.write { repositories in
            _ = try repositories.notifications.append(
                NotificationDraft(
                    app: shop.app.id, environment: .sandbox, type: .test, subtype: nil,
                    account: nil, transaction: nil, facts: NotificationFacts()), at: Self.date)
        }
        for await _ in rung { break }
        #expect(try await other.catalogGeneration() > generation)
        #expect(try await other.catalogGeneration() == writer.catalogGeneration())
        #expect(try other.changes() > changes)
        writer.close()
        other.close()
    }

    @Test func `a commit that nobody tells of is found after a while of silence`() async throws {
        let database = try open(silence: 20)
        _ = try await SeededShop(in: database)
        let generation = try await database.catalogGeneration()
        try place.run("UPDATE openstore.catalog_clock SET generation = generation + 1")
        try await until { try await database.catalogGeneration() > generation }
        database.close()
    }

    @Test func `a text with U+0000 is refused with words, and nothing is written`() async throws {
        let database = try open()
        await #expect {
            try await database.write { repositories in
                try repositories.catalog.save(
                    TeamDraft(name: "Ex\u{0}ample", hasPaidAgreement: true))
            }
        } throws: { error in
            "\(error)".contains("U+0000")
        }
        #expect(try place.run("SELECT count(*) FROM openstore.team") == [["0"]])
        database.close()
    }
}

/// What an operator is told where a database can't be opened.
@Suite(.usesDrivers) struct PostgresOpeningTests {
    private func reason(_ address: String) -> String {
        do {
            try PostgresDatabase(PostgresAddress(address)).close()
            return "opened"
        } catch {
            return "\(error)"
        }
    }

    @Test func `a server that is not there is named, without a password`() {
        let text = reason("postgres://shop:secret-word@127.0.0.1:1/shop")
        #expect(text.contains("127.0.0.1:1"))
        #expect(!text.contains("secret-word"))
    }

    @Test func `a wrong password is said so, without it`() throws {
        let server = try PostgresServer.shared()
        let text = reason(
            "postgres://\(PostgresServer.guest):wrong-word@127.0.0.1:\(server.loopbackPort)/postgres"
        )
        #expect(text.contains("password authentication failed"))
        #expect(!text.contains("wrong-word"))
    }

    @Test func `a database that is not there is said so`() throws {
        let text = reason(try PostgresServer.shared().address(of: "nowhere"))
        #expect(text.contains("database \"nowhere\" does not exist"))
    }

    @Test func `a database of another encoding is refused`() throws {
        let server = try PostgresServer.shared()
        let name = "latin" + UUID().uuidString.prefix(8).lowercased()
        try server.run(
            """
            CREATE DATABASE \(name) TEMPLATE template0 ENCODING 'LATIN1' LOCALE 'C'
                LOCALE_PROVIDER libc
            """, on: "postgres")
        #expect(reason(server.address(of: name)).contains("ENCODING 'UTF8'"))
        try server.run("DROP DATABASE \(name)", on: "postgres")
    }

    @Test func `a newer schema, and one of others, are refused`() throws {
        let newer = try PostgresTestDatabase()
        try newer.run("UPDATE openstore.schema_version SET number = 999")
        #expect(reason(newer.address).contains("use the newer program"))
        let foreign = try PostgresTestDatabase(isEmpty: true)
        try foreign.run("CREATE SCHEMA openstore; CREATE TABLE openstore.cake (slices int)")
        #expect(reason(foreign.address).contains("some other program"))
    }

    @Test func `several programs that start at once make one schema`() async throws {
        let place = try PostgresTestDatabase(isEmpty: true)
        try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 0..<3 {
                group.addTask {
                    try await onThread {
                        try PostgresDatabase(PostgresAddress(place.address)).close()
                    }
                }
            }
            try await group.waitForAll()
        }
        #expect(try place.run("SELECT count(*) FROM openstore.catalog_clock") == [["1"]])
    }

    @Test(arguments: [
        (
            "postgres://shop:p%40ss@db.example.com:6432/shop",
            "postgres://shop@db.example.com:6432/shop"
        ),
        ("postgresql://db/shop?password=hidden", "postgres://db/shop"),
        ("postgres:///shop?host=/run/postgresql", "postgres:///shop?host=/run/postgresql"),
    ])
    func `an address is shown without its password`(address: String, shown: String) throws {
        #expect(try PostgresAddress(address).description == shown)
    }
}
