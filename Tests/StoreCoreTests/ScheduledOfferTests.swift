import Foundation
import StoreModel
import Testing

@testable import StoreCore

/// Which introductory offer customers get, of several.
struct ScheduledOfferTests {
    /// A free trial, told apart by its weeks.
    private static func trial(
        weeks: Int, in territory: String?, from day: String? = nil
    ) -> ScheduledOffer {
        ScheduledOffer(
            offer: SubscriptionOffer(
                kind: .introductory, identifier: nil, paymentMode: .freeTrial,
                period: SubscriptionPeriod(unit: .week, count: weeks), periodCount: 1,
                thousandths: 0),
            tiers: [:], territory: territory, start: day.flatMap { CalendarDay($0) })
    }

    private static func weeks(
        _ offers: [ScheduledOffer], _ storefront: String, _ day: String
    ) throws -> [Int] {
        var product = Situation().product
        product.scheduledOffers = offers
        return product.offers(
            in: try #require(.named(storefront)), at: try #require(CalendarDay(day)).beginning
        ).map(\.period.count)
    }

    @Test func `a territory's own offer comes first, and of two the later one`() throws {
        let offers = [
            Self.trial(weeks: 1, in: nil, from: "2027-05-01"), Self.trial(weeks: 2, in: "JPN"),
            Self.trial(weeks: 3, in: "JPN", from: "2027-03-01"),
        ]
        for offers in [offers, offers.reversed()] {
            #expect(try Self.weeks(offers, "JPN", "2027-02-28") == [2])
            #expect(try Self.weeks(offers, "JPN", "2027-06-01") == [3])
            #expect(try Self.weeks(offers, "DEU", "2027-04-30") == [])
            #expect(try Self.weeks(offers, "DEU", "2027-05-01") == [1])
        }
    }
}
