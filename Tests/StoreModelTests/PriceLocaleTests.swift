import Foundation
import StoreModel
import Testing

@Suite("Locales of prices")
struct PriceLocaleTests {
    @Test func `every storefront's prices are written in its own way`() {
        let refused = Storefront.all.filter {
            PriceLocale.identifier($0.locale, currency: $0.currency) == nil
        }
        #expect(refused.isEmpty)
    }

    @Test(arguments: ["ja", "fil", "ja_JP", "zh_Hant", "zh_Hant_TW", "es_419", "sr_Latn_RS"])
    func `a language, a script and a region make a locale`(_ text: String) {
        #expect(PriceLocale.isLocale(text))
    }

    static let foreign = [
        "", "e", "EN", "en-US", "en_us", "en_U", "en_USA", "en_41", "en_", "_US", "en__US",
        "en_US_", "en_US_POSIX", "en_US_US", "en_latn", "en_Latn_Latn", "engl", "en_US@currency=X",
        "e\u{301}n", "en_\u{ff35}S", "en_US\u{0}", "é", "en_4\u{661}9", "\u{1F600}",
        String(repeating: "a", count: 250), "en_" + String(repeating: "US_", count: 90),
    ]

    /// ICU writes over the stack, or Foundation traps, where such a text gets to them.
    @Test(arguments: foreign)
    func `nothing else gets to the system's formatters`(_ text: String) {
        #expect(!PriceLocale.isLocale(text) && !PriceLocale.isCurrency(text))
        let dollars = Money(thousandths: 990, currency: "USD")
        #expect(dollars.formatted(locale: text) == "0.99 USD")
        #expect(Money(thousandths: 990, currency: text).formatted(locale: "en_US") == "0.99 ¤")
    }
}
