import Foundation
import StoreModel
@testable import StoreCore
import StoreTestSupport
import Testing

/// What happens to purchases outside of the device that asked for them.
@Suite(.usesDrivers) struct OutOfBandContracts {
    @Test(arguments: StoreDriver.all)
    func `a purchase that waits comes back as it was asked for`(driver: StoreDriver) async throws {
        let database = try driver.install().open()
        let shop = try await SeededShop(in: database)
        let order = shop.purchase(1, type: .consumable)
        let pending = try await database.write {
            try $0.pending.insert(order, kind: .approval)
        }
        let app = shop.app.id
        let account = shop.ada.id
        let other = shop.grace.id
        try await database.read { (repositories: StoreRepositories) throws in
            #expect(try repositories.pending.purchase(pending.id) == pending)
            #expect(
                try repositories.pending.purchase(key: order.key, account: account, app: app)
                    == pending)
            #expect(
                try repositories.pending.purchase(key: order.key, account: other, app: app) == nil)
            #expect(try repositories.pending.undecided() == [pending])
        }
        await #expect(throws: (any Error).self) {
            try await database.write { _ = try $0.pending.insert(order, kind: .approval) }
        }
        let decision = PendingPurchase.Decision(outcome: .declined, date: SeededShop.date)
        try await database.write { try $0.pending.record(decision, on: pending.id) }
        await #expect(throws: (any Error).self) {
            try await database.write { try $0.pending.record(decision, on: pending.id) }
        }
        let decided = try await database.read { repositories in
            #expect(try repositories.pending.undecided().isEmpty)
            return try repositories.pending.purchase(pending.id)
        }
        #expect(decided?.decision == decision)
    }

    @Test(arguments: StoreDriver.all)
    func `events are told in order, behind a number, by account and app`(
        driver: StoreDriver
    ) async throws {
        let database = try driver.install().open()
        let shop = try await SeededShop(in: database)
        #expect(try await database.lastEvent() == DeviceEventID(number: 0))
        let kinds: [DeviceEventDraft.Kind] = [
            .transactions, .revocation(SeededShop.chapter), .storePayment(SeededShop.chapter),
            .priceConsent, .subscription,
        ]
        try await database.write { repositories in
            for kind in kinds {
                for (account, app) in [
                    (shop.ada.id, shop.app.id), (shop.ada.id, shop.otherApp.id),
                    (shop.grace.id, shop.app.id),
                ] {
                    try repositories.events.append(
                        DeviceEventDraft(account: account, app: app, kind: kind),
                        at: SeededShop.date)
                }
            }
        }
        let all = try await database.read {
            try $0.events.events(
                account: shop.ada.id, in: .sandbox, app: shop.app.id,
                after: DeviceEventID(number: 0), limit: 10)
        }
        try #require(all.map(\.kind) == kinds)
        let rest = try await database.read {
            try $0.events.events(
                account: shop.ada.id, in: .sandbox, app: shop.app.id, after: all[1].id, limit: 1)
        }
        #expect(rest == [all[2]])
        let last = try await database.lastEvent()
        // A process that has not heard of the newest events sends no device back that knows them.
        let behind = DeviceEventID(number: last.number - 2)
        let resumed = try await database.read { repositories in
            try [last.number, last.number + 5].map {
                try repositories.events.resumption(after: DeviceEventID(number: $0), heard: behind)
            }
        }
        #expect(resumed == [last, last])
        let latest = try await database.read { try $0.events.latest(after: all[3].id) }
        #expect(
            latest
                == LatestEvents(
                    accounts: [
                        shop.ada.id: DeviceEventID(number: last.number - 1), shop.grace.id: last,
                    ], places: [:]))
    }

    @Test(arguments: StoreDriver.all)
    func `what everybody is told comes among the account's own events`(
        driver: StoreDriver
    ) async throws {
        let database = try driver.install().open()
        let shop = try await SeededShop(in: database)
        let audiences: [(DeviceEventDraft.Audience, AppID)] = [
            (.account(shop.ada.id), shop.app.id), (.everyone(.sandbox), shop.app.id),
            (.everyone(.production), shop.app.id), (.everyone(.sandbox), shop.otherApp.id),
            (.account(shop.ada.id), shop.app.id), (.everyone(.sandbox), shop.app.id),
        ]
        try await database.write { repositories in
            for (audience, app) in audiences {
                try repositories.events.append(
                    DeviceEventDraft(
                        audience: audience, app: app, kind: .contentVersion(SeededShop.chapter)),
                    at: SeededShop.date)
            }
        }
        func heard(_ account: Account, after: Int64 = 0, limit: Int = 10) async throws -> [Int64] {
            try await database.read {
                try $0.events.events(
                    account: account.id, in: account.environment, app: shop.app.id,
                    after: DeviceEventID(number: after), limit: limit)
            }.map(\.id.number)
        }
        #expect(try await heard(shop.ada) == [1, 2, 5, 6])
        #expect(try await heard(shop.ada, after: 1, limit: 2) == [2, 5])
        #expect(try await heard(shop.grace) == [2, 6])
        #expect(try await heard(shop.customer) == [3])
        let latest = try await database.read {
            try $0.events.latest(after: DeviceEventID(number: 2))
        }
        func place(_ app: App, _ environment: StoreEnvironment) -> AppScope {
            AppScope(app: app.id, environment: environment)
        }
        func last(_ account: Account, _ place: AppScope) -> Int64? {
            latest.last(of: account.id, at: place)?.number
        }
        #expect(last(shop.ada, place(shop.app, .sandbox)) == 6)
        #expect(last(shop.grace, place(shop.otherApp, .sandbox)) == 4)
        #expect(last(shop.customer, place(shop.app, .production)) == 3)
        #expect(last(shop.customer, place(shop.otherApp, .production)) == nil)
    }

    @Test(arguments: StoreDriver.all)
    func `settings of an account are off until they are set`(driver: StoreDriver) async throws {
        let database = try driver.install().open()
        let shop = try await SeededShop(in: database)
        let settings = AccountSettings(asksToBuy: true, interruptsPurchases: false)
        try await database.write { repositories in
            #expect(try repositories.accounts.settings(of: shop.ada.id) == AccountSettings())
            try repositories.accounts.set(settings, of: shop.ada.id)
            try repositories.accounts.set(settings, of: shop.ada.id)
        }
        try await database.read { (repositories: StoreRepositories) throws in
            #expect(try repositories.accounts.settings(of: shop.ada.id) == settings)
            #expect(try repositories.accounts.settings(of: shop.grace.id) == AccountSettings())
        }
    }

    @Test(arguments: StoreDriver.all)
    func `restorable purchases come in pages, without what was revoked`(
        driver: StoreDriver
    ) async throws {
        let database = try driver.install().open()
        let shop = try await SeededShop(in: database)
        let entries = try await database.write { repositories in
            try (1...5).map { try repositories.ledger.insert(shop.purchase($0, device: "other")) }
        }
        func page(after: TransactionID?, limit: Int) async throws -> [TransactionID] {
            try await database.read {
                try $0.ledger.restorable(
                    account: shop.ada.id, app: shop.app.id, device: "device", after: after,
                    limit: limit)
            }.map(\.id)
        }
        let ids = entries.map(\.id)
        #expect(try await page(after: nil, limit: 2) == Array(ids[0..<2]))
        #expect(try await page(after: ids[1], limit: 2) == Array(ids[2..<4]))
        #expect(try await page(after: ids[4], limit: 2).isEmpty)
        let revocation = Revocation(
            transaction: ids[2], reason: .developerIssue, date: SeededShop.date)
        try await database.write { (repositories: StoreRepositories) throws in
            #expect(try repositories.ledger.recordRevocation(revocation))
            #expect(try repositories.ledger.recordRevocation(revocation) == false)
        }
        #expect(try await page(after: ids[1], limit: 9) == Array(ids[3..<5]))
        let revoked = try await database.read {
            try $0.ledger.revocations(account: shop.ada.id, app: shop.app.id)
        }
        #expect(revoked == [revocation])
    }
}

