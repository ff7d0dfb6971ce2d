import Foundation
import StoreSecurity
import StoreTestSupport
import Testing

@Suite struct ReceiptTimesTests {
    @Test(arguments: [
        ("2017-07-24 08:13:24 Etc/GMT", "1500884004000", "2017-07-24 01:13:24", 1_500_884_004.0),
        ("1970-01-01 00:00:00 Etc/GMT", "0", "1969-12-31 16:00:00", 0),
        ("1969-12-31 23:59:59 Etc/GMT", "-1", "1969-12-31 15:59:59", -0.001),
        ("2027-01-15 08:00:00 Etc/GMT", "1800000000999", "2027-01-15 00:00:00", 1_800_000_000.999),
        // Before and after the clocks there change.
        ("2026-03-08 09:59:59 Etc/GMT", "1772963999000", "2026-03-08 01:59:59", 1_772_963_999),
        ("2026-03-08 10:00:00 Etc/GMT", "1772964000000", "2026-03-08 03:00:00", 1_772_964_000),
        ("2026-11-01 08:59:59 Etc/GMT", "1793523599000", "2026-11-01 01:59:59", 1_793_523_599),
        ("2026-11-01 09:00:00 Etc/GMT", "1793523600000", "2026-11-01 01:00:00", 1_793_523_600),
        ("2024-02-29 12:00:00 Etc/GMT", "1709208000000", "2024-02-29 04:00:00", 1_709_208_000),
    ])
    func `a moment has three forms`(
        gmt: String, milliseconds: String, pacific: String, seconds: Double
    ) {
        let times = ReceiptTimes(Date(timeIntervalSince1970: seconds))
        #expect(times.gmt == gmt)
        #expect(times.milliseconds == milliseconds)
        #expect(times.pacific == pacific + " America/Los_Angeles")
    }

    @Test func `they are those of the calendar`() throws {
        var calendar = Calendar(identifier: .gregorian)
        calendar.timeZone = try #require(TimeZone(identifier: "America/Los_Angeles"))
        var numbers = SeededRandom(seed: 3)
        for _ in 0..<20_000 {
            let date = Date(
                timeIntervalSince1970: Double(
                    Int64.random(in: 0..<4_102_444_800_000, using: &numbers)) / 1000)
            let parts = calendar.dateComponents([.day, .hour, .minute, .second], from: date)
            let pacific = ReceiptTimes(date).pacific.prefix(19).dropFirst(8)
                .split { $0 == " " || $0 == ":" }.compactMap { Int($0) }
            #expect(
                pacific == [parts.day, parts.hour, parts.minute, parts.second].compactMap { $0 })
        }
    }
}
