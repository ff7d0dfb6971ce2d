import Foundation
import StoreCore
import StoreModel
import Testing

@Suite struct PriceRulesTests {
    /// A schedule that is refused, the rule, and a word of what would help.
    struct Wrong: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let schedule: PriceSchedule
        let help: String

        init(_ rule: String, _ help: String, base: String = "USA", _ entries: [Entry]) {
            testDescription = rule
            schedule = PriceSchedule(baseTerritory: base, entries: entries)
            self.help = help
        }
    }

    typealias Entry = PriceSchedule.Entry
    private static let first = Date(timeIntervalSince1970: 1_800_000_000)
    private static let second = first.addingTimeInterval(86400)
    private static let base = Entry(territory: "USA", figure: .tier("1"))

    static let wrong: [Wrong] = [
        Wrong("territoryUnknown", "alpha-3", base: "XXX", [base]),
        Wrong("territoryUnknown", "alpha-3", base: "usa", [base]),
        Wrong("territoryUnknown", "alpha-3", [base, Entry(territory: "", figure: .tier("1"))]),
        Wrong("territoryUnknown", "alpha-3", [base, Entry(territory: "US", figure: .tier("1"))]),
        Wrong("tierUnknown", "0 to 87", [Entry(territory: "USA", figure: .tier("88"))]),
        Wrong("amountNotListed", "a tier", [Entry(territory: "USA", figure: .amount(1))]),
        Wrong(
            "priceDateTooEarly", "no start",
            [
                base, Entry(territory: "JPN", figure: .tier("2"), end: second),
                Entry(
                    territory: "JPN", figure: .tier("2"), start: Date(timeIntervalSince1970: 0)),
            ]),
        Wrong(
            "priceDateTooEarly", "no start",
            [
                base,
                Entry(
                    territory: "JPN", figure: .tier("2"), start: Date(timeIntervalSince1970: -1)),
            ]),
        Wrong(
            "priceDateTooEarly", "no start",
            [
                base,
                Entry(territory: "JPN", figure: .tier("2"), end: Date(timeIntervalSince1970: 0)),
            ]),
        Wrong(
            "priceEndsBeforeStart", "later day",
            [base, Entry(territory: "JPN", figure: .tier("2"), start: second, end: first)]),
        Wrong(
            "pricesOverlap", "Keep one", [base, Entry(territory: "USA", figure: .tier("2"))]),
        Wrong(
            "pricesOverlap", "Keep one",
            [
                base, Entry(territory: "JPN", figure: .tier("2"), start: first),
                Entry(territory: "JPN", figure: .tier("3"), start: first),
            ]),
        Wrong(
            "pricesOverlap", "second one begins",
            [
                base, Entry(territory: "JPN", figure: .tier("2"), end: second),
                Entry(territory: "JPN", figure: .tier("3"), start: first),
            ]),
        Wrong("basePriceMissing", "Choose a tier", []),
        Wrong("basePriceMissing", "Choose a tier", base: "JPN", [base]),
        Wrong(
            "basePriceGap", "without a start",
            [Entry(territory: "USA", figure: .tier("1"), start: first)]),
        Wrong(
            "basePriceGap", "end open", [Entry(territory: "USA", figure: .tier("1"), end: first)]),
        Wrong(
            "basePriceGap", "when the next one begins",
            [
                Entry(territory: "USA", figure: .tier("1"), end: first),
                Entry(territory: "USA", figure: .tier("2"), start: second),
            ]),
        Wrong(
            "tooManyPrices", "what is past",
            [base]
                + (1...PriceRules.entryLimit).map {
                    Entry(
                        territory: "JPN", figure: .tier("1"),
                        start: first.addingTimeInterval(TimeInterval($0)))
                }),
    ]

    @Test(arguments: wrong)
    func `a schedule that leaves doubts is refused, with what would help`(wrong: Wrong) {
        #expect {
            try PriceRules.checked(wrong.schedule, known: PriceSchedule(tier: "1"))
        } throws: { error in
            guard let refusal = error as? ConnectRefusal else { return false }
            return refusal.rule == wrong.testDescription && refusal.help.contains(wrong.help)
                && ["manualPrices", "baseTerritory"].contains(refusal.field)
        }
    }

    @Test func `prices that follow one another are taken`() throws {
        let schedule = PriceSchedule(
            baseTerritory: "USA",
            entries: [
                Entry(territory: "USA", figure: .tier("1"), end: Self.first),
                Entry(territory: "USA", figure: .tier("2"), start: Self.first),
                Entry(territory: "USA", figure: .tier("3"), start: Self.second),
                Entry(territory: "JPN", figure: .tier("510"), start: Self.first, end: Self.second),
            ])
        let checked = try PriceRules.checked(schedule, known: PriceSchedule(tier: "1"))
        #expect(checked == schedule)
    }

    @Test func `an amount that was imported may stay`() throws {
        let known: PriceSchedule = ["USA": 1230]
        let schedule = PriceSchedule(
            baseTerritory: "USA",
            entries: known.entries + [Entry(territory: "JPN", figure: .tier("1"))])
        #expect(try PriceRules.checked(schedule, known: known) == schedule)
    }
}
