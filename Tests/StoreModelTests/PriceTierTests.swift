import StoreModel
import Testing

@Suite("Price tiers")
struct PriceTierTests {
    private func tier(_ identifier: String) throws -> PriceTier {
        try #require(PriceTier.all.first { $0.identifier == identifier })
    }

    private func storefront(_ code: String) throws -> Storefront {
        try #require(Storefront.named(code))
    }

    @Test func `there are the free one, 87 tiers and 7 alternates`() {
        #expect(PriceTier.all.count == 95)
        #expect(Set(PriceTier.all.map(\.identifier)).count == 95)
        #expect(Set(PriceTier.all.map(\.name)).count == 95)
        let numbers: [String] = (0...87).map { String($0) }
        #expect(PriceTier.all.prefix(88).map(\.identifier) == numbers)
        #expect(PriceTier.all.suffix(7).allSatisfy { $0.name.hasPrefix("Alternate ") })
    }

    @Test(arguments: [
        ("1", "USA", 990, "USD"), ("1", "JPN", 120_000, "JPY"), ("1", "DEU", 990, "EUR"),
        ("1", "KOR", 1090, "USD"), ("0", "USA", 0, "USD"), ("0", "KOR", 0, "USD"),
        ("87", "USA", 999_990, "USD"), ("87", "KOR", 1_099_990, "USD"),
        ("87", "DEU", 999_990, "EUR"), ("550", "JPN", 150_000, "JPY"),
    ])
    func `a tier has one price in each storefront`(
        _ identifier: String, _ code: String, _ thousandths: Int64, _ currency: String
    ) throws {
        let price = try tier(identifier).price(in: storefront(code))
        #expect(price == Money(thousandths: thousandths, currency: currency))
    }

    /// `price(in:)` traps where a column is missing.
    @Test(arguments: Storefront.all)
    func `every tier has a price in every storefront's currency`(_ storefront: Storefront) {
        let prices = PriceTier.all.map { $0.price(in: storefront) }
        #expect(prices.allSatisfy { $0.currency == storefront.currency })
        #expect(prices.filter { $0.thousandths == 0 }.count == 1)
        #expect(prices.first?.thousandths == 0)
    }

    @Test(arguments: Storefront.all)
    func `a higher tier never costs less`(_ storefront: Storefront) {
        let prices = PriceTier.all.prefix(88).map { $0.price(in: storefront).thousandths }
        #expect(prices == prices.sorted())
    }

    @Test(arguments: [
        ("USA", 990, "1"), ("USA", 0, "0"), ("JPN", 120_000, "1"), ("KOR", 1090, "1"),
        ("USA", 999_990, "87"), ("JPN", 150_000, "550"),
    ])
    func `a price leads back to the lowest tier that has it`(
        _ code: String, _ thousandths: Int64, _ identifier: String
    ) throws {
        let storefront = try storefront(code)
        let price = Money(thousandths: thousandths, currency: storefront.currency)
        #expect(PriceTier.priced(price, in: storefront)?.identifier == identifier)
    }

    @Test(arguments: [("USA", 1000, "USD"), ("USA", 990, "EUR"), ("KOR", 990, "USD")])
    func `a price that is no step of the list has no tier`(
        _ code: String, _ thousandths: Int64, _ currency: String
    ) throws {
        let price = Money(thousandths: thousandths, currency: currency)
        #expect(PriceTier.priced(price, in: try storefront(code)) == nil)
    }
}
