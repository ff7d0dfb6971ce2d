import Foundation
@testable import StoreCore
import StoreHTTP
import StoreModel
import StoreServer
import StoreTestSupport
import Testing

@testable import StorePages

/// Sales and Trends.
struct SalesPageTests {
    private let clock = SettableClock()
    private let shop: TestStore
    private let portal: PortalClient

    init() async throws {
        shop = try await TestStore(hasContent: false, clock: clock)
        let date = clock.now()
        let team = try await shop.store.database.write { repositories in
            let app = try repositories.sampleApp()
            for (number, code, product, price) in [
                (1, "USA", SampleShop.badge, 990),
                (2, "USA", SampleShop.credits, 990), (3, "JPN", SampleShop.credits, 120_000),
            ] as [(Int, String, String, Int64)] {
                let storefront = Storefront.named(code)!
                let email = code == "USA" ? TestStore.american : TestStore.japanese
                let account = try #require(
                    try repositories.accounts.account(email: email, in: .production))
                let money = Money(thousandths: price, currency: storefront.currency)
                let entry = try repositories.ledger.insert(
                    LedgerDraft(
                        kind: .purchase, environment: .production, account: account.id,
                        app: app.id, bundleID: app.bundleID, productID: ProductID(product)!,
                        productType: product == SampleShop.badge ? .nonConsumable : .consumable,
                        key: "purchase-key-\(1000 + number)", device: "device", quantity: 1,
                        unitPrice: money, charged: money, storefront: storefront, original: nil,
                        applicationUsername: nil, date: date))
                if number == 1 {
                    _ = try repositories.ledger.recordRevocation(
                        Revocation(transaction: entry.id, reason: .other, date: date))
                }
            }
            return app.teamID
        }
        portal = PortalClient(
            shop.store, roles: [.sales], team: .init(id: team, name: "Publisher"))
    }

    @Test func `units, refunds and proceeds stand on the page, in words and pictures`()
        async throws
    {
        let page = try await portal.open("/connect/sales")
        #expect(page.status == 200)
        #expect(page.words.contains("3 units in 30 days; the most, 3, on") == false)
        #expect(page.text.contains("aria-label=\"3 units in 30 days; the most, 3, on "))
        let bars: Int = page.text.matches(of: /<rect class="bar"/).count
        #expect(bars == 5)
        let second: Int = page.text.matches(of: /<rect class="second"/).count
        #expect(second == 1)
        for word in ["Japan", "United States", SampleShop.badge, "¥84", "$0.69", "UTC", "70 %"] {
            #expect(page.words.contains(word), "\(word)")
        }
        #expect(
            try await portal.open("/connect/sales?environment=sandbox").words.contains(
                "Nothing sold"))
    }

    @Test func `what can't be asked is said, and the page stays`() async throws {
        for query in ["from=2026-13-01", "from=2026-02-02&to=2026-02-01", "from=1999-01-01"] {
            let page = try await portal.open("/connect/sales?\(query)")
            #expect(page.status == 422, "\(query)")
            #expect(page.words.contains("Sales and Trends"), "\(query)")
        }
        #expect(try await portal.open("/connect/sales?app=999").status == 404)
    }

    @Test func `the download has a line for each day, product and territory`() async throws {
        let file = try await portal.open("/connect/sales/report.csv")
        let lines: [String] = file.text.split(separator: "\r\n").map { String($0) }
        let start: String = "\(SalesDay(clock.now()).text),\(SampleShop.bundleID)"
        let (badge, credits) = (SampleShop.badge, SampleShop.credits)
        let expected: [String] = [
            "Day,App,Product,Territory,Units,Refunds,Currency,Sales,Refunded,Proceeds",
            "\(start),\(badge),USA,1,1,USD,0.99,0.99,0",
            "\(start),\(credits),JPN,1,0,JPY,120,0,84",
            "\(start),\(credits),USA,1,0,USD,0.99,0,0.69",
        ]
        #expect(lines == expected)
        #expect(file.headers["Content-Type"]?.hasPrefix("text/csv") == true)
        #expect(file.headers["Content-Disposition"]?.contains("attachment") == true)
    }

    @Test(
        arguments: [
            ("plain", "plain"), ("a,b", "\"a,b\""), ("a\"b", "\"a\"\"b\""), ("a\nb", "\"a\nb\""),
            ("=1+1", "'=1+1"), ("@SUM(A1)", "'@SUM(A1)"), ("-cmd", "'-cmd"), ("+a", "'+a"),
            ("-0.69", "-0.69"), ("-1", "-1"), ("", ""), ("=a,b", "\"'=a,b\""),
            ("a\"\u{301},=1", "\"a\"\"\u{301},=1\""), ("a\u{600}\"b", "\"a\u{600}\"\"b\""),
            ("=\u{338}1", "'=\u{338}1"), ("\u{301}=1", "'\u{301}=1"), ("\u{1}=1", "'\u{1}=1"),
            ("\u{200B} @a", "'\u{200B} @a"), ("\u{FF1D}1", "'\u{FF1D}1"), (" a=1", " a=1"),
        ] as [(String, String)])
    func `no value of the download is a formula`(value: String, field: String) {
        #expect(CSVRow.field(value) == field)
    }

    @Test(
        arguments: [
            (0, 5), (1, 5), (5, 5), (6, 10), (10, 10), (11, 20), (20, 20), (21, 50), (51, 100),
            (99, 100), (100, 100), (101, 200), (999, 1000), (1001, 2000),
        ] as [(Int64, Int64)])
    func `a chart is as high as a good number`(most: Int64, top: Int64) {
        #expect(SalesDayChart.round(up: most) == top)
    }

    @Test func `another team sees none of it`() async throws {
        let other = try await shop.store.database.write {
            try $0.catalog.save(TeamDraft(name: "Other", hasPaidAgreement: true))
        }
        let stranger = PortalClient(
            shop.store, roles: [.admin], team: .init(id: other.id, name: "Other"))
        #expect(try await stranger.open("/connect/sales").words.contains("Nothing sold"))
        let file = try await stranger.open("/connect/sales/report.csv")
        #expect(file.text.split(separator: "\r\n").count == 1)
    }
}
