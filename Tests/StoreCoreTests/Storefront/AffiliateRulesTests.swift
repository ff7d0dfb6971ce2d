import Foundation
import StoreModel
import Testing

@testable import StoreCore

@Suite struct AffiliateRulesTests {
    private static func affiliate(_ basisPoints: Int, isActive: Bool = true) -> Affiliate {
        Affiliate(
            id: 3, token: "11lAda", name: "Ada", email: "ada@example.com",
            basisPoints: basisPoints, isActive: isActive, created: Date(timeIntervalSince1970: 0))
    }

    @Test(arguments: [
        (700, 990, "USD", 60), (700, 120_000, "JPY", 8000), (10_000, 990, "USD", 990),
        (0, 990, "USD", 0), (700, 0, "USD", 0), (1, 990, "USD", 0), (250, 990, "KWD", 24),
        (700, Int64.max, "USD", 645_636_042_579_834_300),
    ])
    func `the share is rounded down to what can be paid`(
        basisPoints: Int, price: Int64, currency: String, commission: Int64
    ) {
        let credit = AffiliateCredit(
            Self.affiliate(basisPoints), for: Money(thousandths: price, currency: currency),
            buyer: "grace@example.com")
        #expect(
            credit
                == AffiliateCredit(
                    affiliate: 3,
                    commission: Money(thousandths: commission, currency: currency)))
    }

    @Test func `who is not active earns nothing`() {
        let price = Money(thousandths: 990, currency: "USD")
        #expect(
            AffiliateCredit(
                Self.affiliate(700, isActive: false), for: price, buyer: "grace@example.com")
                == nil)
    }

    @Test func `who follows a link of their own earns nothing`() {
        let price = Money(thousandths: 990, currency: "USD")
        #expect(AffiliateCredit(Self.affiliate(700), for: price, buyer: "ada@example.com") == nil)
    }

    @Test(arguments: [
        ("11lAda", true), ("abcd", true), ("abc", false), ("", false), ("a b c", false),
        ("abcé", false), ("abc'--", false), (String(repeating: "a", count: 20), true),
        (String(repeating: "a", count: 21), false), ("ab\0cd", false), ("ａｂｃｄ", false),
    ])
    func `a token is letters and digits`(token: String, isOne: Bool) {
        #expect(AffiliateRules.isToken(token) == isOne)
        #expect(Referral(affiliateToken: token).checked.affiliateToken == (isOne ? token : nil))
    }

    @Test(arguments: [
        ("spring", true), ("with space", true), ("été", true), ("", false), ("a\nb", false),
        (String(repeating: "c", count: 40), true), (String(repeating: "c", count: 41), false),
        // 40 bytes are fewer characters than 40.
        (String(repeating: "é", count: 21), false), ("=HYPERLINK(1)", true),
    ])
    func `a campaign has at most 40 bytes that can be seen`(campaign: String, isOne: Bool) {
        let checked = Referral(
            affiliateToken: "11lAda", campaign: campaign, provider: "no-provider"
        ).checked
        #expect(checked.campaign == (isOne ? campaign : nil))
        // What is wrong takes nothing else with it.
        #expect(checked.affiliateToken == "11lAda")
        #expect(checked.provider == nil)
    }

    @Test func `the file of a report is a table that no spreadsheet computes`() throws {
        var affiliate = Self.affiliate(700)
        affiliate.name = "Ada, \"the\" Affiliate"
        let day = try #require(CalendarDay("2026-11-21"))
        let lines = [
            AffiliateReportLine(
                affiliate: affiliate, campaign: "=1+1", day: day, sales: 2, refunds: 0,
                revenue: Money(thousandths: 1980, currency: "USD"),
                commission: Money(thousandths: 120, currency: "USD")),
            AffiliateReportLine(
                affiliate: affiliate, campaign: "", day: day, sales: 0, refunds: 1,
                revenue: Money(thousandths: -990, currency: "USD"),
                commission: Money(thousandths: -60, currency: "USD")),
        ]
        #expect(
            AffiliateReport.csv(lines)
                == [
                    "Day,Affiliate,Token,Campaign,Sales,Refunds,Currency,Revenue,Commission",
                    "2026-11-21,\"Ada, \"\"the\"\" Affiliate\",11lAda,'=1+1,2,0,USD,1.98,0.12",
                    "2026-11-21,\"Ada, \"\"the\"\" Affiliate\",11lAda,,0,1,USD,-0.99,-0.06", "",
                ].joined(separator: "\r\n"))
        #expect(AffiliateReport.csv([]).hasSuffix("Commission\r\n"))
    }
}
