import Foundation
import StoreModel
import Testing

@Suite struct CalendarDayTests {
    @Test(arguments: ["2016-01-17", "2024-02-29", "2000-02-29", "1970-01-01", "9999-12-31"])
    func `days are read and written alike`(_ text: String) {
        #expect(CalendarDay(text)?.description == text)
    }

    @Test(arguments: [
        "", "2016-1-17", "2016-01-32", "2016-13-01", "2016-00-10", "2016-01-00", "2023-02-29",
        "1900-02-29", "2016/01/17", "2016-01-17T00:00:00", "+016-01-17", "16-01-17", "0000-01-01",
        "２016-01-17", "2026-04-31", "2026-01-3 ",
    ])
    func `what is no day is none`(_ text: String) {
        #expect(CalendarDay(text) == nil)
    }

    @Test(
        arguments: [
            ("1970-01-01", 0), ("1969-12-31", -86_400), ("2000-02-29", 951_782_400),
            ("2027-03-01", 1_803_859_200), ("9999-12-31", 253_402_214_400),
            ("0001-01-01", -62_135_596_800),
        ] as [(String, Double)])
    func `a day begins at midnight in UTC`(text: String, seconds: Double) throws {
        let day = try #require(CalendarDay(text))
        #expect(day.beginning == Date(timeIntervalSince1970: seconds))
        #expect(CalendarDay(of: day.beginning) == day)
        #expect(CalendarDay(of: day.beginning.addingTimeInterval(86_399.5)) == day)
    }

    @Test func `each day follows the one before it`() throws {
        var date = try #require(CalendarDay("1999-01-01")).beginning
        var last: CalendarDay?
        for _ in 0..<3000 {
            let day = try #require(CalendarDay(of: date))
            #expect(day.beginning == date)
            #expect(last.map { $0 < day } ?? true)
            last = day
            date.addTimeInterval(86_400)
        }
        #expect(CalendarDay(of: Date(timeIntervalSince1970: 253_402_300_800)) == nil)
        #expect(CalendarDay(of: .distantPast.addingTimeInterval(-86_400)) == nil)
    }
}
