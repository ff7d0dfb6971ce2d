import StoreCore
import StoreModel
import Testing

@Suite(.usesDrivers) struct OwnershipContractTests {
    @Test(arguments: StoreDriver.all)
    func `finished first purchases of what one owns can be restored`(
        driver: StoreDriver
    ) async throws {
        let database = try driver.install().open()
        let shop = try await SeededShop(in: database)
        let finished = try await database.write { repositories in
            let ledger = repositories.ledger
            let drafts =
                ProductType.allCases.enumerated().map { shop.purchase($0, type: $1) }
                + [shop.purchase(10, by: shop.grace), shop.purchase(11, in: shop.otherApp)]
            let entries = try drafts.map { try ledger.insert($0) }
            let first = try #require(entries.first { $0.details.productType == .nonConsumable })
            let again = try ledger.insert(shop.purchase(12, original: first.original))
            for entry in entries + [again] {
                try ledger.recordFinish(of: entry.id, at: SeededShop.date)
            }
            return entries
        }
        let restorable = try await database.read {
            try $0.ledger.restorable(
                account: shop.ada.id, app: shop.app.id, device: "device", after: nil, limit: 100)
        }
        let types = restorable.map(\.details.productType)
        #expect(Set(types) == [.nonConsumable, .autoRenewableSubscription])
        #expect(restorable == finished.prefix(4).filter { types.contains($0.details.productType) })
    }

    @Test(arguments: StoreDriver.all)
    func `what is not finished is restored on other devices only`(driver: StoreDriver) async throws
    {
        let database = try driver.install().open()
        let shop = try await SeededShop(in: database)
        let restorable = try await database.write { repositories in
            _ = try repositories.ledger.insert(shop.purchase(1))
            let ledger = repositories.ledger
            #expect(
                try ledger.restorable(
                    account: shop.ada.id, app: shop.app.id, device: "another", after: nil,
                    limit: 100
                ).count == 1)
            return try ledger.restorable(
                account: shop.ada.id, app: shop.app.id, device: "device", after: nil, limit: 100)
        }
        #expect(restorable.isEmpty)
    }

    @Test(arguments: StoreDriver.all)
    func `the first purchase is the one that refers to no other`(
        driver: StoreDriver
    ) async throws {
        let database = try driver.install().open()
        let shop = try await SeededShop(in: database)
        let entries = try await database.write { repositories in
            let ledger = repositories.ledger
            let first = try ledger.insert(shop.purchase(1))
            return [first, try ledger.insert(shop.purchase(2, original: first.original))]
        }
        func first(_ account: Account, _ app: App) async throws -> LedgerEntry? {
            try await database.read {
                try $0.ledger.firstPurchase(
                    of: SeededShop.chapter, account: account.id, app: app.id)
            }
        }
        #expect(try await first(shop.ada, shop.app) == entries[0])
        #expect(try await first(shop.grace, shop.app) == nil)
        #expect(try await first(shop.ada, shop.otherApp) == nil)
    }

    @Test(arguments: StoreDriver.all)
    func `of what receipts show the newest is read, and nothing that repeats or restores`(
        driver: StoreDriver
    ) async throws {
        let database = try driver.install().open()
        let shop = try await SeededShop(in: database)
        let subject = HistorySubject(account: shop.ada.id, app: shop.app.id)
        let entries = try await database.write { repositories in
            let ledger = repositories.ledger
            let first = try ledger.insert(shop.purchase(1))
            let used = try ledger.insert(shop.purchase(2, type: .consumable))
            try ledger.recordFinish(of: used.id, at: SeededShop.date)
            let fresh = try ledger.insert(shop.purchase(3, type: .consumable))
            let again = try ledger.insert(shop.purchase(4, original: first.original))
            var draft = shop.purchase(5, original: first.original)
            draft.kind = .restore
            draft.charged.thousandths = 0
            return [first, fresh, again, try ledger.insert(draft)]
        }
        func inUse(_ limit: Int) async throws -> [TransactionID] {
            try await database.read {
                try $0.transactions.recordsInUse(of: subject, limit: limit).map(\.id)
            }
        }
        func unfinished(_ limit: Int) async throws -> [TransactionID] {
            try await database.read {
                try $0.transactions.unfinishedRecords(
                    of: subject, device: "device", limit: limit
                ).map(\.id)
            }
        }
        let ids = entries.map(\.id)
        #expect(try await inUse(10) == Array(ids.prefix(2)))
        #expect(try await inUse(1) == [ids[1]])
        #expect(try await unfinished(10) == ids)
        #expect(try await unfinished(2) == Array(ids.suffix(2)))
    }

    @Test(arguments: StoreDriver.all)
    func `a device is told of what it bought and did not finish`(
        driver: StoreDriver
    ) async throws {
        let database = try driver.install().open()
        let shop = try await SeededShop(in: database)
        let entries = try await database.write { repositories in
            let ledger = repositories.ledger
            let entries = try [
                shop.purchase(1, type: .consumable), shop.purchase(2, type: .consumable),
                shop.purchase(3, device: "other"), shop.purchase(4, by: shop.grace),
                shop.purchase(5, in: shop.otherApp),
            ].map { try ledger.insert($0) }
            try ledger.recordFinish(of: entries[0].id, at: SeededShop.date)
            return entries
        }
        func unfinished(_ device: String) async throws -> [LedgerEntry] {
            try await database.read {
                try $0.ledger.unfinished(
                    account: shop.ada.id, app: shop.app.id, device: device, after: nil, limit: 100)
            }
        }
        #expect(try await unfinished("device") == [entries[1]])
        #expect(try await unfinished("other") == [entries[2]])
        #expect(try await unfinished("third").isEmpty)
    }
}
