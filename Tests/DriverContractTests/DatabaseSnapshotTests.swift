import Foundation
import StoreCore
import StoreDatabase
import StoreModel
import StoreTestSupport
import Testing

/// Pictures of databases: into a file, and from there into either database.
@Suite(.usesDrivers) struct DatabaseSnapshotTests {
    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
    }

    @Test(arguments: CheckedDatabase.Kind.allCases, CheckedDatabase.Kind.allCases)
    func `a picture holds the shop, and either database can go on from it`(
        from: CheckedDatabase.Kind, to: CheckedDatabase.Kind
    ) async throws {
        let source = try CheckedDatabase(from)
        let database = try source.driver.install().open()
        let shop = try await SeededShop(in: database)
        let first = try await database.write { try $0.ledger.insert(shop.purchase(1)) }
        let path = folder.file("picture.sqlite").path
        try DatabaseSnapshot.take(of: source.address, into: path) { _, _ in }
        // The shop goes on; what comes now is in no picture.
        let second = try await database.write { try $0.ledger.insert(shop.purchase(2)) }
        database.close()
        #expect(!FileManager.default.fileExists(atPath: path + "-wal"))
        let attributes = try FileManager.default.attributesOfItem(atPath: path)
        #expect(attributes[.posixPermissions] as? Int == 0o600)

        let target = try CheckedDatabase(to, isEmpty: true)
        try DatabaseSnapshot.requireEmpty(target.address)
        try DatabaseSnapshot.bring(from: path, into: target.address) { _, _ in }
        let restored = try target.driver.install().open()
        #expect(try await shop.entries(in: restored) == [first])
        let next = try await restored.write { try $0.ledger.insert(shop.purchase(3)) }
        #expect(next.id.number == second.id.number)
        restored.close()
        #expect(try target.inspection.repeatedNumbers() == [])
        #expect(try target.inspection.damage(limit: 1) == [])
        #expect(throws: SQLError.self) { try DatabaseSnapshot.requireEmpty(target.address) }
        // What SQLite leaves beside a file whose program was killed would be a part of the new one.
        for name in ["-wal", "-shm", "-journal"] {
            let folder = try TemporaryFolder()
            let file = folder.file("store.sqlite").path
            try Data([1]).write(to: URL(fileURLWithPath: file + name))
            #expect {
                try DatabaseSnapshot.requireEmpty(.sqlite(path: file))
            } throws: {
                "\($0)".contains("store.sqlite\(name) is there already")
            }
        }
    }

    @Test(arguments: CheckedDatabase.Kind.allCases)
    func `a picture is of one moment, whatever is sold meanwhile`(
        kind: CheckedDatabase.Kind
    ) async throws {
        let source = try CheckedDatabase(kind)
        let database = try source.driver.install().open()
        let shop = try await SeededShop(in: database)
        let (sold, failure) = (Locked(0), Locked<(any Error)?>(nil))
        let sales = Task {
            do {
                var number = 0
                while !Task.isCancelled {
                    number += 1
                    let draft = shop.purchase(number, type: .consumable)
                    // Two rows in one transaction: both or none.
                    let other = shop.purchase(number, type: .consumable, by: shop.grace)
                    try await database.write { repositories in
                        _ = try repositories.ledger.insert(draft)
                        _ = try repositories.ledger.insert(other)
                    }
                    sold.value = number
                }
            } catch {
                failure.value = error
            }
        }
        defer { sales.cancel() }
        for round in 0..<3 {
            let path = folder.file("picture-\(round).sqlite").path
            // Somebody sells while each is taken.
            let before = sold.value
            try await until {
                if let error = failure.value { throw error }
                return sold.value > before
            }
            try DatabaseSnapshot.take(of: source.address, into: path) { _, _ in }
            let inspection = try DatabaseInspection(.sqlite(path: path))
            #expect(try inspection.damage(limit: 3) == [])
            for rule in StoreInvariant.all {
                #expect(try inspection.violations(of: rule) == [], "\(rule.name)")
            }
            let copy = try SQLiteDatabase(path: path)
            let ada = try await shop.entries(in: copy)
            #expect(try await shop.entries(in: copy, of: shop.grace).count == ada.count)
            copy.close()
        }
        sales.cancel()
        await sales.value
        database.close()
        if let error = failure.value { throw error }
    }

    @Test func `a database without a store gives no snapshot`() async throws {
        let source = try CheckedDatabase(.sqlite)
        let path = folder.file("picture.sqlite").path
        try await source.run("PRAGMA user_version = 7")
        #expect(throws: SQLError.self) {
            try DatabaseSnapshot.take(of: source.address, into: path) { _, _ in }
        }
        #expect(throws: SQLError.self) {
            try DatabaseSnapshot.take(of: .sqlite(path: "/nowhere"), into: path) { _, _ in }
        }
        #expect(!FileManager.default.fileExists(atPath: path))
        #expect(!FileManager.default.fileExists(atPath: "/nowhere"))
    }
}
