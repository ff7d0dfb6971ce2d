import Foundation
import StoreContent
import StoreModel
import StoreTestSupport
import Testing

@testable import StoreCore

private let needsShell: ConditionTrait = .enabled(
    if: SQLiteShell.isInstalled, "the program sqlite3 is not installed")

/// What imports leave to others: the writer, and room.
@Suite(.usesDrivers) struct ImportTurnTests {
    private static func list(_ count: Int) -> ImportedList {
        ImportedList(
            products: (0..<count).map { ListedProduct.sample("com.example.shop.gems\($0)") })
    }

    @Test(arguments: StoreDriver.all)
    func `a rehearsal takes the writer for parts of the file, and says what an import says`(
        driver: StoreDriver
    ) async throws {
        let shop = try await ProductShop(driver)
        let database = WatchedDatabase(shop.database)
        let imports = ProductImportService(
            database: database, clock: shop.clock, rehearsalPart: 20)
        func run(_ list: ImportedList, isRehearsal: Bool) async throws -> ImportCounts {
            try await imports.run(
                list, into: shop.shop.app.id, origin: ImportOrigin(), isRehearsal: isRehearsal,
                record: UnreadOutcomes(), by: shop.actor())
        }
        let list = Self.list(50)
        #expect(try await run(list, isRehearsal: true) == ImportCounts(added: 50))
        #expect(database.writes == 3)
        #expect(try await run(list, isRehearsal: false) == ImportCounts(added: 50))
        #expect(database.writes == 4)
        // The second time that a product is listed it is there already.
        let doubled = ImportedList(products: Self.list(51).products + list.products)
        for isRehearsal in [true, false] {
            #expect(
                try await run(doubled, isRehearsal: isRehearsal)
                    == ImportCounts(added: 1, unchanged: 100))
        }
        #expect(database.writes == 6)
    }

    @Test(arguments: StoreDriver.all)
    func `one import runs at a time`(driver: StoreDriver) async throws {
        let shop = try await ProductShop(driver)
        let database = WatchedDatabase(shop.database)
        let imports = ProductImportService(database: database, clock: shop.clock)
        @Sendable func run() async throws -> ImportCounts {
            try await imports.run(
                Self.list(1), into: shop.shop.app.id, origin: ImportOrigin(), isRehearsal: false,
                record: UnreadOutcomes(), by: shop.actor())
        }
        await database.gate.close()
        async let first = run()
        await database.gate.arrival()
        let second = await #expect(throws: ConnectRefusal.self, "two imports run") {
            try await run()
        }
        // Also where the second one was not refused: the first one waits.
        await database.gate.open()
        #expect(second?.rule == "importRunning" && second?.kind == .tooMany)
        #expect(try await first == ImportCounts(added: 1))
        #expect(try await run() == ImportCounts(unchanged: 1), "also after a refusal")
        await #expect(throws: ConnectRefusal.self) {
            _ = try await imports.run(
                Self.list(1), into: AppID(number: 999), origin: ImportOrigin(),
                isRehearsal: false, record: UnreadOutcomes(), by: shop.actor())
        }
        #expect(try await run() == ImportCounts(unchanged: 1), "also after a failure")
    }

    @Test(needsShell) func `an app has so many products, whichever way they come`() async throws {
        let folder = try TemporaryFolder()
        let file = folder.file("store.sqlite")
        var database = try SQLiteDatabase(path: file.path)
        let seeded = try await SeededShop(in: database)
        database.close()
        // The app has four; deleted ones don't count.
        let filled = try await SQLiteShell.run(
            """
            WITH RECURSIVE n (i) AS (
                SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < \(ProductService.limit - 3))
            INSERT INTO product (app, product_id, type, reference_name, family_shareable, state,
                primary_locale, deleted)
            SELECT \(seeded.app.id.number), 'p' || i, 'Consumable', 'n', 0, 'APPROVED', 'en_US',
                iif(i = 1, 1, NULL)
            FROM n;
            """, on: file)
        try #require(filled.status == 0, "\(filled.output)")
        database = try SQLiteDatabase(path: file.path)
        let clock = SettableClock(SeededShop.date)
        let actor = ConnectActor(
            kind: .person(PersonID(number: 1), email: "pat@example.com"),
            team: seeded.app.teamID, roles: [.appManager])
        let files = try DiskContentStore(root: folder.file("content"))
        let opened = database
        let ways: [@Sendable () async throws -> Void] = [
            {
                _ = try await ProductService(database: opened, clock: clock).create(
                    NewProduct(productID: "one.more", type: .consumable, referenceName: "One more"),
                    in: seeded.app.id, by: actor)
            },
            {
                _ = try await SubscriptionService(database: opened, clock: clock).create(
                    NewSubscription(
                        productID: "one.more", referenceName: "One more", reviewNote: "",
                        isFamilyShareable: false,
                        period: SubscriptionPeriod(unit: .month, count: 1), level: 1),
                    inGroupNamed: "Group", id: "g", of: seeded.app.id, by: actor)
            },
            {
                _ = try await CatalogService(database: opened).apply(
                    CatalogDraft(
                        teamName: "Example", bundleID: seeded.app.bundleID, appName: "Shop",
                        products: [SeededShop.product(ProductID("one.more")!, .consumable)]),
                    files: files, at: SeededShop.date)
            },
        ]
        for way in ways {
            do {
                try await way()
                Issue.record("one more is made")
            } catch let refusal as ConnectRefusal {
                #expect(refusal.rule == "tooManyProducts")
            }
        }
        for isRehearsal in [true, false] {
            do {
                _ = try await ProductImportService(database: opened, clock: clock).run(
                    Self.list(1), into: seeded.app.id, origin: ImportOrigin(),
                    isRehearsal: isRehearsal, record: UnreadOutcomes(), by: actor)
                Issue.record("one more is imported")
            } catch let refusal as ImportRefusal {
                #expect(refusal.problems.map(\.refusal.rule) == ["tooManyProducts"])
            }
        }
        let one = try await database.read { repositories in
            try #require(
                try repositories.products.number(of: ProductID("p2")!, in: seeded.app.id))
        }
        try await database.write { try $0.products.delete(one, at: SeededShop.date) }
        try await ways[0]()
        database.close()
    }
}

