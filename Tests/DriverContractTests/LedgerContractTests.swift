import Foundation
@testable import StoreCore
import StoreDatabase
import StoreModel
import Testing

@Suite(.usesDrivers) struct LedgerContractTests {
    @Test(arguments: StoreDriver.all)
    func `a fact is read as it was written`(driver: StoreDriver) async throws {
        let database = try driver.install().open()
        let shop = try await SeededShop(in: database)
        var draft = shop.purchase(1)
        draft.quantity = 3
        draft.charged.thousandths = 2970
        draft.applicationUsername = "日本 'quoted'"
        draft.storefront = .named("JPN")!
        let first = draft
        let written = try await database.write { try $0.ledger.insert(first) }
        var again = shop.purchase(2, original: written.original)
        again.kind = .restore
        let second = again
        let restored = try await database.write { try $0.ledger.insert(second) }
        #expect(written.details == draft)
        #expect(try await shop.entries(in: database) == [written, restored])
        let found = try await database.read { try $0.ledger.entry(restored.id) }
        #expect(found == restored)
        #expect(restored.original == LedgerOriginal(id: written.id, date: SeededShop.date))
        #expect(restored.id > written.id)
    }

    @Test(arguments: StoreDriver.all)
    func `a key is used once by an account in an app`(driver: StoreDriver) async throws {
        let database = try driver.install().open()
        let shop = try await SeededShop(in: database)
        let first = try await database.write { try $0.ledger.insert(shop.purchase(1)) }
        await #expect(throws: LedgerKeyUsed.self) {
            try await database.write {
                try $0.ledger.insert(shop.purchase(1, type: .consumable))
            }
        }
        #expect(try await shop.entries(in: database) == [first])
    }

    @Test(arguments: StoreDriver.all)
    func `the same key is free in another account and another app`(
        driver: StoreDriver
    ) async throws {
        let database = try driver.install().open()
        let shop = try await SeededShop(in: database)
        let entries = try await database.write { repositories in
            try [
                shop.purchase(1), shop.purchase(1, by: shop.grace),
                shop.purchase(1, by: shop.customer), shop.purchase(1, in: shop.otherApp),
            ].map { try repositories.ledger.insert($0) }
        }
        #expect(Set(entries.map(\.id)).count == 4)
        let found = try await database.read {
            try $0.ledger.entry(
                key: "purchase-key-1001", account: shop.grace.id, app: shop.app.id)
        }
        #expect(found == entries[1])
    }

    /// A draft that the schema must not take.
    struct Broken: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let change: @Sendable (inout LedgerDraft) -> Void
    }

    static let broken = [
        Broken(testDescription: "no such account") { $0.account = AccountID(number: 99) },
        Broken(testDescription: "no such app") { $0.app = AppID(number: 99) },
        Broken(testDescription: "no such product") { $0.productID = ProductID("crown")! },
        Broken(testDescription: "account of the other environment") {
            $0.environment = .production
        },
        Broken(testDescription: "no such original") {
            $0.original = LedgerOriginal(id: TransactionID(number: 5), date: SeededShop.date)
            $0.charged.thousandths = 0
        },
        Broken(testDescription: "quantity 0") { $0.quantity = 0 },
        Broken(testDescription: "quantity 11") { $0.quantity = 11 },
        Broken(testDescription: "charged another price") { $0.charged.thousandths = 991 },
        Broken(testDescription: "negative price") {
            $0.unitPrice.thousandths = -990
            $0.charged.thousandths = -990
        },
        Broken(testDescription: "short key") { $0.key = "key" },
        Broken(testDescription: "restored from nothing") { $0.kind = .restore },
    ]

    @Test(arguments: StoreDriver.all, broken)
    func `the schema refuses a fact that can't be`(
        driver: StoreDriver, broken: Broken
    ) async throws {
        let database = try driver.install().open()
        let shop = try await SeededShop(in: database)
        var changed = shop.purchase(1)
        broken.change(&changed)
        let draft = changed
        await #expect {
            try await database.write { try $0.ledger.insert(draft) }
        } throws: {
            ($0 as? SQLError)?.code == .constraint
        }
        #expect(try await shop.entries(in: database).isEmpty)
    }

    @Test(arguments: StoreDriver.all)
    func `a transaction is finished once and stays finished`(driver: StoreDriver) async throws {
        let database = try driver.install().open()
        let shop = try await SeededShop(in: database)
        let entry = try await database.write { try $0.ledger.insert(shop.purchase(1)) }
        #expect(try await database.read { try $0.ledger.isFinished(entry.id) } == false)
        for _ in 1...2 {
            try await database.write {
                try $0.ledger.recordFinish(of: entry.id, at: SeededShop.date)
            }
            #expect(try await database.read { try $0.ledger.isFinished(entry.id) })
        }
        await #expect(throws: SQLError.self) {
            try await database.write {
                try $0.ledger.recordFinish(of: TransactionID(number: 5), at: SeededShop.date)
            }
        }
    }
}
