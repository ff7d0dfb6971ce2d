import Foundation
@testable import StoreKit
import Testing

/// The arithmetic of RFC 9111 on values.
@Suite struct ProductIdentifiersFreshness {
    private static let start = Date(timeIntervalSince1970: 1_800_000_000)

    /// Fields of an answer that arrives two seconds after its request, and for how many
    /// seconds after that it is fresh; 0 for never.
    static let cases: [(fields: [String: String], seconds: TimeInterval)] = [
        ([:], 0),
        (["Cache-Control": "max-age=60"], 58),
        (["Cache-Control": "public, MAX-AGE=\"60\""], 58),
        (["Cache-Control": "max-age=60", "Age": "20"], 38),
        (["Cache-Control": "max-age=60", "Age": "not a number"], 58),
        (["Cache-Control": "max-age=60", "Age": "60"], 0),
        (["Cache-Control": "max-age=60", "Date": httpDate(start - 30)], 30),
        (["Cache-Control": "max-age=60", "Date": httpDate(start + 3600)], 58),
        (["Cache-Control": "max-age=60, max-age=10"], 58),
        (["Cache-Control": "max-age=-1"], 0),
        (["Cache-Control": "max-age=soon"], 0),
        (["Cache-Control": "max-age=60, no-cache"], 0),
        (["Cache-Control": "max-age=60", "Vary": "*"], 0),
        (["Cache-Control": "max-age=60", "Vary": "Accept"], 58),
        (["Cache-Control": "max-age=99999999999999999999999"], 31_535_998),
        (["Cache-Control": "s-maxage=600"], 0),
        (["Expires": httpDate(start + 40), "Date": httpDate(start)], 38),
        (["Expires": httpDate(start + 40)], 38),
        (["Expires": "0"], 0),
        (["Expires": "Sün, 06 Nov 2094 08:49:37 GMT"], 0),
        (["Cache-Control": "max-age=60", "Date": "\u{fffd}\u{1F600}"], 58),
        (["Expires": httpDate(start - 1)], 0),
        (["Expires": httpDate(start + 900), "Cache-Control": "max-age=60"], 58),
    ]

    @Test(arguments: cases.indices)
    func `a copy is fresh for as long as its fields say`(_ index: Int) {
        let (fields, seconds) = Self.cases[index]
        let freshness = Self.freshness(fields)
        if seconds > 0 { #expect(freshness.isFresh(at: Self.start + seconds - 1), "\(fields)") }
        #expect(!freshness.isFresh(at: Self.start + seconds), "\(fields)")
    }

    @Test func `a clock that was set back makes a copy old`() {
        let freshness = Self.freshness(["Cache-Control": "max-age=60"])
        #expect(freshness.isFresh(at: Self.start))
        #expect(!freshness.isFresh(at: Self.start - 1))
    }

    @Test(arguments: [
        ("no-store", true, false), ("max-age=5, No-Store", true, false),
        ("must-revalidate", false, true), ("no-cache", false, true),
        ("no-cache=\"Set-Cookie\"", false, true), ("private, max-age=5", false, false),
    ])
    func `what must not be kept, and what must not be used old`(
        _ field: String, _ forbidsStorage: Bool, _ forbidsStaleUse: Bool
    ) {
        let freshness = Self.freshness(["Cache-Control": field])
        #expect(freshness.forbidsStorage == forbidsStorage)
        #expect(freshness.forbidsStaleUse == forbidsStaleUse)
    }

    private static func freshness(_ fields: [String: String]) -> HTTPFreshness {
        HTTPFreshness(
            cacheControl: fields["Cache-Control"], expires: fields["Expires"],
            date: fields["Date"], age: fields["Age"], vary: fields["Vary"],
            requestTime: start - 2, responseTime: start)
    }
}
