import Foundation
import StoreCore
import StoreDatabase
import StoreModel
import Synchronization
import Testing

@Suite(.usesDrivers) struct TransactionContractTests {
    @Test(arguments: StoreDriver.all)
    func `a write that throws changes nothing`(driver: StoreDriver) async throws {
        let database = try driver.install().open()
        let shop = try await SeededShop(in: database)
        await #expect(throws: Deliberate()) {
            try await database.write { repositories in
                _ = try repositories.ledger.insert(shop.purchase(1))
                try repositories.catalog.setState(
                    .rejected, of: SeededShop.chapter, in: shop.app.id)
                throw Deliberate()
            }
        }
        #expect(try await shop.entries(in: database).isEmpty)
        let products = try await database.read { try $0.catalog.products(of: shop.app.id) }
        #expect(products.allSatisfy { $0.details.state == .approved })
    }

    @Test(arguments: StoreDriver.all)
    func `those that throw take nobody with them`(driver: StoreDriver) async throws {
        let database = try driver.install().open()
        let shop = try await SeededShop(in: database)
        // Each writes first; every third then throws, every seventh breaks the schema.
        let failed = try await driver.atOnce(300) { number -> Int? in
            do {
                try await database.write { repositories in
                    let ledger = repositories.ledger
                    let draft = shop.purchase(number, type: .consumable)
                    _ = try ledger.insert(draft)
                    if number.isMultiple(of: 3) { throw Deliberate() }
                    if number.isMultiple(of: 7) { _ = try ledger.insert(draft) }
                }
                return nil
            } catch {
                return number
            }
        }
        let wanted = (0..<300).filter { !$0.isMultiple(of: 3) && !$0.isMultiple(of: 7) }
        #expect(Set(failed.compactMap { $0 }) == Set(0..<300).subtracting(wanted))
        let keys = try await shop.entries(in: database).map(\.details.key)
        #expect(Set(keys) == Set(wanted.map { "purchase-key-\(1000 + $0)" }))
        #expect(keys.count == wanted.count)
    }

    @Test(arguments: StoreDriver.all)
    func `of many writes of one key exactly one is kept`(driver: StoreDriver) async throws {
        let installation = try driver.install()
        let databases = [try installation.open(), try installation.open()]
        let shop = try await SeededShop(in: databases[0])
        let kept = try await driver.atOnce(100) { number in
            do {
                _ = try await databases[number % 2].write {
                    try $0.ledger.insert(shop.purchase(1))
                }
                return true
            } catch is LedgerKeyUsed {
                return false
            }
        }
        #expect(kept.count { $0 } == 1)
        #expect(try await shop.entries(in: databases[1]).count == 1)
    }

    @Test(arguments: StoreDriver.all)
    func `what was answered is found at once by every reader`(driver: StoreDriver) async throws {
        let installation = try driver.install()
        let writer = try installation.open()
        let reader = try installation.open()
        let shop = try await SeededShop(in: writer)
        for number in 0..<20 {
            let entry = try await writer.write { try $0.ledger.insert(shop.purchase(number)) }
            #expect(try await reader.read { try $0.ledger.entry(entry.id) } == entry)
        }
    }

    @Test(arguments: StoreDriver.all)
    func `a reader sees one state, whatever is written meanwhile`(
        driver: StoreDriver
    ) async throws {
        let installation = try driver.install()
        let database = try installation.open()
        let shop = try await SeededShop(in: database)
        // Pairs are written together, so an odd number would be half of one.
        let isWriting = Mutex(true)
        async let writing: Void = {
            defer { isWriting.withLock { $0 = false } }
            for number in 0..<100 {
                try await database.write { repositories in
                    for key in [2 * number, 2 * number + 1] {
                        _ = try repositories.ledger.insert(shop.purchase(key, type: .consumable))
                    }
                }
            }
        }()
        var seen = 0
        while seen < 200 {
            let isLast = !isWriting.withLock { $0 }
            let counts = try await database.read { repositories in
                try (0..<2).map { _ in
                    try repositories.ledger.entries(account: shop.ada.id, app: shop.app.id).count
                }
            }
            #expect(counts[0] == counts[1])
            #expect(counts[0].isMultiple(of: 2))
            seen = counts[0]
            if isLast { break }
            // A reader that never waits keeps its thread from the writer.
            await Task.yield()
        }
        try await writing
        #expect(seen == 200)
    }

    @Test(arguments: StoreDriver.all)
    func `opening again finds everything`(driver: StoreDriver) async throws {
        let installation = try driver.install()
        let before = try installation.open()
        let shop = try await SeededShop(in: before)
        let entry = try await before.write { repositories in
            let entry = try repositories.ledger.insert(shop.purchase(1))
            try repositories.ledger.recordFinish(of: entry.id, at: SeededShop.date)
            return entry
        }
        let products = try await before.read { try $0.catalog.products(of: shop.app.id) }
        let generation = try await before.catalogGeneration()
        before.close()
        let after = try installation.open()
        #expect(try await shop.entries(in: after) == [entry])
        #expect(try await after.read { try $0.ledger.isFinished(entry.id) })
        #expect(try await after.read { try $0.catalog.products(of: shop.app.id) } == products)
        #expect(try await after.read { try $0.accounts.account(shop.ada.id) } == shop.ada)
        #expect(try await after.catalogGeneration() == generation)
    }

    @Test(arguments: StoreDriver.all)
    func `a closed database refuses writes`(driver: StoreDriver) async throws {
        let installation = try driver.install()
        let database = try installation.open()
        let shop = try await SeededShop(in: database)
        database.close()
        database.close()
        await #expect {
            try await database.write { try $0.ledger.insert(shop.purchase(1)) }
        } throws: {
            ($0 as? SQLError)?.code == .closed
        }
        #expect(try await shop.entries(in: installation.open()).isEmpty)
    }
}