/// The products of a file.
private struct ImportedList: ProductListing {
    let products: [ListedProduct]

    func forEach(_ body: (ListedProduct) throws -> Void) throws {
        for product in products { try body(product) }
    }
}

private struct UnreadOutcomes: ImportRecord {
    func begin() {}
    func add(_ outcome: ImportOutcome) {}
}

/// A database that counts transactions, and holds them up while its gate is closed.
private struct WatchedDatabase: ForwardingDatabase {
    let inner: any ShopDatabase
    let gate = Gate()
    private let count = Locked(0)

    init(_ inner: any ShopDatabase) {
        self.inner = inner
    }

    var writes: Int { count.value }

    func write<Result: Sendable>(
        _ body: @escaping @Sendable (StoreRepositories) throws -> Result
    ) async throws -> Result {
        count.value += 1
        await gate.pass()
        return try await inner.write(body)
    }
}

/// Holds up the next one who comes, and nobody behind them.
private actor Gate {
    private var isClosed = false
    private var hasArrived = false
    private var waiting: [CheckedContinuation<Void, Never>] = []
    private var watching: [CheckedContinuation<Void, Never>] = []

    func close() { isClosed = true }

    func open() {
        isClosed = false
        for continuation in waiting { continuation.resume() }
        waiting = []
    }

    func pass() async {
        guard isClosed, !hasArrived else { return }
        hasArrived = true
        for continuation in watching { continuation.resume() }
        watching = []
        await withCheckedContinuation { waiting.append($0) }
    }

    /// Waits until somebody waits at the gate.
    func arrival() async {
        guard !hasArrived else { return }
        await withCheckedContinuation { watching.append($0) }
    }
}
