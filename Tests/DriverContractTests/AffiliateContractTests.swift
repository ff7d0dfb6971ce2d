import Foundation
import StoreModel
import StoreTestSupport
import Testing

@testable import StoreCore

/// Who sends customers is credited, at the share of that day.
@Suite(.usesDrivers) struct AffiliateContractTests {
    private func affiliate(
        _ token: String, in fixture: ItemSaleFixture, basisPoints: Int = 700
    ) async throws -> Affiliate {
        try await fixture.affiliates.create(
            name: "Ada", email: "Ada@Example.com ", basisPoints: basisPoints, token: token,
            by: .machine)
    }

    @Test(arguments: StoreDriver.all)
    func `affiliates are made, changed and listed`(driver: StoreDriver) async throws {
        let fixture = try await ItemSaleFixture(driver)
        let first = try await affiliate("11lAda", in: fixture)
        #expect(
            first
                == Affiliate(
                    id: first.id, token: "11lAda", name: "Ada", email: "ada@example.com",
                    basisPoints: 700, isActive: true, created: fixture.clock.now()))
        let second = try await fixture.affiliates.create(
            name: "Grace", email: "grace@example.com", basisPoints: 0, token: nil, by: .machine)
        #expect(second.token == "token123")
        let changed = try await fixture.affiliates.change(
            first.id, name: "Ada L.", basisPoints: 500, isActive: false, by: .machine)
        #expect(changed.name == "Ada L.")
        #expect(changed.email == first.email)
        #expect(try await fixture.affiliates.affiliate(first.id, by: .machine) == changed)
        let page = try await fixture.affiliates.page(PageRequest(limit: 1), by: .machine)
        #expect(page.items == [changed])
        #expect(page.total == 2)
        #expect(
            try await fixture.affiliates.page(
                PageRequest(limit: 1, cursor: page.next), by: .machine
            ).items == [second])
        #expect(
            try await fixture.log().map { "\($0.action) \($0.before ?? "-") > \($0.after ?? "-")" }
                == [
                    "affiliate.create - > Ada <ada@example.com>, 7 %",
                    "affiliate.create - > Grace <grace@example.com>, 0 %",
                    "affiliate.update Ada <ada@example.com>, 7 % > "
                        + "Ada L. <ada@example.com>, 5 %, not credited",
                ])
    }

    @Test(arguments: StoreDriver.all)
    func `what is wrong with an affiliate is said`(driver: StoreDriver) async throws {
        let fixture = try await ItemSaleFixture(driver)
        let known = try await affiliate("11lAda", in: fixture)
        let before = try await fixture.log().count
        let service = fixture.affiliates
        func make(
            _ name: String = "Eve", _ email: String = "eve@example.com", _ share: Int = 700,
            _ token: String = "11lEve", by actor: ConnectActor = .machine
        ) async throws -> String? {
            try await refusal(ConnectRefusal.self) {
                _ = try await service.create(
                    name: name, email: email, basisPoints: share, token: token, by: actor)
            }?.rule
        }
        #expect(try await make("") == "textMissing")
        #expect(try await make("Eve", "eve") == "emailMalformed")
        #expect(try await make("Eve", "eve@example.com", 10_001) == "affiliateShare")
        #expect(try await make("Eve", "eve@example.com", -1) == "affiliateShare")
        #expect(try await make("Eve", "eve@example.com", 1, "a b") == "affiliateToken")
        #expect(try await make("Eve", "eve@example.com", 1, "11lAda") == "affiliateTokenTaken")
        #expect(try await make("Eve", "eve@example.com", 1, "11LADA") == "affiliateTokenTaken")
        #expect(try await make(by: fixture.member(.accountHolder)) == "role")
        #expect(try await make(by: ItemSaleFixture.reviewer) == "role")
        let unknown = try await refusal(ConnectRefusal.self) {
            _ = try await service.change(999, name: "x", by: .machine)
        }
        #expect(unknown?.rule == "notFound")
        let day = try #require(CalendarDay("2026-11-21"))
        let earlier = try #require(CalendarDay("2026-11-20"))
        let longAgo = try #require(CalendarDay("2025-11-20"))
        for (id, first, last, rule) in [
            (nil, day, earlier, "reportRangeBackwards"), (nil, longAgo, day, "reportRangeTooLong"),
            (known.id + 1, day, day, "notFound"),
        ] as [(Int64?, CalendarDay, CalendarDay, String)] {
            let refused = try await refusal(ConnectRefusal.self) {
                _ = try await service.report(of: id, from: first, to: last, by: .machine)
            }
            #expect(refused?.rule == rule)
        }
        #expect(try await fixture.log().count == before)
    }

    @Test(arguments: StoreDriver.all)
    func `a sale is credited at the share of that day`(driver: StoreDriver) async throws {
        let fixture = try await ItemSaleFixture(driver)
        let ada = try await affiliate("11lAda", in: fixture)
        let link = Referral(affiliateToken: "11lAda", campaign: "spring")
        let sale = try await fixture.buy(fixture.book, by: fixture.ada, referral: link)
        #expect(sale.affiliate == ada.id)
        #expect(sale.commission == Money(thousandths: 60, currency: "USD"))
        #expect(sale.referral == link)
        _ = try await fixture.affiliates.change(ada.id, basisPoints: 5000, by: .machine)
        #expect(try await fixture.sales.owned(fixture.book, by: fixture.ada.id) == sale)
        // Letters are those of the token, unknown ones and those of others earn nothing.
        for (number, token) in ["11LADA", "unknown", "no token!"].enumerated() {
            let item = [fixture.song, fixture.album, fixture.otherBook][number]
            let other = try await fixture.buy(
                item, by: fixture.grace, referral: Referral(affiliateToken: token))
            #expect(other.affiliate == nil)
            #expect(other.commission == nil)
            #expect(other.referral.affiliateToken == (number == 2 ? nil : token))
        }
        // Nobody earns by what they buy themselves.
        _ = try await fixture.affiliates.change(ada.id, email: fixture.grace.email, by: .machine)
        let own = try await fixture.buy(fixture.app, by: fixture.grace, referral: link)
        #expect(own.affiliate == nil && own.commission == nil && own.referral == link)
        _ = try await fixture.affiliates.change(ada.id, isActive: false, by: .machine)
        let late = try await fixture.buy(fixture.song, by: fixture.ada, referral: link)
        #expect(late.affiliate == nil)
    }

    @Test(arguments: StoreDriver.all)
    func `the report adds up by affiliate, campaign, day and currency`(
        driver: StoreDriver
    ) async throws {
        let fixture = try await ItemSaleFixture(driver)
        let ada = try await affiliate("11lAda", in: fixture)
        let eve = try await affiliate("11lEve", in: fixture, basisPoints: 10_000)
        let first = try #require(CalendarDay(of: fixture.clock.now()))
        func link(_ token: String, _ campaign: String? = nil) -> Referral {
            Referral(affiliateToken: token, campaign: campaign)
        }
        let book = try await fixture.buy(
            fixture.book, by: fixture.ada, referral: link("11lAda", "spring"))
        try await fixture.buy(fixture.song, by: fixture.ada, referral: link("11lAda", "spring"))
        try await fixture.buy(fixture.app, by: fixture.ada, referral: link("11lAda"))
        try await fixture.buy(fixture.otherBook, by: fixture.grace, referral: link("11lEve"))
        try await fixture.buy(fixture.song, by: fixture.grace, referral: link("nobody"))
        // Testers pay nothing, so nobody earns anything.
        try await fixture.buy(fixture.book, by: fixture.tester, referral: link("11lAda", "spring"))
        fixture.clock.advance(by: 86_400)
        let second = try #require(CalendarDay(of: fixture.clock.now()))
        try await fixture.sales.refund(book.id, by: .machine)
        try await fixture.buy(fixture.book, by: fixture.ada, referral: link("11lAda", "spring"))
        func line(
            _ affiliate: Affiliate, _ campaign: String, _ day: CalendarDay, _ sales: Int,
            _ refunds: Int, _ revenue: Int64, _ commission: Int64
        ) -> AffiliateReportLine {
            AffiliateReportLine(
                affiliate: affiliate, campaign: campaign, day: day, sales: sales,
                refunds: refunds, revenue: Money(thousandths: revenue, currency: "USD"),
                commission: Money(thousandths: commission, currency: "USD"))
        }
        let expected = [
            line(ada, "", first, 1, 0, 0, 0), line(ada, "spring", first, 2, 0, 1980, 120),
            line(ada, "spring", second, 1, 1, 0, 0), line(eve, "", first, 1, 0, 990, 990),
        ]
        func report(_ id: Int64?, _ from: CalendarDay, _ to: CalendarDay) async throws
            -> [AffiliateReportLine]
        {
            try await fixture.affiliates.report(of: id, from: from, to: to, by: .machine)
        }
        #expect(try await report(nil, first, second) == expected)
        #expect(try await report(ada.id, first, second) == Array(expected.prefix(3)))
        #expect(try await report(nil, second, second) == [expected[2]])
        #expect(try await report(eve.id, second, second) == [])
        // A refund without a sale on the same day is below zero.
        fixture.clock.advance(by: 86_400)
        let third = try #require(CalendarDay(of: fixture.clock.now()))
        let again = try #require(
            try await fixture.sales.owned(fixture.book, by: fixture.ada.id))
        try await fixture.sales.refund(again.id, by: .machine)
        #expect(
            try await report(nil, third, third) == [line(ada, "spring", third, 0, 1, -990, -60)])
    }
}
