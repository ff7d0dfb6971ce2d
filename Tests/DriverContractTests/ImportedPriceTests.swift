import Foundation
import StoreCore
import StoreModel
import Testing

/// Prices of files, and the schedules that they become.
@Suite(.usesDrivers) struct ImportedPriceTests {
    private static let day: TimeInterval = 86_400
    private static let now = SeededShop.date

    private func prices(
        _ fixture: ImportFixture, _ listed: ListedPrices
    ) async throws -> PriceSchedule {
        var product = ListedProduct.sample()
        product.prices = listed
        _ = try await fixture.run([product])
        return try #require(try await fixture.record("com.example.shop.gems")).product.details
            .prices
    }

    @Test(arguments: StoreDriver.all)
    func `a first price that began already holds since ever`(driver: StoreDriver) async throws {
        let fixture = try await ImportFixture(driver)
        let past = Self.now.addingTimeInterval(-100 * Self.day)
        let future = Self.now.addingTimeInterval(100 * Self.day)
        let schedule = try await prices(
            fixture,
            ListedPrices(world: [.init(tier: "1", start: past), .init(tier: "2", start: future)]))
        #expect(
            schedule.entries == [
                .init(territory: "USA", figure: .tier("1")),
                .init(territory: "USA", figure: .tier("2"), start: future),
            ])
    }

    @Test(arguments: StoreDriver.all)
    func `exceptions keep their days`(driver: StoreDriver) async throws {
        let fixture = try await ImportFixture(driver)
        let past = Self.now.addingTimeInterval(-100 * Self.day)
        let schedule = try await prices(
            fixture,
            ListedPrices(
                world: [.init(tier: "1")],
                territories: ["JPN": [.init(tier: "3", start: past, end: Self.now)]]))
        #expect(
            schedule.entries == [
                .init(territory: "JPN", figure: .tier("3"), start: past, end: Self.now),
                .init(territory: "USA", figure: .tier("1")),
            ])
    }

    @Test(arguments: StoreDriver.all)
    func `a territory with prices of its own is not the base of the others`(
        driver: StoreDriver
    ) async throws {
        let fixture = try await ImportFixture(driver)
        let schedule = try await prices(
            fixture,
            ListedPrices(world: [.init(tier: "5")], territories: ["USA": [.init(tier: "1")]]))
        #expect(schedule.baseTerritory != "USA")
        #expect(schedule.price(in: .unitedStates, at: Self.now)?.thousandths == 990)
        #expect(schedule.price(in: .named("DEU")!, at: Self.now)?.thousandths == 4990)
        // The base that a product has stays its base.
        let again = try await prices(fixture, ListedPrices(world: [.init(tier: "5")]))
        #expect(again.baseTerritory == schedule.baseTerritory)
        #expect(again.price(in: .unitedStates, at: Self.now)?.thousandths == 4990)
    }

    @Test(arguments: StoreDriver.all)
    func `a file that shows one price changes nothing where that is the price`(
        driver: StoreDriver
    ) async throws {
        let fixture = try await ImportFixture(driver)
        let listed = ListedPrices(
            world: [.init(tier: "1")], territories: ["JPN": [.init(tier: "3")]])
        let before = try await prices(fixture, listed)
        let america = Storefront.unitedStates
        let same = try await prices(
            fixture,
            ListedPrices(
                world: [.init(tier: "1")], shown: .init(storefront: america, thousandths: 990)))
        #expect(same == before)
        let other = try await prices(
            fixture,
            ListedPrices(
                world: [.init(tier: "2")], shown: .init(storefront: america, thousandths: 1990)))
        #expect(other == PriceSchedule(tier: "2"))
    }

    @Test(arguments: StoreDriver.all)
    func `amounts of one's own stay where the file names no price`(
        driver: StoreDriver
    ) async throws {
        let fixture = try await ImportFixture(driver)
        _ = try await fixture.run([.sample()])
        let number = try #require(try await fixture.record("com.example.shop.gems")).number
        try await fixture.shop.database.write {
            try $0.products.setPrices(["JPN": 77_000, "DEU": 1230], of: number)
        }
        let schedule = try await prices(
            fixture,
            ListedPrices(world: [.init(tier: "1")], territories: ["DEU": [.init(tier: "2")]]))
        #expect(schedule.price(in: .named("JPN")!, at: Self.now)?.thousandths == 77_000)
        #expect(schedule.price(in: .named("DEU")!, at: Self.now)?.thousandths == 1990)
        #expect(schedule.price(in: .named("FRA")!, at: Self.now)?.thousandths == 990)
    }
}
