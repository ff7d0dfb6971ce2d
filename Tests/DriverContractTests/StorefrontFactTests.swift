import Foundation
import StoreCore
import StoreModel
import StoreTestSupport
import Testing

private let needsShell: ConditionTrait = .enabled(
    if: SQLiteShell.isInstalled, "the program sqlite3 is not installed")

/// What no program can do to sales and reviews, whoever opens SQLite's file.
@Suite(.usesFiles) struct StorefrontFactTests {
    private let folder: TemporaryFolder
    private var file: URL { folder.file("store.sqlite") }

    init() throws {
        folder = try TemporaryFolder()
    }

    private func fixture() async throws -> ItemSaleFixture {
        let (path, place) = (file.path, folder)
        let driver = StoreDriver(testDescription: "here") {
            StoreDriver.Installation {
                let database = try SQLiteDatabase(path: path)
                return OpenedDatabase(inner: database, place: place)
            }
        }
        return try await ItemSaleFixture(driver)
    }

    @Test(
        needsShell,
        arguments: [
            ("UPDATE item_sale SET price = 0", "never rewritten"),
            ("UPDATE item_sale SET affiliate = NULL, commission = NULL", "never rewritten"),
            ("DELETE FROM item_sale", "never deleted"),
            ("UPDATE item_refund SET date = 0", "never rewritten"),
            ("DELETE FROM item_refund", "never deleted"),
            (
                """
                INSERT INTO item_sale (item, team, environment, account, storefront, price,
                    currency, date)
                SELECT item, team, environment, account, storefront, price, currency, date
                FROM item_sale WHERE id NOT IN (SELECT sale FROM item_refund)
                """, "has the item already"
            ),
            ("DELETE FROM affiliate", "never deleted"),
            ("UPDATE affiliate SET token = 'other1'", "never rewritten"),
            ("UPDATE customer_review SET account = account + 1", "stays with its item"),
            ("UPDATE customer_review SET environment = 'Sandbox'", "stays with its item"),
            ("UPDATE customer_review SET rating = 6", "CHECK constraint failed"),
            ("UPDATE customer_review SET helpful_votes = 5", "CHECK constraint failed"),
            (
                "INSERT INTO review_vote SELECT id, account, 1, 0 FROM customer_review",
                "review of their own"
            ),
        ])
    func `facts stay as they are`(statement: String, reason: String) async throws {
        let fixture = try await fixture()
        _ = try await fixture.affiliates.create(
            name: "Ada", email: "ada@example.com", basisPoints: 700, token: "11lAda",
            by: .machine)
        let link = Referral(affiliateToken: "11lAda")
        let song = try await fixture.buy(fixture.song, by: fixture.ada, referral: link)
        try await fixture.sales.refund(song.id, by: .machine)
        try await fixture.buy(fixture.book, by: fixture.ada, referral: link)
        _ = try await fixture.reviews.write(
            ReviewDraft(rating: 5, title: "Fine", nickname: "Ada"), on: fixture.book,
            by: fixture.ada)
        let query = """
            SELECT * FROM item_sale; SELECT * FROM item_refund; SELECT * FROM affiliate;
            SELECT * FROM customer_review; SELECT * FROM review_vote; SELECT * FROM item_rating
            """
        let before = try await SQLiteShell.run(query, on: file)
        #expect(before.status == 0)
        let result = try await SQLiteShell.run(statement, on: file)
        #expect(result.status != 0)
        #expect(result.output.contains(reason))
        #expect(try await SQLiteShell.run(query, on: file).output == before.output)
    }

    @Test func `lists of reviews are read from indexes in their order`() async throws {
        _ = try await fixture()
        for (order, index) in [
            ("helpfulness DESC, changed DESC, id DESC", "customer_review_helpful_in_all"),
            ("changed DESC, id DESC", "customer_review_recent_in_all"),
            ("rating DESC, changed DESC, id DESC", "customer_review_favorable_in_all"),
            ("rating, changed DESC, id DESC", "customer_review_critical_in_all"),
        ] {
            let plan = try QueryPlan.sqlite(
                """
                SELECT * FROM customer_review_entry
                WHERE item = 1 AND environment = 'Production' AND state = 'PUBLISHED'
                    AND has_text = 1 ORDER BY \(order) LIMIT 10 OFFSET 100
                """, in: file)
            #expect(plan.contains(index), "\(plan)")
            #expect(!plan.contains("TEMP B-TREE"), "\(plan)")
        }
    }
}
