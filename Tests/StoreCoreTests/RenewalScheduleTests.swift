import Foundation
import StoreCore
import StoreModel
import Testing

/// When periods of subscriptions end.
struct RenewalScheduleTests {
    /// The ends of periods one behind the other, as days.
    private func ends(
        from start: String, _ unit: SubscriptionPeriod.Unit, _ count: Int
    ) throws -> [String] {
        var date = try #require(CalendarDay(start)).beginning
        var anchorDay = RenewalSchedule.dayOfMonth(date)
        return (0..<count).map { _ in
            let period = SubscriptionPeriod(unit: unit, count: 1)
            date = RenewalSchedule.calendar.end(of: period, from: date, anchorDay: anchorDay)
            anchorDay = RenewalSchedule.anchorDay(behind: date, before: anchorDay)
            return CalendarDay(of: date)?.description ?? ""
        }
    }

    @Test func `what begins at the end of a month ends at the end of months`() throws {
        #expect(
            try ends(from: "2027-01-31", .month, 4)
                == ["2027-02-28", "2027-03-31", "2027-04-30", "2027-05-31"])
        #expect(
            try ends(from: "2027-01-29", .month, 3) == ["2027-02-28", "2027-03-29", "2027-04-29"])
        #expect(
            try ends(from: "2028-02-29", .year, 4)
                == ["2029-02-28", "2030-02-28", "2031-02-28", "2032-02-29"])
        #expect(try ends(from: "2027-02-28", .month, 2) == ["2027-03-28", "2027-04-28"])
    }

    @Test func `a day that something else has moved stays where it is`() throws {
        let moved = try #require(CalendarDay("2027-03-03")).beginning
        let end = RenewalSchedule.calendar.end(
            of: SubscriptionPeriod(unit: .month, count: 1), from: moved, anchorDay: 31)
        #expect(CalendarDay(of: end)?.description == "2027-04-03")
        #expect(RenewalSchedule.anchorDay(behind: end, before: 31) == 3)
        // A week of trial moves the day as well.
        let week = RenewalSchedule.calendar.end(
            of: SubscriptionPeriod(unit: .week, count: 1), from: moved, anchorDay: 31)
        #expect(CalendarDay(of: week)?.description == "2027-03-10")
    }
}
