import Foundation
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

    @Test(arguments: [0, -1, 10_001, Int.max, Int.min])
    func `a number of periods that no subscription has is not read`(_ count: Int) {
        let month = #"{"unit":"M","count":1}"#
        let period = #"{"unit":"M","count":\#(count)}"#
        func offer(_ period: String, _ count: Int) -> String {
            #"""
            {"kind":"promotional","paymentMode":"free","period":\#(period),
            "periodCount":\#(count),"thousandths":0}
            """#
        }
        func isRead<Value: Decodable>(_ type: Value.Type, _ json: String) -> Bool {
            (try? JSONDecoder().decode(type, from: Data(json.utf8))) != nil
        }
        #expect(isRead(SubscriptionPeriod.self, month))
        #expect(isRead(SubscriptionOffer.self, offer(month, 1)))
        #expect(!isRead(SubscriptionPeriod.self, period))
        #expect(!isRead(SubscriptionOffer.self, offer(month, count)))
        #expect(!isRead(SubscriptionOffer.self, offer(period, 1)))
    }

    @Test(arguments: [
        "", "P", "PM", "1M", "P1", "P0M", "P-1M", "P+1M", "P367D", "P1H", "PT1M", "P1Y2M", "p1m",
        "P1.5M", " P1M", "P1M ", "P٣M", "P99999999999999999999M",
    ])
    func `anything else is refused`(_ text: String) {
        #expect(SubscriptionPeriod(iso8601: text) == nil)
    }
}
