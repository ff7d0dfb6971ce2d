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

    @Test func `at most one offer follows another`() throws {
        let offer = SubscriptionOffer(
            kind: .code, identifier: "spring", paymentMode: .freeTrial,
            period: SubscriptionPeriod(unit: .month, count: 1), periodCount: 1, thousandths: 0)
        func isRead(_ offer: SubscriptionOffer) throws -> Bool {
            let data = try JSONEncoder().encode(offer)
            return (try? JSONDecoder().decode(SubscriptionOffer.self, from: data)) == offer
        }
        var several = offer
        several.followers = [offer, offer]
        #expect(try isRead(offer) && isRead(offer.followed(by: offer)))
        #expect(try !isRead(several) && !isRead(offer.followed(by: offer.followed(by: offer))))
        several.followers = []
        #expect(try !isRead(several))
    }

    @Test(arguments: [
        "", "P", "PM", "1M", "P1", "P0M", "P-1M", "P+1M", "P367D", "P1H", "PT1M", "P1Y2M", "p1m",
        "P1.5M", " P1M", "P1M ", "P٣M", "P99999999999999999999M",
    ])
    func `anything else is refused`(_ text: String) {
        #expect(SubscriptionPeriod(iso8601: text) == nil)
    }
}
