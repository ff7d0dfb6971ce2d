import Foundation
@testable import StoreCore
import StoreModel
import Testing

@Suite struct SalesReportTests {
    @Test(
        arguments: [
            // 70 % of 0.99 is 0.693.
            (990, "USD", 690), (1_990, "USD", 1_390), (10, "USD", 10), (0, "USD", 0),
            // Half a cent goes up: 70 % of 0.05 is 0.035.
            (50, "USD", 40),
            // 70 % of 120 yen are 84; of 85 yen 59.5, and half a yen goes up.
            (120_000, "JPY", 84_000), (85_000, "JPY", 60_000), (84_000, "JPY", 59_000),
            (1_000, "JPY", 1_000),
            // A dinar has a thousand parts.
            (995, "KWD", 697), (999_990, "USD", 699_990),
        ] as [(Int64, String, Int64)])
    func `proceeds are 70 percent, rounded half up to the smallest unit`(
        price: Int64, currency: String, proceeds: Int64
    ) {
        let money = Money(thousandths: price, currency: currency)
        #expect(
            Proceeds.ofOne(at: money) == Money(thousandths: proceeds, currency: currency))
    }

    @Test func `proceeds of every price are as exact decimals have them`() throws {
        for currency in ["USD", "JPY", "KWD"] {
            let unit = Money.smallestUnit(of: currency)
            for price in stride(from: Int64(0), through: 40_000, by: 7) {
                var exact = Decimal(price) * 7 / 10 / Decimal(unit)
                var rounded = Decimal()
                NSDecimalRound(&rounded, &exact, 0, .plain)
                let expected = NSDecimalNumber(decimal: rounded * Decimal(unit)).int64Value
                #expect(
                    Proceeds.ofOne(at: Money(thousandths: price, currency: currency)).thousandths
                        == expected, "\(price) \(currency)")
            }
        }
    }

    @Test func `no price is too large for its proceeds`() {
        let huge = Money(thousandths: .max, currency: "USD")
        let proceeds = Proceeds.ofOne(at: huge).thousandths
        #expect(proceeds > Int64.max / 100 * 69 && proceeds < Int64.max / 100 * 71)
    }

    @Test(
        arguments: [
            // Three quarters of 4.99 are 3.7425; half a cent goes up.
            (4_990, "USD", 75_000, 3_740), (990, "USD", 50_000, 500), (10, "USD", 49_999, 0),
            (990, "USD", 100_000, 990), (990, "USD", 0, 0), (120_000, "JPY", 33_333, 40_000),
            (995, "KWD", 33_333, 332), (.max, "USD", 100_000, .max),
        ] as [(Int64, String, Int, Int64)])
    func `a part of a price is rounded half up to the smallest unit`(
        price: Int64, currency: String, percentage: Int, part: Int64
    ) {
        let money = Money(thousandths: price, currency: currency)
        #expect(
            Revocation.part(percentage, of: money) == Money(thousandths: part, currency: currency))
    }

    @Test func `no price is too large for a part of it`() {
        let huge = Money(thousandths: .max, currency: "USD")
        let half = Revocation.part(50_000, of: huge).thousandths
        #expect(half > Int64.max / 100 * 49 && half < Int64.max / 100 * 51)
    }

    private static func row(
        _ key: SalesKey, _ price: Int64, _ currency: String, sold: Int64 = 0, free: Int64 = 0,
        refunded: Int64 = 0, refundedFree: Int64 = 0
    ) -> SalesRow {
        SalesRow(
            key: key, unitPrice: Money(thousandths: price, currency: currency), sold: sold,
            free: free, refundedSold: refunded, refundedFree: refundedFree)
    }

    @Test func `lines are added up by key, amounts by currency`() throws {
        let first = SalesDay("2026-11-01")!
        let query = try SalesQuery(
            environment: .production, first: first, last: first.advanced(by: 2), grouping: .day)
        var report = SalesReport(query)
        let monday = SalesKey(day: first)
        let wednesday = SalesKey(day: first.advanced(by: 2))
        report.add(Self.row(monday, 120_000, "JPY", sold: 2))
        report.add(Self.row(monday, 990, "USD", sold: 3, free: 1, refunded: 1))
        report.add(Self.row(monday, 1_990, "USD", sold: 1))
        report.add(Self.row(wednesday, 990, "USD", refunded: 1, refundedFree: 2))
        try #require(report.lines.map(\.key) == [monday, wednesday])
        #expect(report.lines[0].totals.units == 7)
        #expect(report.lines[0].totals.refunds == 1)
        #expect(
            report.lines[0].totals.amounts == [
                "JPY": SalesAmounts(sales: 240_000, refunded: 0, proceeds: 168_000),
                "USD": SalesAmounts(sales: 4_960, refunded: 990, proceeds: 2 * 690 + 1_390),
            ])
        // More was given back than paid.
        #expect(
            report.lines[1].totals
                == SalesTotals(
                    units: 0, refunds: 3,
                    amounts: ["USD": SalesAmounts(sales: 0, refunded: 990, proceeds: -690)]))
        #expect(report.total.units == 7)
        #expect(report.total.refunds == 4)
        let dollars: Int64 = 2 * 690 + 1_390 - 690
        #expect(report.total.amounts["USD"]?.proceeds == dollars)
        #expect(report.total.currencies == ["JPY", "USD"])
        #expect(report.everyDay.map(\.totals.units) == [7, 0, 0])
        #expect(report.everyDay.map(\.key.day?.text) == ["2026-11-01", "2026-11-02", "2026-11-03"])
    }

    @Test func `of what was not used, only that part was given back`() throws {
        let day = SalesDay("2026-11-01")!
        var report = SalesReport(
            try SalesQuery(environment: .sandbox, first: day, last: day, grouping: []))
        report.add(Self.row(SalesKey(), 4_990, "USD", sold: 3, refunded: 1))
        var part = Self.row(SalesKey(), 4_990, "USD", refunded: 2)
        part.refundedPart = 75_000
        report.add(part)
        // 70 % of 4.99 are 3.49, those of the 3.74 that went back 2.62.
        #expect(
            report.total
                == SalesTotals(
                    units: 3, refunds: 3,
                    amounts: [
                        "USD": SalesAmounts(
                            sales: 14_970, refunded: 4_990 + 2 * 3_740,
                            proceeds: 2 * 3_490 - 2 * 2_620)
                    ]))
        #expect(report.lines.count == 1)
    }

    @Test func `sums that fit no number stop at the largest`() throws {
        let day = SalesDay("2026-11-01")!
        var report = SalesReport(
            try SalesQuery(environment: .sandbox, first: day, last: day, grouping: []))
        for _ in 0..<2 {
            report.add(
                Self.row(SalesKey(), .max / 4, "USD", sold: .max / 2, refunded: .max / 2))
        }
        let amounts = try #require(report.total.amounts["USD"])
        #expect(amounts.sales == .max && amounts.refunded == .max)
        #expect(report.total.units == .max - 1)
    }

    @Test func `units that were free have no amounts`() throws {
        let day = SalesDay("2026-11-01")!
        var report = SalesReport(
            try SalesQuery(environment: .sandbox, first: day, last: day, grouping: []))
        report.add(Self.row(SalesKey(), 990, "USD", free: 5, refundedFree: 1))
        #expect(report.total == SalesTotals(units: 5, refunds: 1))
    }

    @Test func `the most units come first, and what is equal stays in order`() throws {
        let day = SalesDay("2026-11-01")!
        var report = SalesReport(
            try SalesQuery(environment: .sandbox, first: day, last: day, grouping: .territory))
        for (code, units) in [("DEU", 2), ("FRA", 5), ("JPN", 2), ("USA", 9)] {
            report.add(Self.row(SalesKey(territory: code), 990, "USD", sold: Int64(units)))
        }
        #expect(report.byUnits.map(\.key.territory) == ["USA", "FRA", "DEU", "JPN"])
    }

    @Test func `a report is about a year at most, and not backwards`() {
        let day = SalesDay("2026-11-01")!
        func rule(_ days: Int) -> String? {
            do {
                _ = try SalesQuery(
                    environment: .sandbox, first: day, last: day.advanced(by: days), grouping: [])
                return nil
            } catch {
                return (error as? ConnectRefusal)?.rule
            }
        }
        #expect(rule(0) == nil)
        #expect(rule(365) == nil)
        #expect(rule(366) == "salesRangeTooLong")
        #expect(rule(-1) == "salesRangeBackwards")
        #expect(rule(.max - 30_000) == "salesRangeTooLong")
    }
}
