import StoreModel
import Testing

@Suite("Subscription period")
struct SubscriptionPeriodTests {
    @Test(arguments: [
        ("P3D", SubscriptionPeriod.Unit.day, 3), ("P1W", .week, 1), ("P1M", .month, 1),
        ("P6M", .month, 6), ("P1Y", .year, 1), ("P366D", .day, 366),
    ])
    func `the ISO 8601 form with one unit is read and written`(
        _ text: String, _ unit: SubscriptionPeriod.Unit, _ count: Int
    ) throws {
        let period = try #require(SubscriptionPeriod(iso8601: text))
        #expect(period == SubscriptionPeriod(unit: unit, count: count))
        #expect(period.iso8601 == text)
    }

    @Test(arguments: [
        "", "P", "PM", "1M", "P1", "P0M", "P-1M", "P+1M", "P367D", "P1H", "PT1M", "P1Y2M", "p1m",
        "P1.5M", " P1M", "P1M ", "P٣M", "P99999999999999999999M",
    ])
    func `anything else is refused`(_ text: String) {
        #expect(SubscriptionPeriod(iso8601: text) == nil)
    }
}
