import Foundation
import StoreModel
import StoreTestSupport
import Testing

@testable import StoreCore
@testable import StoreDatabase

/// Pages of customers' histories, as publishers' servers ask for them.
@Suite(.usesDrivers) struct HistoryServiceTests {
    /// A shop in which Ada has bought many credits, each a second after the one before it.
    private struct Fixture {
        let database: OpenedDatabase
        let shop: SeededShop
        let subject: HistorySubject
        /// Reads one step of rows and a part of the next for a page, where filters take none.
        static let walkLimit = 250
        var history: HistoryService {
            HistoryService(database: database, walkLimit: Self.walkLimit)
        }

        init(_ driver: StoreDriver, _ count: Int) async throws {
            let database = try driver.install().open()
            let shop = try await SeededShop(in: database)
            self.database = database
            self.shop = shop
            subject = HistorySubject(account: shop.ada.id, app: shop.app.id)
            try await database.write { repositories in
                for number in 0..<count {
                    var draft = shop.purchase(number, type: .consumable)
                    draft.date = SeededShop.date.addingTimeInterval(TimeInterval(number))
                    _ = try repositories.ledger.insert(draft)
                }
            }
        }

        /// Revisions are numbers in order: what a server has seen so many transactions behind.
        func page(
            after count: Int, _ change: (inout HistoryQuery) -> Void = { _ in }
        ) async throws -> HistoryPage {
            var query = HistoryQuery()
            change(&query)
            return try await history.history(
                of: subject, query, after: HistoryRevision(number: Int64(count)))
        }
    }

    @Test(arguments: StoreDriver.all)
    func `a filter that takes nothing is done after so many rows, and goes on where it stopped`(
        driver: StoreDriver
    ) async throws {
        let limit = Fixture.walkLimit
        let fixture = try await Fixture(driver, limit + 50)
        let first = try await fixture.page(after: 0) { $0.types = [.nonConsumable] }
        #expect(first.records.isEmpty && first.hasMore)
        #expect(first.revision.number == Int64(limit))
        let last = try await fixture.page(after: Int(first.revision.number)) {
            $0.types = [.nonConsumable]
        }
        #expect(last.records.isEmpty && !last.hasMore)
        #expect(last.revision.number == Int64(limit) + 50)
    }

    @Test(arguments: StoreDriver.all)
    func `a filter finds what lies far behind, page by page, and nothing twice`(
        driver: StoreDriver
    ) async throws {
        let fixture = try await Fixture(driver, 300)
        // The last 30 of 300.
        let start = SeededShop.date.addingTimeInterval(270)
        var pages: [HistoryPage] = []
        repeat {
            pages.append(
                try await fixture.page(after: Int(pages.last?.revision.number ?? 0)) {
                    $0.start = start
                })
        } while pages.last?.hasMore == true
        #expect(pages.map(\.records.count) == [0, 20, 10])
        let dates = pages.flatMap(\.records).map(\.entry.details.date)
        #expect(dates == (0..<30).map { start.addingTimeInterval(TimeInterval($0)) })
    }

    @Test(arguments: StoreDriver.all)
    func `a page is full wherever it begins`(driver: StoreDriver) async throws {
        let fixture = try await Fixture(driver, 120)
        for place in [0, 50, 99] {
            #expect(try await fixture.page(after: place).records.count == 20)
        }
    }

    /// The pages that there are, and the index that each is read from.
    private static let pages: [(order: HistoryQuery.Order, onlyRevoked: Bool, index: String)] = [
        (.ascending, false, "history_by_revision"), (.descending, false, "history_by_revision"),
        (.ascending, true, "history_of_revoked"), (.descending, true, "history_of_revoked"),
    ]

    private static func page(_ order: HistoryQuery.Order, onlyRevoked: Bool) -> SQL {
        TransactionRepository.page(
            of: HistorySubject(
                account: AccountID(number: 1), app: AppID(number: 1)),
            after: nil, order, onlyRevoked: onlyRevoked, limit: 21)
    }

    @Test func `a page costs the same wherever it lies, however long the history is`() throws {
        let place = try CheckedDatabase(.sqlite)
        guard case .sqlite(let folder) = place else { return }
        for (order, onlyRevoked, index) in Self.pages {
            let page = Self.page(order, onlyRevoked: onlyRevoked)
            let plan = try QueryPlan.sqlite(page.text, in: folder.file("store.sqlite"))
            // It goes to the first row of the page, and reads on.
            let range = "(account=? AND app=? AND revision\(order == .ascending ? ">" : "<")?)"
            #expect(plan.contains("INDEX \(index) \(range)"), "\(plan)")
            #expect(!plan.contains("SCAN") && !plan.contains("B-TREE"), "\(plan)")
        }
    }

    /// After an import that nobody has counted: without statistics, and not while they are made.
    @Test func `a page costs the same in PostgreSQL, which knows nothing of the rows yet`()
        async throws
    {
        let place = try PostgresTestDatabase()
        let database = try CheckedDatabase.postgres(place).driver.install().open()
        let shop = try await SeededShop(in: database)
        _ = try await database.write { try $0.ledger.insert(shop.purchase(1, type: .consumable)) }
        database.close()
        try place.run(
            """
            SET search_path TO openstore; SET session_replication_role TO replica;
            INSERT INTO ledger (id, kind, environment, account, app, bundle_id, product_id,
                    product_type, purchase_key, device, quantity, unit_price, charged, currency,
                    storefront, date)
                SELECT id + n, kind, environment, account, app, bundle_id, product_id,
                    product_type, 'imported-purchase-' || n, device, quantity, unit_price, charged,
                    currency, storefront, date + n
                FROM ledger, generate_series(1, 20000) n;
            INSERT INTO history (id, account, app, revision, is_revoked)
                SELECT id + n, account, app, revision + n, CASE WHEN n % 100 = 0 THEN 1 ELSE 0 END
                FROM history, generate_series(1, 20000) n
            """)
        for (order, onlyRevoked, index) in Self.pages {
            let page = Self.page(order, onlyRevoked: onlyRevoked)
            for (start, isGeneric) in [(0, false), (10_000, false), (19_900, false), (0, true)] {
                let plan = try QueryPlan.postgres(
                    page.text,
                    [shop.ada.id.number, shop.app.id.number, Int64(start), 21],
                    isGeneric: isGeneric, in: place)
                let walks = plan.all.filter { $0.table == "history" }
                #expect(walks.map(\.kind) == ["Index Scan"], "\(plan)")
                #expect(walks.map(\.index) == [index], "\(plan)")
                for column in ["account", "app", "revision"] {
                    #expect(walks.first?.condition?.contains("(\(column) ") == true, "\(plan)")
                }
                // Nothing reads the whole history before it gives the first row.
                let gatherers = plan.all.filter { step in
                    ["Sort", "Incremental Sort", "Hash", "Materialize", "Aggregate"]
                        .contains(step.kind) && step.all.contains { $0.table == "history" }
                }
                #expect(gatherers.isEmpty, "\(plan)")
            }
        }
    }
}
