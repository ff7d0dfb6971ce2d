import Foundation
import StoreModel
import Testing

@Suite("Money")
struct MoneyTests {
    @Test(arguments: [
        ("0", 0), ("0.99", 990), ("12", 12_000), ("1.5", 1500), ("1.05", 1050), ("1.005", 1005),
        ("007", 7000), ("0.001", 1), ("999999999999.999", 999_999_999_999_999),
    ])
    func `a plain decimal number is read as thousandths`(_ text: String, _ thousandths: Int64) {
        #expect(Money.thousandths(text) == thousandths)
    }

    @Test(arguments: [
        "", ".", "1.", ".5", "1.2.3", "1,99", "-1", "+1", "1e3", " 1", "1 ", "$1", "1.0000",
        "0x10", "١", "1\u{301}", "NaN", "1000000000000",
    ])
    func `any other spelling is refused`(_ text: String) {
        #expect(Money.thousandths(text) == nil)
    }

    @Test func `the decimal is the amount in units`() {
        #expect(Money(thousandths: 990, currency: "USD").decimal == Decimal(string: "0.99"))
        #expect(Money(thousandths: 120_000, currency: "JPY").decimal == 120)
    }

    @Test(arguments: [
        ("en_US", "USD", 990, "$0.99"), ("en_US", "USD", 1_234_500, "$1,234.50"),
        ("en_US", "USD", 0, "$0.00"), ("ja_JP", "JPY", 120_000, "\u{a5}120"),
        ("ja_JP", "JPY", 1_200_000, "\u{a5}1,200"), ("de_DE", "EUR", 990, "0,99\u{a0}€"),
        ("en_US", "EUR", 990, "€0.99"),
    ])
    func `people read it in the way of their locale and its own currency`(
        _ locale: String, _ currency: String, _ thousandths: Int64, _ text: String
    ) {
        // CLDR writes the Japanese yen sign with full width; both mean the same.
        let formatted = Money(thousandths: thousandths, currency: currency)
            .formatted(locale: locale).replacingOccurrences(of: "\u{ffe5}", with: "\u{a5}")
        #expect(formatted == text)
    }

    @Test func `multiplying by a count keeps the currency`() {
        let one = Money(thousandths: 990, currency: "USD")
        #expect(one.multiplied(by: 10) == Money(thousandths: 9900, currency: "USD"))
    }

    @Test func `a product that does not fit is nil, not a wrong amount`() {
        let much = Money(thousandths: Int64.max / 2, currency: "USD")
        #expect(much.multiplied(by: 2) != nil)
        #expect(much.multiplied(by: 3) == nil)
    }

    @Test(
        arguments: [
            (990, "USD", true), (999, "USD", false), (120_000, "JPY", true),
            (120_010, "JPY", false),
            (995, "KWD", true), (0, "EUR", true), (-10, "USD", false),
            (Money.highestPrice, "IDR", true), (Money.highestPrice + 1000, "IDR", false),
        ] as [(Int64, String, Bool)])
    func `a price is a multiple of its currency's unit, within the bound`(
        _ thousandths: Int64, _ currency: String, _ isPrice: Bool
    ) {
        let price = Money(thousandths: thousandths, currency: currency)
        #expect((price.priceProblem == nil) == isPrice)
    }

    @Test(
        arguments: [
            (995, "USD", 990), (990, "USD", 990), (120_999, "JPY", 120_000), (995, "KWD", 995),
            (9, "EUR", 0), (-995, "USD", -990),
        ] as [(Int64, String, Int64)])
    func `what is finer than the currency's unit can't be paid`(
        _ thousandths: Int64, _ currency: String, _ payable: Int64
    ) {
        #expect(
            Money(thousandths: thousandths, currency: currency).payable
                == Money(thousandths: payable, currency: currency))
    }

    @Test func `an item's own price is a multiple of the currency's unit, whatever was kept`() {
        let prices = ItemPrices(tier: "5", own: ["USA": 995])
        #expect(
            prices.price(in: .unitedStates) == Money(thousandths: 990, currency: "USD"))
    }

    @Test func `every price of the price list can be charged`() {
        for tier in PriceTier.all {
            for storefront in Storefront.all {
                #expect(tier.price(in: storefront).priceProblem == nil)
            }
        }
    }

    @Test func `the same figure in another currency is another amount`() {
        let dollars = Money(thousandths: 1000, currency: "USD")
        #expect(dollars != Money(thousandths: 1000, currency: "EUR"))
    }

    private static let clamped: [(Double, Int64)] = [
        (2.9, 2), (-2.9, -2), (1e300, .max), (-1e300, .min), (.infinity, .max),
        (-.infinity, .min), (.nan, 0), (0x1p63, .max),
    ]

    @Test(arguments: clamped)
    func `a number with a fraction becomes the nearest integer that fits`(
        value: Double, integer: Int64
    ) {
        #expect(Int64(clamping: value) == integer)
        #expect(UInt8(clamping: value) == UInt8(clamping: integer))
    }
}
