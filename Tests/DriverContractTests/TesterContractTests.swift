import Foundation
import StoreModel
import StoreTestSupport
import Testing

@testable import StoreCore

/// Testers, and what is remembered about their purchases.
@Suite(.usesDrivers) struct TesterContracts {
    private static func team(in database: any ShopDatabase) async throws -> Int64 {
        try await database.read { repositories in
            try #require(try repositories.catalog.team(named: "Example")).id
        }
    }

    @Test(arguments: StoreDriver.all)
    func `an account of the sandbox becomes a tester once, one of production never`(
        driver: StoreDriver
    ) async throws {
        let database = try driver.install().open()
        let shop = try await SeededShop(in: database)
        let team = try await Self.team(in: database)
        let profile = TesterProfile(
            team: team, firstName: "Ada", lastName: "L.",
            secret: .init(question: "Why?", answerHash: "hash"))
        try await database.write {
            try $0.testers.insert(profile, of: shop.ada.id, at: SeededShop.date)
        }
        let tester = try await database.read { try $0.testers.tester(shop.ada.id) }
        #expect(tester?.email == "ada@example.com")
        #expect(tester?.settings == AccountSettings())
        #expect(tester?.clearingDate == nil)
        #expect(try await database.read { try $0.testers.tester(shop.grace.id) } == nil)
        for account in [shop.ada.id, shop.customer.id, AccountID(number: 999)] {
            await #expect(throws: (any Error).self) {
                try await database.write {
                    try $0.testers.insert(profile, of: account, at: SeededShop.date)
                }
            }
        }
    }

    @Test(arguments: StoreDriver.all)
    func `status, clearing and declined payments belong to the sandbox`(
        driver: StoreDriver
    ) async throws {
        let database = try driver.install().open()
        let shop = try await SeededShop(in: database)
        let customer = shop.customer.id
        let declined = DeclinedPayment(shop.purchase(1, by: shop.customer))
        let attempts: [@Sendable (StoreRepositories) throws -> Void] = [
            { try $0.testers.record(.converted, of: customer, at: SeededShop.date) },
            { try $0.testers.recordClearing(of: customer, at: SeededShop.date) },
            { try $0.testers.insert(declined) },
            { try $0.accounts.set(AccountSettings(paymentFailure: .all), of: customer) },
        ]
        for attempt in attempts {
            await #expect(throws: (any Error).self) { try await database.write(attempt) }
        }
        #expect(try await database.read { try $0.testers.status(of: customer) } == .active)
    }

    @Test(arguments: StoreDriver.all)
    func `an ending is recorded once; deleted counts more than converted`(
        driver: StoreDriver
    ) async throws {
        let database = try driver.install().open()
        let shop = try await SeededShop(in: database)
        let ada = shop.ada.id
        for ending in [TesterStatus.converted, .deleted] {
            try await database.write {
                try $0.testers.record(ending, of: ada, at: SeededShop.date)
            }
            #expect(try await database.read { try $0.testers.status(of: ada) } == ending)
            await #expect(throws: (any Error).self) {
                try await database.write {
                    try $0.testers.record(ending, of: ada, at: SeededShop.date)
                }
            }
        }
        await #expect(throws: (any Error).self) {
            try await database.write {
                try $0.testers.record(.active, of: shop.grace.id, at: SeededShop.date)
            }
        }
        // Nobody is signed in with it any more, nor can be.
        await #expect(throws: (any Error).self) {
            try await database.write {
                try $0.accounts.insertSession(
                    tokenDigest: Data(repeating: 1, count: 32), account: ada,
                    start: SeededShop.date, end: SeededShop.date + 1)
            }
        }
    }

    @Test(arguments: StoreDriver.all)
    func `sessions of one account end, on devices and in browsers`(
        driver: StoreDriver
    ) async throws {
        let database = try driver.install().open()
        let shop = try await SeededShop(in: database)
        let (start, end) = (SeededShop.date, SeededShop.date + 100)
        @Sendable func digest(_ number: UInt8) -> Data { Data(repeating: number, count: 32) }
        try await database.write { repositories in
            for (number, account) in [(UInt8(1), shop.ada.id), (2, shop.grace.id)] {
                try repositories.accounts.insertSession(
                    tokenDigest: digest(number), account: account, start: start, end: end)
                try repositories.prompts.insertPageSession(
                    tokenDigest: digest(number), account: account, start: start, end: end)
            }
            try repositories.accounts.deleteSessions(of: shop.ada.id)
        }
        try await database.read { (repositories: StoreRepositories) throws in
            for (number, lives) in [(UInt8(1), false), (2, true)] {
                let session = try repositories.accounts.session(
                    tokenDigest: digest(number), at: start)
                let page = try repositories.prompts.pageSession(
                    tokenDigest: digest(number), at: start)
                #expect((session != nil) == lives)
                #expect((page != nil) == lives)
            }
        }
    }

    @Test(arguments: StoreDriver.all)
    func `what was bought before a clearing is found by identifier and key only`(
        driver: StoreDriver
    ) async throws {
        let database = try driver.install().open()
        let shop = try await SeededShop(in: database)
        let (ada, app) = (shop.ada.id, shop.app.id)
        struct Seen: Equatable {
            var entries: [TransactionID]
            var first: TransactionID?
            var restorable: [TransactionID]
            var unfinished: [TransactionID]
        }
        func seen() async throws -> Seen {
            try await database.read { repositories in
                let ledger = repositories.ledger
                return Seen(
                    entries: try ledger.entries(account: ada, app: app).map(\.id),
                    first: try ledger.firstPurchase(
                        of: SeededShop.chapter, account: ada, app: app)?.id,
                    restorable: try ledger.restorable(
                        account: ada, app: app, device: "other", after: nil, limit: 9
                    ).map(\.id),
                    unfinished: try ledger.unfinished(
                        account: ada, app: app, device: "device", after: nil, limit: 9
                    ).map(\.id))
            }
        }
        // Clearing nothing hides nothing that comes later.
        try await database.write { try $0.testers.recordClearing(of: ada, at: SeededShop.date) }
        let old = try await database.write { repositories in
            let grace = try repositories.ledger.insert(shop.purchase(9, by: shop.grace))
            return (try repositories.ledger.insert(shop.purchase(1)), grace)
        }
        let before = try await seen()
        #expect(
            before
                == Seen(
                    entries: [old.0.id], first: old.0.id, restorable: [old.0.id],
                    unfinished: [old.0.id]))
        try await database.write { try $0.testers.recordClearing(of: ada, at: SeededShop.date) }
        #expect(try await seen() == Seen(entries: [], first: nil, restorable: [], unfinished: []))
        let new = try await database.write { try $0.ledger.insert(shop.purchase(2)) }
        let after = try await seen()
        #expect(
            after
                == Seen(
                    entries: [new.id], first: new.id, restorable: [new.id], unfinished: [new.id]))
        try await database.read { (repositories: StoreRepositories) throws in
            let ledger = repositories.ledger
            #expect(try ledger.entry(old.0.id) == old.0)
            #expect(try ledger.entry(key: old.0.details.key, account: ada, app: app) == old.0)
            // Others' histories are theirs.
            #expect(try ledger.entries(account: shop.grace.id, app: app) == [old.1])
        }
    }

    @Test(arguments: StoreDriver.all)
    func `a declined payment comes back by its key, as it was`(
        driver: StoreDriver
    ) async throws {
        let database = try driver.install().open()
        let shop = try await SeededShop(in: database)
        let team = try await Self.team(in: database)
        let payments = (1...3).map { number in
            var payment = DeclinedPayment(shop.purchase(number, type: .consumable))
            payment.date += TimeInterval(number)
            return payment
        }
        try await database.write { repositories in
            for payment in payments { try repositories.testers.insert(payment) }
        }
        try await database.read { (repositories: StoreRepositories) throws in
            let testers = repositories.testers
            let found = try testers.declinedPayment(
                key: payments[0].key, account: shop.ada.id, app: shop.app.id)
            #expect(found == payments[0])
            let other = try testers.declinedPayment(
                key: payments[0].key, account: shop.ada.id, app: shop.otherApp.id)
            #expect(other == nil)
            let latest = try testers.declinedPayments(of: shop.ada.id, team: team, limit: 2)
            #expect(latest == [payments[2], payments[1]])
            let elsewhere = try testers.declinedPayments(
                of: shop.ada.id, team: team + 1, limit: 2)
            #expect(elsewhere.isEmpty)
        }
        await #expect(throws: (any Error).self) {
            try await database.write { try $0.testers.insert(payments[0]) }
        }
    }

    @Test(arguments: StoreDriver.all)
    func `purchases come with what became of them, the newest first, a page at a time`(
        driver: StoreDriver
    ) async throws {
        let database = try driver.install().open()
        let shop = try await SeededShop(in: database)
        let team = try await Self.team(in: database)
        let (ada, date) = (shop.ada.id, SeededShop.date)
        let entries = try await database.write { repositories in
            let ledger = repositories.ledger
            let first = try ledger.insert(shop.purchase(1))
            try ledger.recordFinish(of: first.id, at: date + 1)
            var restore = shop.purchase(2, original: first.original)
            restore.kind = .restore
            _ = try ledger.insert(restore)
            try repositories.testers.recordClearing(of: ada, at: date)
            let second = try ledger.insert(shop.purchase(3, type: .consumable))
            _ = try ledger.recordRevocation(
                Revocation(transaction: second.id, reason: .other, date: date + 2))
            _ = try ledger.insert(shop.purchase(4, by: shop.grace))
            return [first, second]
        }
        let expected = [
            TesterPurchase(
                entry: entries[1], finishDate: nil, revocationDate: date + 2, isCleared: false),
            TesterPurchase(
                entry: entries[0], finishDate: date + 1, revocationDate: nil, isCleared: true),
        ]
        func page(_ cursor: String?, _ team: Int64) async throws -> ListPage<TesterPurchase> {
            try await database.read {
                try $0.testers.purchases(
                    of: ada, team: team, PageRequest(limit: 1, cursor: cursor))
            }
        }
        let first = try await page(nil, team)
        #expect(first.items == [expected[0]])
        #expect(first.total == 2)
        let second = try await page(first.next, team)
        #expect(second.items == [expected[1]])
        #expect(second.next == nil)
        #expect(try await page(nil, team + 1).items.isEmpty)
    }
}

