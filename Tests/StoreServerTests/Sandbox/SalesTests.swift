import Foundation
@testable import StoreCore
import StoreModel
import StoreTestSupport
import Testing

/// Sales of the sample shop, as the ledger has them.
struct SalesTests {
    /// Two days of sales by an American and a Japanese tester, with a refund on the second.
    private static func shop() async throws -> (fixture: SandboxFixture, first: SalesDay) {
        let fixture = try await SandboxFixture()
        let ada = try await fixture.makeTester().account
        let haruki = try await fixture.makeTester("haru@example.com").account
        _ = try await fixture.testers.change(
            haruki, TesterChange(territory: Storefront.named("JPN")), by: fixture.actor())
        let first = SalesDay(fixture.clock.now())
        let badge = try await fixture.sold(1, by: ada)
        _ = try await fixture.sold(2, by: ada)
        _ = try await fixture.sold(3, SampleShop.credits, quantity: 4, by: ada)
        let catalog = try await fixture.shop.store.sampleCatalog()
        let credits = try #require(catalog.products[ProductID(SampleShop.credits)!])
        let yen = try #require(
            credits.price(in: Storefront.named("JPN")!, at: fixture.clock.now()))
        fixture.clock.advance(by: 86_400)
        _ = try await fixture.sold(
            4, SampleShop.credits, price: yen.thousandths, quantity: 2, by: haruki)
        try await fixture.purchases.refund(badge.id, of: ada, by: fixture.actor())
        return (fixture, first)
    }

    private static func report(
        _ fixture: SandboxFixture, _ first: SalesDay, _ grouping: SalesGrouping,
        by actor: ConnectActor? = nil, environment: StoreEnvironment = .sandbox, days: Int = 1,
        app: AppID? = nil
    ) async throws -> SalesReport {
        try await fixture.shop.store.services.sales.report(
            SalesQuery(
                environment: environment, first: first, last: first.advanced(by: days), app: app,
                grouping: grouping), by: actor ?? fixture.actor([.finance]))
    }

    @Test func `units and refunds count on their days, repeated purchases nowhere`() async throws {
        let (fixture, first) = try await Self.shop()
        let report = try await Self.report(fixture, first, .day)
        #expect(report.lines.map(\.key.day) == [first, first.advanced(by: 1)])
        #expect(report.lines.map(\.totals.units) == [5, 2])
        #expect(report.lines.map(\.totals.refunds) == [0, 1])
        try #require(report.lines.count == 2)
        #expect(
            report.lines[0].totals.amounts
                == ["USD": SalesAmounts(sales: 4950, refunded: 0, proceeds: 5 * 690)])
        #expect(
            report.lines[1].totals.amounts["USD"]
                == SalesAmounts(sales: 0, refunded: 990, proceeds: -690))
        #expect(report.lines[1].totals.amounts["JPY"]?.refunded == 0)
        #expect(report.total.units == 7)
        let second = try await Self.report(fixture, first.advanced(by: 1), .day, days: 0)
        #expect(second.lines == [report.lines[1]])
    }

    @Test func `a report that would be too long is refused`() async throws {
        let (fixture, first) = try await Self.shop()
        let query = try SalesQuery(
            environment: .sandbox, first: first, last: first.advanced(by: 1), grouping: .day)
        func report(limit: Int) async throws -> Int {
            try await SalesService(
                database: fixture.shop.store.database, clock: fixture.clock, lineLimit: limit
            ).report(query, by: fixture.actor([.finance])).lines.count
        }
        #expect(try await report(limit: 2) == 2)
        #expect(try await fixture.rule { _ = try await report(limit: 1) } == "salesReportTooLong")
    }

    @Test func `sales come by product, by territory, and by all at once`() async throws {
        let (fixture, first) = try await Self.shop()
        let products = try await Self.report(fixture, first, .product)
        #expect(products.lines.map(\.key.product?.text) == [SampleShop.badge, SampleShop.credits])
        #expect(products.lines.map(\.totals.units) == [1, 6])
        #expect(products.lines.allSatisfy { $0.key.app == fixture.app.id && $0.key.day == nil })
        let territories = try await Self.report(fixture, first, .territory)
        #expect(territories.lines.map(\.key.territory) == ["JPN", "USA"])
        #expect(territories.lines.map(\.totals.units) == [2, 5])
        let all = try await Self.report(fixture, first, [.day, .product, .territory])
        let lines: [String] = all.lines.map { line in
            let names = [line.key.product?.text, line.key.territory].compactMap { $0 }
            let totals = "\(line.totals.units) \(line.totals.refunds)"
            return "\(line.key.day == first) \(names.joined(separator: " ")) \(totals)"
        }
        #expect(
            lines == [
                "true \(SampleShop.badge) USA 1 0", "true \(SampleShop.credits) USA 4 0",
                "false \(SampleShop.badge) USA 0 1", "false \(SampleShop.credits) JPN 2 0",
            ])
        let none = try await Self.report(fixture, first, [])
        #expect(none.lines.count == 1)
        #expect(none.total == products.total)
        #expect(none.total == territories.total)
        #expect(none.total == all.total)
    }

    @Test func `a report is about one environment, and the days that it names`() async throws {
        let (fixture, first) = try await Self.shop()
        let production = try await Self.report(fixture, first, .day, environment: .production)
        #expect(production.lines.isEmpty)
        #expect(production.total == SalesTotals())
        let before = try await Self.report(fixture, first.advanced(by: -9), .day, days: 8)
        #expect(before.lines.isEmpty)
    }

    @Test func `nobody sees the sales of another team, nor without the right`() async throws {
        let (fixture, first) = try await Self.shop()
        let theirs = try await Self.report(fixture, first, .day, by: fixture.stranger)
        #expect(theirs.total == SalesTotals())
        await #expect(throws: ConnectRefusal.self) {
            _ = try await Self.report(
                fixture, first, .day, by: fixture.stranger, app: fixture.app.id)
        }
        #expect(try await Self.report(fixture, first, .day, app: fixture.app.id).total.units == 7)
        #expect(try await Self.report(fixture, first, .day, by: .machine).total.units == 7)
        let allowed: Set<ConnectRole> = [
            .accountHolder, .admin, .sales, .finance, .marketing, .operator,
        ]
        for role in ConnectRole.allCases {
            let sees =
                (try? await Self.report(fixture, first, .day, by: fixture.actor([role]))) != nil
            #expect(sees == allowed.contains(role), "\(role)")
            let apps = try? await fixture.shop.store.services.sales.apps(by: fixture.actor([role]))
            #expect((apps != nil) == allowed.contains(role), "\(role)")
        }
        let apps = try await fixture.shop.store.services.sales.apps(by: fixture.stranger)
        #expect(apps.isEmpty)
    }

    @Test func `what was redeemed with a code counts as a free unit`() async throws {
        let (fixture, first) = try await Self.shop()
        let services = fixture.shop.store.services
        let catalog = try await fixture.shop.store.sampleCatalog()
        let tester = try await fixture.makeTester("code@example.com")
        let account = try #require(
            try await fixture.shop.store.database.read { try $0.accounts.account(tester.account) })
        let end = fixture.clock.now() + 1000
        try await fixture.shop.store.database.write { repositories in
            try repositories.offers.insert(
                OfferCode(
                    code: "ABCDEFGH", app: catalog.app.id,
                    productID: ProductID(SampleShop.credits)!, uses: 1, end: end), at: end)
        }
        _ = try await services.offers.redeem(
            "ABCDEFGH", key: PurchaseKey("purchase-key-2001")!, by: account,
            profile: ProfileClaim(
                bundleID: SampleShop.bundleID,
                applicationIdentifier: ApplicationIdentifier(SampleShop.bundleID),
                environment: .sandbox, allowsInAppPurchase: true,
                generation: catalog.app.generation), catalog: catalog, device: "device-1"
        ).get()
        let report = try await Self.report(fixture, first, .territory)
        #expect(report.lines.map(\.totals.units) == [2, 6])
        #expect(report.total.amounts["USD"]?.sales == 4950)
    }
}
