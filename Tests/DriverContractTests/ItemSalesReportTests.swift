import Foundation
@testable import StoreCore
import StoreModel
import Testing

/// Reports of sales tell of items beside in-app purchases.
@Suite(.usesDrivers) struct ItemSalesReportTests {
    @Test(arguments: StoreDriver.all)
    func `items count with their price, refunds and free ones as such`(
        driver: StoreDriver
    ) async throws {
        let fixture = try await ItemSaleFixture(driver)
        let book = try await fixture.buy(fixture.book, by: fixture.ada)
        try await fixture.buy(fixture.book, by: fixture.grace)
        try await fixture.buy(fixture.app, by: fixture.ada)
        try await fixture.buy(fixture.otherBook, by: fixture.ada)
        try await fixture.buy(fixture.song, by: fixture.tester)
        var purchase = fixture.shop.purchase(1, by: fixture.ada)
        purchase.date = fixture.clock.now()
        let bought = purchase
        try await fixture.database.write { _ = try $0.ledger.insert(bought) }
        let first = SalesDay(fixture.clock.now())
        fixture.clock.advance(by: 86_400)
        try await fixture.sales.refund(book.id, by: .machine)

        let service = SalesService(database: fixture.database, clock: fixture.clock)
        func report(
            _ grouping: SalesGrouping, app: AppID? = nil, by actor: ConnectActor
        ) async throws -> SalesReport {
            try await service.report(
                SalesQuery(
                    environment: .production, first: first, last: first.advanced(by: 1), app: app,
                    grouping: grouping), by: actor)
        }
        let seller = fixture.member(.sales)
        let total = try await report([], by: seller)
        #expect(total.total.units == 4)
        #expect(total.total.refunds == 1)
        #expect(
            total.total.amounts
                == ["USD": SalesAmounts(sales: 2970, refunded: 990, proceeds: 2 * 690)])
        let products = try await report(.product, by: seller)
        let appID = fixture.shop.app.id
        #expect(
            products.lines.map(\.key) == [
                SalesKey(item: SalesKey.Item(id: fixture.book, title: "Book")),
                SalesKey(app: appID, item: SalesKey.Item(id: fixture.app, title: "App")),
                SalesKey(app: appID, product: SeededShop.chapter),
            ])
        #expect(products.lines.map(\.totals.units) == [2, 1, 1])
        #expect(products.lines.map(\.totals.refunds) == [1, 0, 0])
        #expect(products.lines.first?.key.subject == "Book (id\(fixture.book))")
        let days = try await report(.day, by: seller)
        #expect(days.lines.map(\.totals.units) == [4, 0])
        #expect(days.lines.map(\.totals.refunds) == [0, 1])
        // Of one app: its item and its products.
        #expect(try await report(.product, app: appID, by: seller).lines.count == 2)
        #expect(try await report([], by: fixture.stranger).total.units == 1)
        #expect(try await report([], by: .machine).total.units == 5)
    }
}
