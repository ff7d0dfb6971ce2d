import Foundation
import StoreCore
import Testing

@Suite struct ClockRulesTests {
    private static let now = Date(timeIntervalSince1970: 1_800_000_000)
    private static let day: TimeInterval = 86_400

    private static func date(_ seconds: TimeInterval) -> Date { now.addingTimeInterval(seconds) }

    private static let cases: [(Date?, Date?, ClockRules.Verdict)] = [
        (nil, nil, .fits), (date(-60), nil, .fits), (date(-day), date(299), .fits),
        (date(-day - 1), nil, .ahead(of: date(-day - 1))),
        (date(-60), date(-301), .apart(from: date(-301))),
        (nil, date(301), .apart(from: date(301))),
        (date(5 * 365 * day), nil, .behind(date(5 * 365 * day))),
    ]

    @Test(arguments: cases)
    func `a clock fits what is known, or is said to be ahead, behind or apart`(
        known: Date?, server: Date?, verdict: ClockRules.Verdict
    ) {
        #expect(ClockRules.verdict(on: Self.now, known: known, server: server) == verdict)
    }

    @Test func `the further a clock has jumped, the longer it has to run evenly`() {
        let days = [2.0, 100, 2000].map {
            ClockRules.patience(for: Self.now, known: Self.date(-$0 * Self.day))
        }
        #expect(days == [3600, 8640, 172_800])
    }
}
