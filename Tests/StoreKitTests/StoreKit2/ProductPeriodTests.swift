import Foundation
@testable import StoreKit
import StoreModel
import StoreWire
import Testing

struct ProductPeriods {
    /// A product that is sold in a locale's language and currency.
    private static func product(_ locale: String, _ currency: String) throws -> Product {
        try Product(
            WireProduct(
                productId: "a", type: "Consumable", title: "", description: "",
                price: Money(thousandths: 1_234_500, currency: currency), locale: locale,
                familyShareable: false, content: nil, subscription: nil),
            storefront: "USA")
    }

    private static func noon(_ year: Int, _ month: Int, _ day: Int) throws -> Date {
        let components = DateComponents(year: year, month: month, day: day, hour: 12)
        return try #require(Calendar(identifier: .gregorian).date(from: components))
    }

    @Test(arguments: [
        (Product.SubscriptionPeriod.everyThreeDays, 2024, 2, 27, 2024, 3, 1),
        (.weekly, 2023, 12, 28, 2024, 1, 4), (.everyTwoWeeks, 2024, 2, 20, 2024, 3, 5),
        (.monthly, 2024, 1, 31, 2024, 2, 29), (.everyTwoMonths, 2023, 12, 31, 2024, 2, 29),
        (.everyThreeMonths, 2024, 11, 30, 2025, 2, 28), (.everySixMonths, 2024, 3, 31, 2024, 9, 30),
        (.yearly, 2024, 2, 29, 2025, 2, 28),
    ])
    func `a period runs to the same day by the calendar, or the month's last`(
        period: Product.SubscriptionPeriod, y: Int, m: Int, d: Int, y2: Int, m2: Int, d2: Int
    ) throws {
        let start = try Self.noon(y, m, d)
        let end = try Self.noon(y2, m2, d2)
        #expect(period.dateRange(referenceDate: start) == start..<end)
        let components = DateComponents(subscriptionPeriod: period)
        #expect(Calendar(identifier: .gregorian).date(byAdding: components, to: start) == end)
    }

    @Test(arguments: [1e300, -.infinity, .infinity, .nan])
    func `a date that no calendar has begins a range that ends no process`(_ time: Double) {
        let range = SubscriptionPeriod.yearly.dateRange(
            referenceDate: Date(timeIntervalSince1970: time))
        #expect(!(range.upperBound < range.lowerBound))
    }

    @Test(arguments: [
        ("P7D", Product.SubscriptionPeriod.Unit.day, 7), ("P366D", .day, 366), ("P1W", .week, 1),
        ("P1Y", .year, 1),
    ])
    func `a period keeps the unit that the store wrote`(
        text: String, unit: Product.SubscriptionPeriod.Unit, value: Int
    ) throws {
        let period = try #require(Product.SubscriptionPeriod(iso8601: text))
        #expect(period.unit == unit && period.value == value)
    }

    @Test(arguments: [
        ("en_US", "USD", "1 month", "3 days", "1 year", "week", "$1,234.50"),
        ("ja_JP", "JPY", "1か月", "3日", "1年", "週", "¥1,234"),
        ("ru_RU", "RUB", "1 месяц", "3 дня", "1 год", "неделя", "1 234,50 ₽"),
        ("zh_TW", "TWD", "1 個月", "3 天", "1 年", "週", "$1,234.50"),
        ("de_DE", "EUR", "1 month", "3 days", "1 year", "week", "1.234,50 €"),
    ])
    func `prices and periods are written as people of the storefront do`(
        locale: String, currency: String, month: String, days: String, year: String, unit: String,
        price: String
    ) throws {
        let product = try Self.product(locale, currency)
        let style = product.subscriptionPeriodFormatStyle
        let start = try Self.noon(2024, 1, 31)
        #expect(SubscriptionPeriod.monthly.formatted(style, referenceDate: start) == month)
        #expect(SubscriptionPeriod.everyThreeDays.formatted(style, referenceDate: start) == days)
        #expect(SubscriptionPeriod.yearly.formatted(style, referenceDate: start) == year)
        let unitStyle = product.subscriptionPeriodUnitFormatStyle
        #expect(SubscriptionPeriod.Unit.week.formatted(unitStyle) == unit)
        let shown = product.price.formatted(product.priceFormatStyle)
        #expect(shown.replacing("\u{A0}", with: " ") == price)
        #expect(
            product.displayPrice.replacing("\u{A0}", with: " ").hasPrefix(price.prefix(5)))
    }

    @Test func `a period is written as a duration too`() throws {
        let days = Duration.UnitsFormatStyle(allowedUnits: [.days], width: .wide)
            .locale(Locale(identifier: "en_US"))
        let february = try Self.noon(2023, 2, 1)
        #expect(SubscriptionPeriod.monthly.formatted(days, referenceDate: february) == "28 days")
        #expect(SubscriptionPeriod.weekly.formatted(days, referenceDate: february) == "7 days")
    }

    @Test func `styles are the same after they were kept`() throws {
        let product = try Self.product("ja_JP", "JPY")
        let unit = product.subscriptionPeriodUnitFormatStyle
        let kept = try JSONDecoder().decode(
            Product.SubscriptionPeriod.Unit.FormatStyle.self, from: JSONEncoder().encode(unit))
        #expect(kept == unit && kept.format(.day) == "日")
        #expect(unit.locale(Locale(identifier: "en_GB")).format(.year) == "year")
        let style = product.subscriptionPeriodFormatStyle.locale(Locale(identifier: "en_GB"))
        let start = try Self.noon(2024, 1, 1)
        #expect(style.format(start..<start) == "0 days")
        #expect(
            style.format(start..<(try Self.noon(2025, 3, 10))) == "1 year 2 months 1 week 2 days")
    }
}
