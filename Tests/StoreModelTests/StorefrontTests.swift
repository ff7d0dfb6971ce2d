import StoreModel
import Testing

@Suite("Storefronts")
struct StorefrontTests {
    @Test func `there are 155, each with codes and identifier of its own`() {
        let all = Storefront.all
        #expect(all.count == 155)
        #expect(Set(all.map(\.code)).count == 155)
        #expect(Set(all.map(\.country)).count == 155)
        #expect(Set(all.map(\.identifier)).count == 155)
        #expect(Set(all.map(\.name)).count == 155)
    }

    @Test(arguments: [
        ("USA", "US", "143441", "USD", "en_US"), ("JPN", "JP", "143462", "JPY", "ja_JP"),
        ("DEU", "DE", "143443", "EUR", "de_DE"), ("KOR", "KR", "143466", "USD", "ko_KR"),
    ])
    func `a storefront sets identifier, currency and language`(
        _ code: String, _ country: String, _ identifier: String, _ currency: String,
        _ locale: String
    ) throws {
        let storefront = try #require(Storefront.named(code))
        #expect(storefront.country == country)
        #expect(storefront.identifier == identifier)
        #expect(storefront.currency == currency)
        #expect(storefront.locale == locale)
    }

    @Test(arguments: Storefront.all)
    func `each row is well-formed`(_ storefront: Storefront) {
        func isUpper(_ text: String, _ count: Int) -> Bool {
            text.utf8.count == count && text.utf8.allSatisfy { (65...90).contains($0) }
        }
        #expect(isUpper(storefront.code, 3))
        #expect(isUpper(storefront.country, 2))
        #expect(isUpper(storefront.currency, 3))
        #expect(storefront.identifier.utf8.count == 6)
        #expect(Int(storefront.identifier) != nil)
        #expect(storefront.locale.split(separator: "_").count >= 2)
        #expect(!storefront.name.isEmpty)
    }

    @Test(arguments: [
        ("TUR", "Türkiye"), ("CZE", "Czechia"), ("MKD", "North Macedonia"), ("SWZ", "Eswatini"),
        ("KOR", "South Korea"), ("KAZ", "Kazakhstan"), ("USA", "United States"),
    ])
    func `a country has the name that is customary today`(_ code: String, _ name: String) {
        #expect(Storefront.named(code)?.name == name)
    }

    @Test(arguments: [
        ("USA", "the United States"), ("NLD", "the Netherlands"), ("PHL", "the Philippines"),
        ("GBR", "the United Kingdom"), ("BHS", "the Bahamas"), ("ARE", "the United Arab Emirates"),
        ("COG", "the Republic of the Congo"), ("CZE", "Czechia"), ("JPN", "Japan"),
        ("VCT", "Saint Vincent and the Grenadines"),
    ])
    func `a country stands in a sentence with the article of its name`(
        _ code: String, _ name: String
    ) {
        #expect(Storefront.named(code)?.nameInSentence == name)
    }

    @Test func `names of several parts have an article in sentences`() {
        let words = ["United", "Republic", "Islands", "Emirates", "Kingdom"]
        for storefront in Storefront.all
        where words.contains(where: { storefront.name.contains($0) }) {
            #expect(storefront.nameInSentence == "the \(storefront.name)")
        }
    }

    @Test func `no name is turned around behind a comma`() {
        #expect(Storefront.all.filter { $0.name.contains(",") }.map(\.name) == [])
    }

    @Test(arguments: ["jpn", "JP", "jp", "Jpn"])
    func `it is found by either code in any case`(_ code: String) {
        #expect(Storefront.named(code)?.code == "JPN")
    }

    @Test(arguments: ["", "XXX", "J", "143462", "Japan"])
    func `an unknown code finds nothing`(_ code: String) {
        #expect(Storefront.named(code) == nil)
    }
}
