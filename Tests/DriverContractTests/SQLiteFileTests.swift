import Foundation
import StoreCore
import StoreDatabase
import StoreModel
import StoreTestSupport
import Testing

private let needsShell: ConditionTrait = .enabled(
    if: SQLiteShell.isInstalled, "the program sqlite3 is not installed")

/// What holds for SQLite's file, whoever opens it.
@Suite(.usesFiles) struct SQLiteFileTests {
    private let folder: TemporaryFolder
    private var file: URL { folder.file("store.sqlite") }

    init() throws {
        folder = try TemporaryFolder()
    }

    private func refusal() -> SQLError? {
        do {
            _ = try SQLiteDatabase(path: file.path)
            return nil
        } catch {
            return error as? SQLError
        }
    }

    @Test(
        needsShell,
        arguments: [
            ("UPDATE ledger SET charged = 0", "ledger rows are never rewritten"),
            ("DELETE FROM ledger", "ledger rows are never deleted"),
            ("UPDATE ledger_finish SET date = 0", "finishes are never rewritten"),
            ("DELETE FROM ledger_finish", "finishes are never deleted"),
        ])
    func `facts can't be changed with SQL`(statement: String, reason: String) async throws {
        let database = try SQLiteDatabase(path: file.path)
        let shop = try await SeededShop(in: database)
        let entry = try await database.write { repositories in
            let entry = try repositories.ledger.insert(shop.purchase(1))
            try repositories.ledger.recordFinish(of: entry.id, at: SeededShop.date)
            return entry
        }
        let query = "SELECT * FROM ledger; SELECT * FROM ledger_finish"
        let before = try await SQLiteShell.run(query, on: file)
        let result = try await SQLiteShell.run(statement, on: file)
        #expect(result.status != 0)
        #expect(result.output.contains(reason))
        let after = try await SQLiteShell.run(query, on: file)
        #expect(after.output == before.output)
        #expect(try await shop.entries(in: database) == [entry])
    }

    @Test(needsShell)
    func `what publishers say of a purchase makes room for what they say next`() async throws {
        let database = try SQLiteDatabase(path: file.path)
        let shop = try await SeededShop(in: database)
        let clock = SettableClock()
        let bought = try await database.write { try $0.ledger.insert(shop.purchase(1)) }
        let refunds = RefundService(
            database: database, clock: clock)
        func inform() async throws -> String {
            for _ in 1...3 {
                clock.advance(by: 1)
                _ = try await refunds.inform(
                    ConsumptionInformation(
                        customerConsented: true, consumed: nil, wasDelivered: true,
                        sampleProvided: false, preference: .decline),
                    about: bought.id, in: shop.app.id, bought.details.environment)
            }
            return try await SQLiteShell.run(
                "SELECT count(*) FROM consumption_information", on: file
            )
            .output
        }
        #expect(try await inform() == "1")
        clock.advance(by: 1)
        _ = try await refunds.ask(bought.id, of: nil, reason: .other, comment: "").get()
        // What was said before, what has decided, and what was said last.
        #expect(try await inform() == "3")
        #expect(try await inform() == "3")
        let result = try await SQLiteShell.run("DELETE FROM consumption_information", on: file)
        #expect(result.output.contains("what has decided a refund is never deleted"))
    }

    @Test(needsShell) func `a change by another program makes the generation grow`() async throws {
        let database = try SQLiteDatabase(path: file.path)
        _ = try await SeededShop(in: database)
        let before = try await database.catalogGeneration()
        let result = try await SQLiteShell.run("UPDATE product SET state = 'REJECTED'", on: file)
        #expect(result.status == 0)
        #expect(try await database.catalogGeneration() > before)
    }

    @Test(needsShell, arguments: [0, 1])
    func `a database of another program is refused`(version: Int) async throws {
        _ = try await SQLiteShell.run(
            "CREATE TABLE recipe (id); PRAGMA user_version = \(version)", on: file)
        let error = try #require(refusal())
        #expect(error.code == .corrupt)
        #expect(error.description.contains("some other program"))
        #expect(try await SQLiteShell.run(".tables", on: file).output == "recipe")
    }

    @Test(needsShell) func `a newer schema is refused`() async throws {
        try SQLiteDatabase(path: file.path).close()
        #expect(try await SQLiteShell.run("PRAGMA user_version = 1000", on: file).status == 0)
        let error = try #require(refusal())
        #expect(error.code == .corrupt)
        #expect(error.description.contains("schema 1000"))
        #expect(error.description.contains("use the newer program"))
    }

    @Test func `a file that is no database is refused and left as it is`() throws {
        let text = String(repeating: "Dear diary, today I wrote a book.\n", count: 100)
        try folder.write("store.sqlite", text)
        #expect(refusal()?.code == .corrupt)
        #expect(try String(contentsOf: file, encoding: .utf8) == text)
    }

    @Test func `a folder that isn't there is an error with the path`() throws {
        let missing = folder.file("nowhere/store.sqlite").path
        #expect {
            try SQLiteDatabase(path: missing)
        } throws: {
            ($0 as? SQLError)?.description.contains(missing) == true
        }
    }

    @Test(needsShell) func `the file keeps its rules after many writers`() async throws {
        let database = try SQLiteDatabase(path: file.path)
        let shop = try await SeededShop(in: database)
        try await withThrowingTaskGroup(of: Void.self) { group in
            for number in 0..<200 {
                group.addTask {
                    _ = try await database.write { try $0.ledger.insert(shop.purchase(number)) }
                }
            }
            try await group.waitForAll()
        }
        database.close()
        let check = "PRAGMA integrity_check; PRAGMA foreign_key_check; SELECT count(*) FROM ledger"
        #expect(try await SQLiteShell.run(check, on: file).output == "ok\n200")
    }
}
