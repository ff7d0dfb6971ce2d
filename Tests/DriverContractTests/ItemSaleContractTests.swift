import Foundation
import StoreDatabase
import StoreModel
import Testing

@testable import StoreCore

/// Items are sold once, and sales are facts.
@Suite(.usesDrivers) struct ItemSaleContractTests {
    @Test(arguments: StoreDriver.all)
    func `a sale is kept with all that is known of it`(driver: StoreDriver) async throws {
        let fixture = try await ItemSaleFixture(driver)
        let referral = Referral(
            affiliateToken: "nobody", campaign: "spring", provider: "123456")
        let sale = try await fixture.buy(fixture.book, by: fixture.ada, referral: referral)
        #expect(
            sale
                == ItemSale(
                    id: sale.id, item: fixture.book, environment: .production,
                    account: fixture.ada.id, storefront: .unitedStates,
                    price: ItemSaleFixture.price,
                    referral: referral, affiliate: nil, commission: nil, date: fixture.clock.now(),
                    refundDate: nil, isCleared: false))
        #expect(try await fixture.sales.owned(fixture.book, by: fixture.ada.id) == sale)
        #expect(try await fixture.sales.owned(fixture.book, by: fixture.grace.id) == nil)
        let page = try await fixture.sales.purchases(of: fixture.ada.id, PageRequest(limit: 10))
        #expect(page.items == [sale])
        #expect(page.total == 1)
        #expect(page.next == nil)
    }

    @Test(arguments: StoreDriver.all)
    func `buying again gives the sale that there is`(driver: StoreDriver) async throws {
        let fixture = try await ItemSaleFixture(driver)
        let sale = try await fixture.buy(fixture.book, by: fixture.ada)
        fixture.clock.advance(by: 60)
        // Also where the page is older than the price, and where nobody else could buy it.
        let database = fixture.database
        let book = fixture.book
        let again = try await fixture.sales.buy(
            book, expecting: Money(thousandths: 1, currency: "EUR"), by: fixture.ada)
        #expect(again == sale)
        try await database.write { repositories in
            var item = try #require(try repositories.items.item(book))
            item.state = .removed
            try repositories.items.update(item, at: SeededShop.date)
        }
        #expect(try await fixture.buy(book, by: fixture.ada) == sale)
        #expect(try await fixture.count(of: book) == 1)
    }

    @Test(arguments: StoreDriver.all)
    func `a hundred orders at once are one sale`(driver: StoreDriver) async throws {
        let fixture = try await ItemSaleFixture(driver)
        let sales = try await driver.atOnce(100) { _ in
            try await fixture.buy(fixture.book, by: fixture.ada)
        }
        #expect(Set(sales).count == 1)
        #expect(try await fixture.count(of: fixture.book) == 1)
        let popularity = try await fixture.database.read { [book = fixture.book] in
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
        let fixture = try await ItemSaleFixture(driver)
        let all = [fixture.album, fixture.song, fixture.book, ItemID(number: 1)]
        let album = try await fixture.buy(fixture.album, by: fixture.ada)
        #expect(try await fixture.sales.owned(fixture.song, by: fixture.ada.id) == album)
        #expect(
            try await fixture.sales.ownedItems(of: all, by: fixture.ada.id)
                == [fixture.album, fixture.song])
        // The song is not sold on top.
        #expect(try await fixture.buy(fixture.song, by: fixture.ada) == album)
        #expect(try await fixture.count(of: fixture.song) == 0)

        let song = try await fixture.buy(fixture.song, by: fixture.grace)
        #expect(try await fixture.sales.owned(fixture.album, by: fixture.grace.id) == nil)
        #expect(
            try await fixture.sales.ownedItems(of: all, by: fixture.grace.id) == [fixture.song])
        let both = try await fixture.buy(fixture.album, by: fixture.grace)
        #expect(both.id != song.id)
        #expect(try await fixture.sales.owned(fixture.song, by: fixture.grace.id) == song)
        #expect(try await fixture.sales.ownedItems(of: [], by: fixture.grace.id) == [])
    }

    @Test(arguments: StoreDriver.all)
    func `a refund ends what was bought, which can be bought again`(
        driver: StoreDriver
    ) async throws {
        let fixture = try await ItemSaleFixture(driver)
        let sale = try await fixture.buy(fixture.album, by: fixture.ada)
        fixture.clock.advance(by: 60)
        let refunded = try await fixture.sales.refund(sale.id, by: .machine)
        #expect(refunded.refundDate == fixture.clock.now())
        #expect(refunded.date == sale.date)
        #expect(try await fixture.sales.owned(fixture.album, by: fixture.ada.id) == nil)
        #expect(try await fixture.sales.owned(fixture.song, by: fixture.ada.id) == nil)
        #expect(try await fixture.sales.ownedItems(of: [fixture.song], by: fixture.ada.id) == [])
        let twice = try await refusal(ConnectRefusal.self) {
            try await fixture.sales.refund(sale.id, by: .machine)
        }
        #expect(twice?.rule == "saleRefunded")
        let second = try await fixture.buy(fixture.album, by: fixture.ada)
        #expect(second.id != sale.id)
        let page = try await fixture.sales.purchases(of: fixture.ada.id, PageRequest(limit: 1))
        #expect(page.items == [second])
        #expect(page.total == 2)
        let rest = try await fixture.sales.purchases(
            of: fixture.ada.id, PageRequest(limit: 1, cursor: page.next))
        #expect(rest.items == [refunded])
        #expect(rest.next == nil)
        #expect(
            try await fixture.log().map { "\($0.action) \($0.before ?? "")" }
                == ["itemSale.refund 0.99 USD"])
    }

    @Test(arguments: StoreDriver.all)
    func `refusals charge nothing, and a declined payment counts once`(
        driver: StoreDriver
    ) async throws {
        let fixture = try await ItemSaleFixture(driver)
        let (sales, tester, book) = (fixture.sales, fixture.tester, fixture.book)
        func refused(
            _ item: ItemID, _ account: Account, _ price: Money = ItemSaleFixture.price
        ) async throws -> ItemSaleRefusal? {
            try await refusal(ItemSaleRefusal.self) {
                _ = try await sales.buy(item, expecting: price, by: account)
            }
        }
        let unknown = ItemID(number: 999)
        #expect(try await refused(unknown, fixture.ada) == .itemUnknown(unknown))
        let cheap = Money(thousandths: 980, currency: "USD")
        #expect(
            try await refused(book, fixture.ada, cheap) == .priceChanged(ItemSaleFixture.price))
        try await fixture.change(AccountSettings(asksToBuy: true), of: fixture.ada)
        #expect(try await refused(book, fixture.ada) == .asksToBuy)
        try await fixture.change(AccountSettings(interruptsPurchases: true), of: tester)
        #expect(try await refused(book, tester) == .interrupted)
        try await fixture.change(AccountSettings(paymentFailure: .next), of: tester)
        #expect(try await refused(book, tester) == .paymentDeclined)
        #expect(try await fixture.count(of: book) == 0)
        // The one behind it goes through.
        #expect(try await fixture.buy(book, by: tester).environment == .sandbox)
        try await fixture.change(AccountSettings(paymentFailure: .all), of: tester)
        #expect(try await refused(fixture.song, tester) == .paymentDeclined)
        #expect(try await refused(fixture.song, tester) == .paymentDeclined)
        #expect(try await fixture.buy(fixture.app, by: tester).price.thousandths == 0)
        #expect(try await fixture.count(of: fixture.song) == 0)
    }

    @Test(arguments: StoreDriver.all)
    func `the account's storefront of today decides`(driver: StoreDriver) async throws {
        let fixture = try await ItemSaleFixture(driver)
        let japan = try #require(Storefront.named("JPN"))
        try await fixture.database.write { [ada = fixture.ada] in
            try $0.accounts.setStorefront(japan, of: ada.id)
        }
        let refused = try await refusal(ItemSaleRefusal.self) {
            try await fixture.buy(fixture.book, by: fixture.ada)
        }
        #expect(refused == .notInStorefront(japan))
    }

    @Test(arguments: StoreDriver.all)
    func `publishers refund testers, the operator anybody, and strangers see nothing`(
        driver: StoreDriver
    ) async throws {
        let fixture = try await ItemSaleFixture(driver)
        let real = try await fixture.buy(fixture.book, by: fixture.ada)
        let test = try await fixture.buy(fixture.book, by: fixture.tester)
        func rule(_ id: ItemSaleID, _ actor: ConnectActor) async throws -> String? {
            try await refusal(ConnectRefusal.self) {
                try await fixture.sales.refund(id, by: actor)
            }?.rule
        }
        #expect(try await rule(test.id, fixture.stranger) == "notFound")
        #expect(try await rule(real.id, fixture.member(.admin)) == "role")
        #expect(try await rule(test.id, fixture.member(.marketing)) == "role")
        #expect(try await rule(ItemSaleID(number: 999), .machine) == "notFound")
        #expect(try await fixture.sales.owned(fixture.book, by: fixture.tester.id) == test)
        try await fixture.sales.refund(test.id, by: fixture.member(.admin))
        try await fixture.sales.refund(real.id, by: .machine)
        #expect(try await fixture.sales.owned(fixture.book, by: fixture.tester.id) == nil)
    }

    @Test(arguments: StoreDriver.all)
    func `a team sees its own sales, the newest first`(driver: StoreDriver) async throws {
        let fixture = try await ItemSaleFixture(driver)
        let book = try await fixture.buy(fixture.book, by: fixture.ada)
        let song = try await fixture.buy(fixture.song, by: fixture.grace)
        let other = try await fixture.buy(fixture.otherBook, by: fixture.grace)
        let seller = fixture.member(.sales)
        let request = PageRequest(limit: 10)
        #expect(try await fixture.sales.sales(request, by: seller).items == [song, book])
        #expect(
            try await fixture.sales.sales(item: fixture.book, request, by: seller).items == [book])
        #expect(try await fixture.sales.sales(request, by: fixture.stranger).items == [other])
        #expect(try await fixture.sales.sales(request, by: .machine).items == [other, song, book])
        #expect(
            try await fixture.sales.sales(of: fixture.otherTeam, request, by: .machine).items
                == [other])
        let first = try await fixture.sales.sales(PageRequest(limit: 2), by: .machine)
        #expect(first.total == 3)
        #expect(
            try await fixture.sales.sales(
                PageRequest(limit: 2, cursor: first.next), by: .machine
            ).items == [book])
        for step in [
            { _ = try await fixture.sales.sales(request, by: fixture.member(.developer)) },
            { _ = try await fixture.sales.sales(of: fixture.otherTeam, request, by: seller) },
            { _ = try await fixture.sales.sales(item: fixture.otherBook, request, by: seller) },
            { _ = try await fixture.sales.sales(PageRequest(limit: 1, cursor: "x"), by: seller) },
        ] as [@Sendable () async throws -> Void] {
            #expect(try await refusal(ConnectRefusal.self, step) != nil)
        }
    }

    @Test(arguments: StoreDriver.all)
    func `no row of a sale is rewritten, deleted or doubled`(driver: StoreDriver) async throws {
        let fixture = try await ItemSaleFixture(driver)
        let sale = try await fixture.buy(fixture.book, by: fixture.ada)
        let draft = ItemSaleDraft(
            item: fixture.book, environment: .production, account: fixture.ada.id,
            storefront: .unitedStates, price: ItemSaleFixture.price, date: SeededShop.date)
        var ofNobody = draft
        ofNobody.environment = .sandbox
        for wrong in [draft, ofNobody] {
            await #expect(throws: SQLError.self) {
                try await fixture.database.write { _ = try $0.itemSales.insert(wrong) }
            }
        }
        let first = try await fixture.database.write {
            try $0.itemSales.recordRefund(of: sale.id, at: SeededShop.date)
        }
        let second = try await fixture.database.write {
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