/// What holds for SQLite's file.
@Suite(.usesFiles, .enabled(if: SQLiteShell.isInstalled, "the program sqlite3 is not installed"))
struct TesterFileTests {
    @Test func `what was written about testers can't be changed with SQL`() async throws {
        let folder = try TemporaryFolder()
        let file = folder.file("store.sqlite")
        let database = try SQLiteDatabase(path: file.path)
        let shop = try await SeededShop(in: database)
        try await database.write { repositories in
            let team = try #require(try repositories.catalog.team(named: "Example")).id
            let testers = repositories.testers
            try testers.insert(
                TesterProfile(team: team, firstName: "A", lastName: "L", secret: nil),
                of: shop.ada.id, at: SeededShop.date)
            try testers.record(.deleted, of: shop.ada.id, at: SeededShop.date)
            try testers.recordClearing(of: shop.ada.id, at: SeededShop.date)
            try testers.insert(DeclinedPayment(shop.purchase(1)))
        }
        for statement in [
            "DELETE FROM tester", "UPDATE tester SET first_name = 'B'",
            "UPDATE tester SET team = 1", "DELETE FROM tester_ending",
            "UPDATE tester_ending SET ending = 'converted'", "DELETE FROM history_clearing",
            "UPDATE history_clearing SET last = 0", "DELETE FROM declined_payment",
            "UPDATE declined_payment SET quantity = 2",
        ] {
            let result = try await SQLiteShell.run(statement, on: file)
            #expect(result.status != 0, "\(statement)")
        }
        let rate = try await SQLiteShell.run(
            "UPDATE tester SET renewal_rate = 'MONTHLY_RENEWAL_EVERY_ONE_HOUR'", on: file)
        #expect(rate.status == 0)
    }
}
