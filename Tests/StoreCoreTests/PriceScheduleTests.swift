import Foundation
import StoreCore
import StoreModel
import Testing

@Suite struct PriceScheduleTests {
    private static let usa = Storefront.unitedStates
    private static let japan = Storefront.named("JPN")!
    private static let germany = Storefront.named("DEU")!
    private static let now = Date(timeIntervalSince1970: 1_800_000_000)

    private static func day(_ number: Int) -> Date {
        now.addingTimeInterval(TimeInterval(number) * 86400)
    }

    private static func amount(
        _ schedule: PriceSchedule, _ storefront: Storefront = usa, at date: Date = now
    ) -> Int64? {
        schedule.price(in: storefront, at: date)?.thousandths
    }

    @Test func `a tier gives every storefront the price list's figure in its currency`() {
        let schedule = PriceSchedule(tier: "5")
        for storefront in Storefront.all {
            #expect(
                schedule.price(in: storefront, at: Self.now)
                    == PriceTier.named("5")!.price(in: storefront))
        }
        #expect(Self.amount(schedule, Self.japan) == 600_000)
    }

    @Test func `an amount that was kept with more than cents is told in cents`() {
        #expect(Self.amount(["USA": 995]) == 990)
        #expect(Self.amount(["JPN": 120_999], Self.japan) == 120_000)
        #expect(Self.amount(["USA": 990]) == 990)
    }

    @Test func `the base holds where and when a territory has no price of its own`() {
        func entry(_ territory: String, _ tier: String, _ start: Int?, _ end: Int?)
            -> PriceSchedule.Entry
        {
            .init(
                territory: territory, figure: .tier(tier), start: start.map(Self.day),
                end: end.map(Self.day))
        }
        let schedule = PriceSchedule(
            baseTerritory: "USA",
            entries: [
                entry("USA", "5", nil, nil), entry("USA", "6", 10, nil), entry("JPN", "2", 3, 4),
                entry("JPN", "1", 6, nil), entry("GBR", "9", nil, 1), entry("CAN", "9", nil, nil),
            ])
        func ofBase(_ territory: String) -> [PriceSchedule.Entry] {
            schedule.entriesOfBase(in: territory)
        }
        #expect(ofBase("JPN") == [entry("JPN", "5", nil, 3), entry("JPN", "5", 4, 6)])
        #expect(ofBase("GBR") == [entry("GBR", "5", 1, 10), entry("GBR", "6", 10, nil)])
        #expect(ofBase("DEU") == [entry("DEU", "5", nil, 10), entry("DEU", "6", 10, nil)])
        #expect(ofBase("CAN").isEmpty && ofBase("USA").isEmpty)
    }

    @Test func `an exception goes before the base, as long as it lasts`() {
        let schedule = PriceSchedule(
            baseTerritory: "USA",
            entries: [
                .init(territory: "USA", figure: .tier("5")),
                .init(
                    territory: "JPN", figure: .tier("2"), start: Self.day(1), end: Self.day(3)),
            ])
        #expect(Self.amount(schedule, Self.japan) == 600_000)
        #expect(Self.amount(schedule, Self.japan, at: Self.day(1)) == 240_000)
        #expect(
            Self.amount(schedule, Self.japan, at: Self.day(3).addingTimeInterval(-0.001))
                == 240_000)
        #expect(Self.amount(schedule, Self.japan, at: Self.day(3)) == 600_000)
        #expect(Self.amount(schedule, at: Self.day(2)) == 4990)
    }

    @Test func `the base changes on its day, and with it all that follow it`() {
        let schedule = PriceSchedule(
            baseTerritory: "DEU",
            entries: [
                .init(territory: "DEU", figure: .tier("1"), start: Self.day(2)),
                .init(territory: "DEU", figure: .tier("3"), end: Self.day(2)),
            ])
        #expect(Self.amount(schedule, Self.germany, at: Self.day(1)) == 2990)
        #expect(Self.amount(schedule, Self.japan, at: Self.day(1)) == 360_000)
        #expect(Self.amount(schedule, Self.germany, at: Self.day(2)) == 990)
        #expect(Self.amount(schedule, Self.japan, at: Self.day(2)) == 120_000)
    }

    @Test func `an amount is sold in its own territory only`() {
        let schedule: PriceSchedule = ["USA": 1230, "JPN": 0]
        #expect(Self.amount(schedule) == 1230)
        #expect(Self.amount(schedule, Self.japan) == 0)
        #expect(Self.amount(schedule, Self.germany) == nil)
        #expect(schedule.tier(in: Self.usa, at: Self.now) == nil)
    }

    @Test func `a tier that the list has lost sells nowhere`() {
        #expect(Self.amount(PriceSchedule(tier: "9999")) == nil)
    }

    @Test func `the next change is the first beginning or end to come`() {
        let schedule = PriceSchedule(
            baseTerritory: "USA",
            entries: [
                .init(territory: "USA", figure: .tier("5")),
                .init(
                    territory: "JPN", figure: .tier("2"), start: Self.day(-1), end: Self.day(3)),
                .init(territory: "DEU", figure: .tier("2"), start: Self.day(2)),
            ])
        #expect(schedule.nextChange(after: Self.now) == Self.day(2))
        #expect(schedule.nextChange(after: Self.day(2)) == Self.day(3))
        #expect(schedule.nextChange(after: Self.day(3)) == nil)
    }

    @Test func `a price set from a day on ends what was there, and what was planned behind it`() {
        let schedule = PriceSchedule(tier: "5")
            .setting(.tier("6"), in: "USA", from: Self.day(5), now: Self.now)
            .setting(.tier("7"), in: "USA", from: Self.day(2), now: Self.now)
        #expect(schedule.base.map(\.figure) == [.tier("5"), .tier("7")])
        #expect(Self.amount(schedule, at: Self.day(1)) == 4990)
        #expect(Self.amount(schedule, at: Self.day(6)) == 6990)
        let atOnce = schedule.setting(.tier("1"), in: "USA", from: nil, now: Self.now)
        #expect(atOnce == PriceSchedule(tier: "1"))
        let past = schedule.setting(.tier("1"), in: "USA", from: Self.day(-9), now: Self.now)
        #expect(past == atOnce)
    }

    @Test func `a territory without prices of its own follows the base again`() {
        let schedule = PriceSchedule(tier: "5")
            .setting(.tier("6"), in: "JPN", from: nil, now: Self.now)
        #expect(Self.amount(schedule, Self.japan) == 720_000)
        #expect(schedule.following(in: "JPN") == PriceSchedule(tier: "5"))
    }
}

@Suite struct AvailabilityTests {
    @Test func `what is sold in new territories too lists where it is not`() {
        let all = Set(Storefront.all.map(\.code))
        let availability = Availability(
            territories: all.subtracting(["JPN"]), includesNew: true)
        #expect(availability == .everywhere(except: ["JPN"]))
        #expect(!availability.includes("JPN"))
        #expect(availability.includes("XXX"), "a territory of tomorrow")
        #expect(availability.territories.count == Storefront.all.count - 1)
        #expect(Availability(territories: all, includesNew: true) == .everywhere)
    }

    @Test func `what is sold in some territories stays there`() {
        let availability = Availability(territories: ["USA", "JPN"], includesNew: false)
        #expect(availability.territories.map(\.code) == ["USA", "JPN"])
        #expect(!availability.includes("XXX"))
        #expect(!availability.includesNew)
    }
}
