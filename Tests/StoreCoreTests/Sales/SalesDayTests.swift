import Foundation
import StoreCore
import Testing

@Suite struct SalesDayTests {
    @Test(
        arguments: [
            (0, "1970-01-01"), (59, "1970-03-01"), (11_016, "2000-02-29"), (11_017, "2000-03-01"),
            (20_513, "2026-03-01"), (20_778, "2026-11-21"), (47_540, "2100-02-28"),
            (47_541, "2100-03-01"), (2_932_896, "9999-12-31"),
        ])
    func `days are written by the calendar, and read back`(number: Int, text: String) {
        #expect(SalesDay(number: number).text == text)
        #expect(SalesDay(text)?.number == number)
    }

    @Test func `ten years of days agree with Foundation's calendar`() {
        var calendar = Calendar(identifier: .gregorian)
        calendar.timeZone = TimeZone(secondsFromGMT: 0)!
        for number in 20_000..<23_653 {
            let day = SalesDay(number: number)
            let parts = calendar.dateComponents([.year, .month, .day], from: day.start)
            let text = [parts.year!, parts.month!, parts.day!].map {
                $0 < 10 ? "0\($0)" : "\($0)"
            }.joined(separator: "-")
            #expect(day.text == text)
            #expect(SalesDay(text) == day)
        }
    }

    @Test(arguments: [
        "2026-02-29", "2026-04-31", "2026-13-01", "2026-00-10", "2026-01-00", "1969-12-31",
        "26-01-01", "2026-1-1", "2026/01/01", "2026-01-01 ", "+026-01-01", "2026-01-0٣", "", "-",
        "20260101", "2026-01-01-01",
    ])
    func `anything else is no day`(text: String) {
        #expect(SalesDay(text) == nil)
    }

    @Test func `a day lasts until the next one begins`() {
        let day = SalesDay("2026-11-21")!
        #expect(SalesDay(day.start) == day)
        #expect(SalesDay(day.start.addingTimeInterval(86_399.999)) == day)
        #expect(SalesDay(day.start.addingTimeInterval(86_400)) == day.advanced(by: 1))
        #expect(SalesDay(Date(timeIntervalSince1970: -1)).text == "1969-12-31")
    }
}
