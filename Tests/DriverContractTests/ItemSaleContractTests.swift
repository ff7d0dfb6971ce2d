import Foundation
import StoreCore
import StoreDatabase
import StoreModel
import Testing

/// Items are sold once, and sales are facts.
@Suite(.usesDrivers) struct ItemSaleContractTests {
    @Test(arguments: StoreDriver.all)
    func `a sale is kept with all that is known of it`(driver: StoreDriver) async throws {
        let scene = try await ItemSaleScene(driver)
        let referral = Referral(
            affiliateToken: "nobody", campaign: "spring", provider: "123456")
        let sale = try await scene.buy(scene.book, by: scene.ada, referral: referral)
        #expect(
            sale
                == ItemSale(
                    id: sale.id, item: scene.book, environment: .production,
                    account: scene.ada.id, storefront: .unitedStates, price: ItemSaleScene.price,
                    referral: referral, affiliate: nil, date: scene.clock.now(), refundDate: nil))
        #expect(try await scene.sales.owned(scene.book, by: scene.ada.id) == sale)
        #expect(try await scene.sales.owned(scene.book, by: scene.grace.id) == nil)
        let page = try await scene.sales.purchases(of: scene.ada.id, PageRequest(limit: 10))
        #expect(page.items == [sale])
        #expect(page.total == 1)
        #expect(page.next == nil)
    }

    @Test(arguments: StoreDriver.all)
    func `buying again gives the sale that there is`(driver: StoreDriver) async throws {
        let scene = try await ItemSaleScene(driver)
        let sale = try await scene.buy(scene.book, by: scene.ada)
        scene.clock.advance(by: 60)
        // Also where the page is older than the price, and where nobody else could buy it.
        let database = scene.database
        let book = scene.book
        let again = try await scene.sales.buy(
            book, expecting: Money(thousandths: 1, currency: "EUR"), by: scene.ada)
        #expect(again == sale)
        try await database.write { repositories in
            var item = try #require(try repositories.items.item(book))
            item.state = .removed
            try repositories.items.update(item, at: SeededShop.date)
        }
        #expect(try await scene.buy(book, by: scene.ada) == sale)
        #expect(try await scene.count(of: book) == 1)
    }

    @Test(arguments: StoreDriver.all)
    func `a hundred orders at once are one sale`(driver: StoreDriver) async throws {
        let scene = try await ItemSaleScene(driver)
        let sales = try await driver.atOnce(100) { _ in
            try await scene.buy(scene.book, by: scene.ada)
        }
        #expect(Set(sales).count == 1)
        #expect(try await scene.count(of: scene.book) == 1)
        let popularity = try await scene.database.read { [book = scene.book] in
            try $0.items.item(book)?.popularity
        }
        #expect(popularity == ItemSaleRules.popularity)
    }

    @Test(arguments: StoreDriver.all)
    func `two stores over one file sell once too`(driver: StoreDriver) async throws {
        let installation = try driver.install()
        let (first, second) = (try installation.open(), try installation.open())
        let shop = try await SeededShop(in: first)
        let book = try await first.write { repositories in
            try repositories.items.insert(
                ItemDetails(kind: .ebook, title: "Book", genres: [38]), id: nil,
                of: shop.app.teamID, state: .onSale, at: SeededShop.date
            ).id
        }
        let free = Money(thousandths: 0, currency: "USD")
        let services = [first, second].map {
            ItemSaleService(database: $0, clock: FixedClock())
        }
        let sales = try await driver.atOnce(40) { number in
            try await services[number % 2].buy(book, expecting: free, by: shop.customer)
        }
        #expect(Set(sales).count == 1)
    }

    @Test(arguments: StoreDriver.all)
    func `who bought the album has its songs, and not the other way round`(
        driver: StoreDriver
    ) async throws {
        let scene = try await ItemSaleScene(driver)
        let all = [scene.album, scene.song, scene.book, ItemID(number: 1)]
        let album = try await scene.buy(scene.album, by: scene.ada)
        #expect(try await scene.sales.owned(scene.song, by: scene.ada.id) == album)
        #expect(
            try await scene.sales.ownedItems(of: all, by: scene.ada.id)
                == [scene.album, scene.song])
        // The song is not sold on top.
        #expect(try await scene.buy(scene.song, by: scene.ada) == album)
        #expect(try await scene.count(of: scene.song) == 0)

        let song = try await scene.buy(scene.song, by: scene.grace)
        #expect(try await scene.sales.owned(scene.album, by: scene.grace.id) == nil)
        #expect(
            try await scene.sales.ownedItems(of: all, by: scene.grace.id) == [scene.song])
        let both = try await scene.buy(scene.album, by: scene.grace)
        #expect(both.id != song.id)
        #expect(try await scene.sales.owned(scene.song, by: scene.grace.id) == song)
        #expect(try await scene.sales.ownedItems(of: [], by: scene.grace.id) == [])
    }

    @Test(arguments: StoreDriver.all)
    func `a refund ends what was bought, which can be bought again`(
        driver: StoreDriver
    ) async throws {
        let scene = try await ItemSaleScene(driver)
        let sale = try await scene.buy(scene.album, by: scene.ada)
        scene.clock.advance(by: 60)
        let refunded = try await scene.sales.refund(sale.id, by: .machine)
        #expect(refunded.refundDate == scene.clock.now())
        #expect(refunded.date == sale.date)
        #expect(try await scene.sales.owned(scene.album, by: scene.ada.id) == nil)
        #expect(try await scene.sales.owned(scene.song, by: scene.ada.id) == nil)
        #expect(try await scene.sales.ownedItems(of: [scene.song], by: scene.ada.id) == [])
        let twice = try await refusal(ConnectRefusal.self) {
            try await scene.sales.refund(sale.id, by: .machine)
        }
        #expect(twice?.rule == "saleRefunded")
        let second = try await scene.buy(scene.album, by: scene.ada)
        #expect(second.id != sale.id)
        let page = try await scene.sales.purchases(of: scene.ada.id, PageRequest(limit: 1))
        #expect(page.items == [second])
        #expect(page.total == 2)
        let rest = try await scene.sales.purchases(
            of: scene.ada.id, PageRequest(limit: 1, cursor: page.next))
        #expect(rest.items == [refunded])
        #expect(rest.next == nil)
        #expect(
            try await scene.log().map { "\($0.action) \($0.before ?? "")" }
                == ["itemSale.refund 0.99 USD"])
    }

    @Test(arguments: StoreDriver.all)
    func `refusals charge nothing, and a declined payment counts once`(
        driver: StoreDriver
    ) async throws {
        let scene = try await ItemSaleScene(driver)
        let (sales, tester, book) = (scene.sales, scene.tester, scene.book)
        func refused(
            _ item: ItemID, _ account: Account, _ price: Money = ItemSaleScene.price
        ) async throws -> ItemSaleRefusal? {
            try await refusal(ItemSaleRefusal.self) {
                _ = try await sales.buy(item, expecting: price, by: account)
            }
        }
        let unknown = ItemID(number: 999)
        #expect(try await refused(unknown, scene.ada) == .itemUnknown(unknown))
        let cheap = Money(thousandths: 980, currency: "USD")
        #expect(
            try await refused(book, scene.ada, cheap) == .priceChanged(ItemSaleScene.price))
        try await scene.change(AccountSettings(asksToBuy: true), of: scene.ada)
        #expect(try await refused(book, scene.ada) == .asksToBuy)
        try await scene.change(AccountSettings(interruptsPurchases: true), of: tester)
        #expect(try await refused(book, tester) == .interrupted)
        try await scene.change(AccountSettings(paymentFailure: .next), of: tester)
        #expect(try await refused(book, tester) == .paymentDeclined)
        #expect(try await scene.count(of: book) == 0)
        // The one behind it goes through.
        #expect(try await scene.buy(book, by: tester).environment == .sandbox)
        try await scene.change(AccountSettings(paymentFailure: .all), of: tester)
        #expect(try await refused(scene.song, tester) == .paymentDeclined)
        #expect(try await refused(scene.song, tester) == .paymentDeclined)
        #expect(try await scene.buy(scene.app, by: tester).price.thousandths == 0)
        #expect(try await scene.count(of: scene.song) == 0)
    }

    @Test(arguments: StoreDriver.all)
    func `the account's storefront of today decides`(driver: StoreDriver) async throws {
        let scene = try await ItemSaleScene(driver)
        let japan = try #require(Storefront.named("JPN"))
        try await scene.database.write { [ada = scene.ada] in
            try $0.accounts.setStorefront(japan, of: ada.id)
        }
        let refused = try await refusal(ItemSaleRefusal.self) {
            try await scene.buy(scene.book, by: scene.ada)
        }
        #expect(refused == .notInStorefront(japan))
    }

    @Test(arguments: StoreDriver.all)
    func `publishers refund testers, the operator anybody, and strangers see nothing`(
        driver: StoreDriver
    ) async throws {
        let scene = try await ItemSaleScene(driver)
        let real = try await scene.buy(scene.book, by: scene.ada)
        let test = try await scene.buy(scene.book, by: scene.tester)
        func rule(_ id: ItemSaleID, _ actor: ConnectActor) async throws -> String? {
            try await refusal(ConnectRefusal.self) {
                try await scene.sales.refund(id, by: actor)
            }?.rule
        }
        #expect(try await rule(test.id, scene.stranger) == "notFound")
        #expect(try await rule(real.id, scene.member(.admin)) == "role")
        #expect(try await rule(test.id, scene.member(.marketing)) == "role")
        #expect(try await rule(ItemSaleID(number: 999), .machine) == "notFound")
        #expect(try await scene.sales.owned(scene.book, by: scene.tester.id) == test)
        try await scene.sales.refund(test.id, by: scene.member(.admin))
        try await scene.sales.refund(real.id, by: .machine)
        #expect(try await scene.sales.owned(scene.book, by: scene.tester.id) == nil)
    }

    @Test(arguments: StoreDriver.all)
    func `a team sees its own sales, the newest first`(driver: StoreDriver) async throws {
        let scene = try await ItemSaleScene(driver)
        let book = try await scene.buy(scene.book, by: scene.ada)
        let song = try await scene.buy(scene.song, by: scene.grace)
        let other = try await scene.buy(scene.otherBook, by: scene.grace)
        let seller = scene.member(.sales)
        let request = PageRequest(limit: 10)
        #expect(try await scene.sales.sales(request, by: seller).items == [song, book])
        #expect(
            try await scene.sales.sales(item: scene.book, request, by: seller).items == [book])
        #expect(try await scene.sales.sales(request, by: scene.stranger).items == [other])
        #expect(try await scene.sales.sales(request, by: .machine).items == [other, song, book])
        #expect(
            try await scene.sales.sales(of: scene.otherTeam, request, by: .machine).items
                == [other])
        let first = try await scene.sales.sales(PageRequest(limit: 2), by: .machine)
        #expect(first.total == 3)
        #expect(
            try await scene.sales.sales(
                PageRequest(limit: 2, cursor: first.next), by: .machine
            ).items == [book])
        for step in [
            { _ = try await scene.sales.sales(request, by: scene.member(.developer)) },
            { _ = try await scene.sales.sales(of: scene.otherTeam, request, by: seller) },
            { _ = try await scene.sales.sales(item: scene.otherBook, request, by: seller) },
            { _ = try await scene.sales.sales(PageRequest(limit: 1, cursor: "x"), by: seller) },
        ] as [@Sendable () async throws -> Void] {
            #expect(try await refusal(ConnectRefusal.self, step) != nil)
        }
    }

    @Test(arguments: StoreDriver.all)
    func `no row of a sale is rewritten, deleted or doubled`(driver: StoreDriver) async throws {
        let scene = try await ItemSaleScene(driver)
        let sale = try await scene.buy(scene.book, by: scene.ada)
        let draft = ItemSaleDraft(
            item: scene.book, environment: .production, account: scene.ada.id,
            storefront: .unitedStates, price: ItemSaleScene.price, date: SeededShop.date)
        var ofNobody = draft
        ofNobody.environment = .sandbox
        for wrong in [draft, ofNobody] {
            await #expect(throws: SQLError.self) {
                try await scene.database.write { _ = try $0.itemSales.insert(wrong) }
            }
        }
        let first = try await scene.database.write {
            try $0.itemSales.recordRefund(of: sale.id, at: SeededShop.date)
        }
        let second = try await scene.database.write {
            try $0.itemSales.recordRefund(of: sale.id, at: SeededShop.date)
        }
        #expect(first)
        #expect(!second)
    }
}

/// A clock that stands still.
private struct FixedClock: StoreClock {
    func now() -> Date { SeededShop.date }
}