/// What holds for SQLite's file.
@Suite(.usesFiles, .enabled(if: SQLiteShell.isInstalled, "the program sqlite3 is not installed"))
struct OutOfBandFileTests {
    @Test(arguments: [
        "pending_purchase", "pending_decision", "ledger_revocation", "offer_code",
        "offer_code_use", "price_consent", "price_consent_decision", "device_event",
    ])
    func `questions and answers can't be changed with SQL`(table: String) async throws {
        let folder = try TemporaryFolder()
        try PreparedDatabase.install(into: folder.url)
        let file = folder.file("store.sqlite")
        let database = try SQLiteDatabase(path: file.path)
        let shop = try await SeededShop(in: database)
        try await database.write { repositories in
            let date = SeededShop.date
            let credits = SeededShop.product(of: .consumable)
            let entry = try repositories.ledger.insert(shop.purchase(1))
            _ = try repositories.ledger.recordRevocation(
                Revocation(transaction: entry.id, reason: .other, date: date))
            let pending = try repositories.pending.insert(shop.purchase(2), kind: .interruption)
            try repositories.pending.record(
                PendingPurchase.Decision(outcome: .approved, date: date), on: pending.id)
            try repositories.offers.insert(
                OfferCode(
                    code: "ABCDEFGH", app: shop.app.id, productID: credits, uses: 1, end: date),
                at: date)
            try repositories.offers.recordUse(
                OfferCodeUse(
                    code: "ABCDEFGH", account: shop.ada.id, environment: .sandbox, number: 1,
                    transaction: entry.id))
            let consent = try repositories.offers.insertConsent(
                PriceConsentDraft(
                    account: shop.ada.id, app: shop.app.id, productID: credits,
                    currentPrice: Money(thousandths: 0, currency: "USD"), newPrice: 1),
                at: date)
            try repositories.offers.recordConsent(consent.id, agreed: true, at: date)
            try repositories.events.append(
                DeviceEventDraft(account: shop.ada.id, app: shop.app.id, kind: .transactions),
                at: date)
        }
        let column = table == "offer_code_use" ? "account" : table == "offer_code" ? "uses" : "id"
        for statement in ["DELETE FROM \(table)", "UPDATE \(table) SET \(column) = \(column)"] {
            let result = try await SQLiteShell.run(statement, on: file)
            #expect(result.status != 0, "\(statement)")
            #expect(result.output.contains("\(table) rows are never"), "\(result.output)")
        }
    }
}
