import Foundation
import StoreCore
import StoreModel
import Testing

/// Reports of sales tell of items beside in-app purchases.
@Suite(.usesDrivers) struct ItemSalesReportTests {
    @Test(arguments: StoreDriver.all)
    func `items count with their price, refunds and free ones as such`(
        driver: StoreDriver
    ) async throws {
        let scene = try await ItemSaleScene(driver)
        let book = try await scene.buy(scene.book, by: scene.ada)
        try await scene.buy(scene.book, by: scene.grace)
        try await scene.buy(scene.app, by: scene.ada)
        try await scene.buy(scene.otherBook, by: scene.ada)
        try await scene.buy(scene.song, by: scene.tester)
        var purchase = scene.shop.purchase(1, by: scene.ada)
        purchase.date = scene.clock.now()
        let bought = purchase
        try await scene.database.write { _ = try $0.ledger.insert(bought) }
        let first = SalesDay(scene.clock.now())
        scene.clock.advance(by: 86_400)
        try await scene.sales.refund(book.id, by: .machine)

        let service = SalesService(database: scene.database, clock: scene.clock)
        func report(
            _ grouping: SalesGrouping, app: AppID? = nil, by actor: ConnectActor
        ) async throws -> SalesReport {
            try await service.report(
                SalesQuery(
                    environment: .production, first: first, last: first.advanced(by: 1), app: app,
                    grouping: grouping), by: actor)
        }
        let seller = scene.member(.sales)
        let total = try await report([], by: seller)
        #expect(total.total.units == 4)
        #expect(total.total.refunds == 1)
        #expect(
            total.total.amounts
                == ["USD": SalesAmounts(sales: 2970, refunded: 990, proceeds: 2 * 690)])
        let products = try await report(.product, by: seller)
        let appID = scene.shop.app.id
        #expect(
            products.lines.map(\.key) == [
                SalesKey(item: SalesKey.Item(id: scene.book, title: "Book")),
                SalesKey(app: appID, item: SalesKey.Item(id: scene.app, title: "App")),
                SalesKey(app: appID, product: SeededShop.chapter),
            ])
        #expect(products.lines.map(\.figures.units) == [2, 1, 1])
        #expect(products.lines.map(\.figures.refunds) == [1, 0, 0])
        #expect(products.lines.first?.key.subject == "Book (id\(scene.book))")
        let days = try await report(.day, by: seller)
        #expect(days.lines.map(\.figures.units) == [4, 0])
        #expect(days.lines.map(\.figures.refunds) == [0, 1])
        // Of one app: its item and its products.
        #expect(try await report(.product, app: appID, by: seller).lines.count == 2)
        #expect(try await report([], by: scene.stranger).total.units == 1)
        #expect(try await report([], by: .machine).total.units == 5)
    }
}
