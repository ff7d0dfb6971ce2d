import Foundation
@testable import StoreCore
import StoreDatabase
import StoreModel
import StoreTestSupport
import Synchronization
import Testing

/// A shop that moves from one database to another.
@Suite(.usesDrivers) struct DatabaseCopyTests {
    private let folder: TemporaryFolder
    private var sqlite: String { folder.file("store.sqlite").path }

    init() throws {
        folder = try TemporaryFolder()
    }

    @discardableResult
    private func move(
        from: String, to: String, report: @escaping (DatabaseCopy.Progress) -> Void = { _ in }
    ) throws -> DatabaseCopy.Report {
        var copy = try DatabaseCopy(
            from: DatabaseAddress(from), to: DatabaseAddress(to), report: report)
        return try copy.run(now: { SeededShop.date })
    }

    @Test func `a database without a shop is not moved, and nothing is made of it`() throws {
        let place = try PostgresTestDatabase(isEmpty: true)
        #expect { try move(from: place.address, to: "sqlite:\(sqlite)") } throws: {
            "\($0)".contains("there is no store in postgres://")
        }
        #expect(!FileManager.default.fileExists(atPath: sqlite))
        #expect(
            try place.run("SELECT nspname FROM pg_namespace WHERE nspname LIKE 'openstore%'") == [])
        try SQLiteDatabase(path: sqlite).close()
        #expect(throws: SQLError.self) { try move(from: "sqlite:\(sqlite)", to: place.address) }
    }

    @Test func `a text that PostgreSQL can't keep moves without its U+0000`()
        async throws
    {
        let place = try PostgresTestDatabase(isEmpty: true)
        let first = try SQLiteDatabase(path: sqlite)
        _ = try await SeededShop(in: first)
        first.close()
        let names = "SELECT name FROM team ORDER BY 1"
        let (status, wanted) = try await SQLiteShell.run(
            "\(names); UPDATE team SET name = name || char(0)", on: folder.file("store.sqlite"))
        #expect(status == 0)
        try move(from: "sqlite:\(sqlite)", to: place.address)
        let moved = try place.run("SELECT name FROM openstore.team ORDER BY 1")
        #expect(
            moved.map { $0[0] ?? "" }
                == wanted.split(separator: "\n").map(String.init))
    }

    @Test func `a shop moves there and back, and sells on`() async throws {
        let place = try PostgresTestDatabase(isEmpty: true)
        let first = try SQLiteDatabase(path: sqlite)
        let shop = try await SeededShop(in: first)
        let sold = try await first.write { try $0.ledger.insert(shop.purchase(1)) }

        let there = try move(from: "sqlite:\(sqlite)", to: place.address)
        #expect(there.tables.first { $0.name == "ledger" }?.rows == 1)

        // Who still has the old one open writes nothing any more, and is told why.
        await #expect {
            try await first.write {
                try $0.catalog.setState(.approved, of: SeededShop.chapter, in: shop.app.id)
            }
        } throws: { error in
            (error as? SQLError)?.code == .moved && "\(error)".contains("postgres://")
        }
        first.close()
        #expect(throws: SQLError.self) { try SQLiteDatabase(path: sqlite) }

        let second = try PostgresDatabase(PostgresAddress(place.address))
        #expect(try await second.read { try $0.ledger.entry(sold.id) } == sold)
        let next = try await second.write { try $0.ledger.insert(shop.purchase(2)) }
        // Numbers go on.
        #expect(next.id.number == sold.id.number + 1)
        await #expect(throws: SQLError.self) {
            try await second.write {
                try $0.accounts.set(AccountSettings(guardian: shop.customer.id), of: shop.ada.id)
            }
        }
        second.close()

        let back = folder.file("back.sqlite").path
        try move(from: place.address, to: "sqlite:\(back)")
        let third = try SQLiteDatabase(path: back)
        #expect(try await third.read { try $0.ledger.entry(next.id) } == next)
        let last = try await third.write { try $0.ledger.insert(shop.purchase(3)) }
        #expect(last.id.number == next.id.number + 1)
        third.close()
        #expect(throws: SQLError.self) { try PostgresDatabase(PostgresAddress(place.address)) }
    }

    @Test func `what changes while the shop moves is brought over`() async throws {
        let place = try PostgresTestDatabase(isEmpty: true)
        let source = try SQLiteDatabase(path: sqlite)
        let shop = try await SeededShop(in: source)
        _ = try await source.write { try $0.ledger.insert(shop.purchase(1)) }
        let (path, address) = (sqlite, place.address)
        let change = ChangeInBetween {
            try await source.write { repositories in
                _ = try repositories.ledger.insert(shop.purchase(2))
                try repositories.catalog.setState(
                    .developerRemovedFromSale, of: SeededShop.chapter, in: shop.app.id)
                try repositories.accounts.insertSession(
                    tokenDigest: Data(repeating: 4, count: 32), account: shop.ada.id,
                    start: SeededShop.date, end: SeededShop.date.addingTimeInterval(60))
            }
        }
        let report = try await onThread {
            var copy = try DatabaseCopy(
                from: DatabaseAddress("sqlite:\(path)"), to: DatabaseAddress(address)
            ) { progress in
                if progress.phase == .verifying { change.make() }
            }
            return try copy.run(now: { SeededShop.date })
        }
        #expect(report.changedRows >= 3)
        source.close()
        let target = try PostgresDatabase(PostgresAddress(place.address))
        #expect(try await shop.entries(in: target).map(\.details.key).count == 2)
        let product = try await target.read {
            try $0.catalog.product(SeededShop.chapter, in: shop.app.id)
        }
        #expect(product?.details.state == .developerRemovedFromSale)
        #expect(try place.run("SELECT count(*) FROM openstore.session") == [["1"]])
        target.close()
    }

    @Test func `a database with a shop in it is no target`() async throws {
        let place = try PostgresTestDatabase()
        let target = try PostgresDatabase(PostgresAddress(place.address))
        _ = try await SeededShop(in: target)
        target.close()
        let source = try SQLiteDatabase(path: sqlite)
        _ = try await SeededShop(in: source)
        source.close()
        #expect {
            try move(from: "sqlite:\(sqlite)", to: place.address)
        } throws: { "\($0)".contains("has a shop in it already") }
        // The source is as it was.
        try SQLiteDatabase(path: sqlite).close()
    }

    @Test func `a source that is not there is not made`() throws {
        let place = try PostgresTestDatabase(isEmpty: true)
        #expect(throws: SQLError.self) { try move(from: "sqlite:\(sqlite)", to: place.address) }
        #expect(!FileManager.default.fileExists(atPath: sqlite))
    }
}

/// Something that happens once, in the midst of a copy.
private final class ChangeInBetween: Sendable {
    private let isDone = Mutex(false)
    private let change: @Sendable () async throws -> Void

    init(_ change: @escaping @Sendable () async throws -> Void) {
        self.change = change
    }

    /// Waits until it has happened; on a thread of one's own.
    func make() {
        let wasDone = isDone.withLock { isDone in
            defer { isDone = true }
            return isDone
        }
        guard !wasDone else { return }
        let end = DispatchSemaphore(value: 0)
        Task { [change] in
            try? await change()
            end.signal()
        }
        end.wait()
    }
}
