import Foundation
@testable import StoreCore
import StoreModel
import StoreTestSupport
import Testing

/// Testers who follow a clock of their own.
@Suite(.usesDrivers) struct SandboxClockContractTests {
    /// A shop with Ada and Grace, who are testers.
    private struct Fixture {
        let shop: SubscriberShop
        let woken = WokenDevices()

        init(_ driver: StoreDriver) async throws {
            shop = try await SubscriberShop(driver)
            shop.database.whenDevicesHaveNews(woken.note)
        }

        /// - Parameter end: until when what is signed can be verified.
        func clocks(end: Date = .distantFuture) -> SandboxClockService {
            SandboxClockService(
                database: shop.database, clock: shop.clock, latest: { end }, sleep: { _ in })
        }

        var actor: ConnectActor {
            ConnectActor(kind: .machine, team: shop.shop.app.teamID, roles: [.developer])
        }

        func clock(
            _ followers: SandboxClockFollower..., name: String = "Autumn", at date: Date? = nil
        ) async throws -> SandboxClock {
            try await clocks().create(
                SandboxClockDraft(name: name, date: date, followers: Set(followers)), by: actor
            ).clock
        }

        /// Buys at the time of the account, as devices do.
        func buy(_ number: Int = 1, by account: Account? = nil) async throws -> TransactionRecord {
            try await shop.database.atTime(of: account ?? shop.shop.ada, in: shop.shop.app.id) {
                try await shop.buy(SubscriberShop.monthly, number, by: account)
            }
        }

        @discardableResult
        func advance(
            _ clock: SandboxClock, by seconds: TimeInterval
        ) async throws -> SandboxClockService.Shown {
            let shown = try await clocks().clock(clock.id, by: actor)
            return try await clocks().advance(
                clock.id, to: shown.clock.date.addingTimeInterval(seconds), by: actor)
        }
    }

    @Test(arguments: StoreDriver.all)
    func `a subscription is renewed, tried again and ended by the clock, each step at its date`(
        driver: StoreDriver
    ) async throws {
        let fixture = try await Fixture(driver)
        let shop = fixture.shop
        let start = shop.clock.now()
        let clock = try await fixture.clock(.tester(shop.shop.ada.id))
        #expect(clock.date == start)
        let first = try await fixture.buy()
        // The store's own time changes nothing.
        try await shop.wait(86_400)
        #expect(try await shop.history().count == 1)
        #expect(try await shop.renewals.nextDue() == nil)
        #expect(fixture.woken.taken() == [[shop.shop.ada.id]])

        let shown = try await fixture.advance(clock, by: 3 * SubscriberShop.month)
        #expect(shown.clock.date == start.addingTimeInterval(900))
        let history = try await shop.history()
        #expect(
            history.map(\.entry.details.date) == [0, 300, 600, 900].map(start.addingTimeInterval))
        // Three periods, and the clock's new date.
        #expect(fixture.woken.taken() == Array(repeating: [shop.shop.ada.id], count: 4))
        try await shop.management.setRenews(false, of: first.id, by: shop.shop.ada.id)
        try await fixture.advance(clock, by: 2 * SubscriberShop.month)
        #expect(try await shop.subscription()?.state == .expired)
        let told = try await shop.database.read {
            try $0.notifications.notifications(
                of: shop.shop.app.id, in: .sandbox, NotificationQuery(), after: nil,
                newestFirst: false, limit: 100)
        }
        #expect(
            told.map(\.details.type) == [
                .subscribed, .didRenew, .didRenew, .didRenew, .didChangeRenewalStatus, .expired,
            ])
        #expect(
            told.map(\.date) == [0, 300, 600, 900, 900, 1200].map(start.addingTimeInterval),
            "dated by the clock")
        // To be sent at once, whatever the clock says.
        #expect(told.allSatisfy { $0.status.due.map { $0 <= shop.clock.now() } ?? false })
    }

    @Test(arguments: StoreDriver.all)
    func `a failed payment is tried again by the clock, and a refund is dated by it`(
        driver: StoreDriver
    ) async throws {
        let fixture = try await Fixture(driver)
        let shop = fixture.shop
        let clock = try await fixture.clock(
            .tester(shop.shop.ada.id), at: shop.clock.now().addingTimeInterval(1_000_000))
        let first = try await fixture.buy()
        #expect(first.entry.details.date == clock.date)
        try await shop.setPayments(.next)
        try await fixture.advance(clock, by: SubscriberShop.month)
        #expect(try await shop.subscription()?.state == .retry)
        try await fixture.advance(clock, by: 60)
        #expect(try await shop.subscription()?.state == .active)
        let latest = try #require(try await shop.history().last)
        _ = try await shop.purchases.revoke(latest.id, reason: .other)
        let revoked = try #require(try await shop.record(latest.id)?.facts.revocation)
        #expect(revoked.date == clock.date.addingTimeInterval(360))
        #expect(try await shop.told().last == "REFUND")
    }

    @Test(arguments: StoreDriver.all)
    func `a clock of an app is followed by all its testers but those with one of their own`(
        driver: StoreDriver
    ) async throws {
        let fixture = try await Fixture(driver)
        let shop = fixture.shop
        let app = try await fixture.clock(.app(shop.shop.app.id), name: "App")
        let own = try await fixture.clock(.tester(shop.shop.grace.id), name: "Grace")
        _ = try await fixture.buy()
        _ = try await fixture.buy(2, by: shop.shop.grace)
        try await fixture.advance(app, by: SubscriberShop.month)
        #expect(try await shop.history().count == 2)
        #expect(try await shop.history(of: shop.shop.grace).count == 1)
        try await fixture.advance(own, by: SubscriberShop.month)
        #expect(try await shop.history(of: shop.shop.grace).count == 2)
        #expect(
            try await fixture.clocks().clock(app.id, by: fixture.actor).apps == [shop.shop.app.id])
    }

    @Test(arguments: StoreDriver.all)
    func `with a clock the history goes that lies in the future, and nothing else`(
        driver: StoreDriver
    ) async throws {
        let fixture = try await Fixture(driver)
        let shop = fixture.shop
        let (ada, grace) = (shop.shop.ada, shop.shop.grace)
        let clock = try await fixture.clock(.tester(ada.id), .tester(grace.id))
        _ = try await fixture.buy()
        _ = fixture.woken.taken()
        try await fixture.clocks().delete(clock.id, by: fixture.actor)
        let cleared = try await shop.database.read { repositories in
            try [ada, grace].map { try repositories.testers.lastCleared(of: $0.id) }
        }
        #expect(cleared[0] != nil && cleared[1] == nil)
        #expect(fixture.woken.taken() == [[ada.id]])
        #expect(try await shop.history().isEmpty)
        let bought = try await fixture.buy(3)
        #expect(bought.entry.details.date == shop.clock.now())
        try await shop.wait(SubscriberShop.month)
        #expect(try await shop.history().count == 2, "the store's time counts again")
        let page = try await fixture.clocks().clocks(PageRequest(limit: 10), by: fixture.actor)
        #expect(page.items.isEmpty)
    }

    @Test(arguments: StoreDriver.all)
    func `what a clock can't do is refused, and changes nothing`(driver: StoreDriver) async throws {
        let fixture = try await Fixture(driver)
        let shop = fixture.shop
        let clocks = fixture.clocks(end: shop.clock.now().addingTimeInterval(1000))
        let ada: SandboxClockFollower = .tester(shop.shop.ada.id)
        let clock = try await fixture.clock(ada)
        func refused(_ body: () async throws -> Void) async throws -> String {
            try await refusingRule(body)
        }
        func create(
            _ followers: Set<SandboxClockFollower>, named name: String = "Winter",
            at seconds: TimeInterval? = nil, by actor: ConnectActor? = nil
        ) async throws {
            _ = try await clocks.create(
                SandboxClockDraft(
                    name: name, date: seconds.map(shop.clock.now().addingTimeInterval),
                    followers: followers), by: actor ?? fixture.actor)
        }
        let grace: SandboxClockFollower = .tester(shop.shop.grace.id)
        #expect(try await refused { try await create([ada]) } == "clockFollowed")
        #expect(
            try await refused { try await create([grace], named: "Autumn") } == "clockNameTaken")
        #expect(try await refused { try await create([grace], named: "A\u{7}") } == "clockName")
        #expect(try await refused { try await create([]) } == "clockFollowers")
        #expect(try await refused { try await create([grace], named: " ") } == "clockName")
        #expect(try await refused { try await create([grace], at: -1) } == "clockBack")
        #expect(try await refused { try await create([grace], at: 1001) } == "clockTooLate")
        #expect(
            try await refused { try await create([.tester(AccountID(number: 99))]) } == "notFound")
        #expect(try await refused { try await create([.app(AppID(number: 99))]) } == "notFound")
        let stranger = ConnectActor(
            kind: .machine, team: shop.shop.app.teamID + 1, roles: [.admin])
        #expect(
            try await refused { _ = try await clocks.clock(clock.id, by: stranger) } == "notFound")
        #expect(
            try await refused { try await clocks.delete(clock.id, by: stranger) } == "notFound")
        let finance = ConnectActor(
            kind: .machine, team: shop.shop.app.teamID, roles: [.finance])
        #expect(
            try await refused { _ = try await clocks.clock(clock.id, by: finance) } == "role")
        for seconds in [-1.0, 1001] {
            let rule = try await refused {
                _ = try await clocks.advance(
                    clock.id, to: clock.date.addingTimeInterval(seconds), by: fixture.actor)
            }
            #expect(rule == (seconds < 0 ? "clockBack" : "clockTooLate"))
        }
        let left = try await clocks.clocks(PageRequest(limit: 10), by: fixture.actor)
        #expect(left.items.map(\.clock) == [clock])
    }

    @Test(arguments: StoreDriver.all)
    func `a clock is nothing to customers of the production store, nor to other teams' testers`(
        driver: StoreDriver
    ) async throws {
        let fixture = try await Fixture(driver)
        let shop = fixture.shop
        let (app, now) = (shop.shop.app, shop.clock.now())
        _ = try await fixture.clock(.app(app.id), at: now.addingTimeInterval(86_400))
        let (customer, stranger) = try await shop.database.write { repositories in
            let customer = try repositories.accounts.insert(
                AccountDraft(
                    environment: .production, email: "cleo@example.com", passwordHash: "x",
                    storefront: .unitedStates), at: now)
            let other = try repositories.catalog.save(
                TeamDraft(name: "Others", hasPaidAgreement: true))
            let stranger = try repositories.accounts.insert(
                AccountDraft(
                    environment: .sandbox, email: "stan@example.com", passwordHash: "x",
                    storefront: .unitedStates), at: now)
            try repositories.testers.insert(
                TesterProfile(team: other.id, firstName: "", lastName: "", secret: nil),
                of: stranger.id, at: now)
            return (customer, stranger)
        }
        for account in [customer, stranger] {
            let date = try await shop.database.read {
                try $0.sandboxClocks.date(for: .account(account.id, app: app.id))
            }
            #expect(date == nil)
        }
        let bought = try await fixture.buy(7, by: stranger)
        #expect(bought.entry.details.date == now)
        let date = try await shop.database.read {
            try $0.sandboxClocks.date(for: .buyer(of: bought.id))
        }
        #expect(date == nil)
    }

    @Test(arguments: StoreDriver.all)
    func `a refusal at a clock's time lets the store forget nobody's refusal`(
        driver: StoreDriver
    ) async throws {
        let fixture = try await Fixture(driver)
        let shop = fixture.shop
        _ = try await shop.order(SubscriberShop.monthly, 1, by: shop.shop.grace, price: 10)
        _ = try await fixture.clock(
            .tester(shop.shop.ada.id), at: shop.clock.now().addingTimeInterval(100 * 86_400))
        let refused = try await shop.database.atTime(of: shop.shop.ada, in: shop.shop.app.id) {
            try await shop.order(SubscriberShop.monthly, 2, price: 10)
        }
        guard case .failure(.priceChanged) = refused else {
            Issue.record("\(refused)")
            return
        }
        let late = try await shop.order(SubscriberShop.monthly, 1, by: shop.shop.grace)
        guard case .failure = late else {
            Issue.record("a refused key buys: \(late)")
            return
        }
    }

    @Test(arguments: StoreDriver.all)
    func `what followers leave behind stops no tester and no app from being deleted`(
        driver: StoreDriver
    ) async throws {
        let fixture = try await Fixture(driver)
        let shop = fixture.shop
        let clock = try await fixture.clock(.tester(shop.shop.ada.id), .app(shop.shop.app.id))
        try await shop.database.write { repositories in
            try repositories.testers.record(.deleted, of: shop.shop.ada.id, at: shop.clock.now())
        }
        #expect(try await fixture.clocks().clock(clock.id, by: fixture.actor).testers.isEmpty)
    }

    @Test(arguments: StoreDriver.all)
    func `a tester's own clock begins where the app's has been`(driver: StoreDriver) async throws {
        let fixture = try await Fixture(driver)
        let shop = fixture.shop
        let late = shop.clock.now().addingTimeInterval(86_400)
        let ada: SandboxClockFollower = .tester(shop.shop.ada.id)
        _ = try await fixture.clock(.app(shop.shop.app.id), name: "App", at: late)
        let rule = try await refusingRule {
            _ = try await fixture.clock(ada, at: late.addingTimeInterval(-1))
        }
        #expect(rule == "clockBack")
        #expect(try await fixture.clock(ada).date == late)
    }

    @Test(arguments: StoreDriver.all)
    func `a clock that begins later lets happen what falls due until then`(
        driver: StoreDriver
    ) async throws {
        let fixture = try await Fixture(driver)
        let shop = fixture.shop
        let start = shop.clock.now()
        _ = try await shop.buy()
        _ = try await fixture.clock(
            .tester(shop.shop.ada.id), at: start.addingTimeInterval(650))
        #expect(
            try await shop.history().map(\.entry.details.date)
                == [0, 300, 600].map(start.addingTimeInterval))
    }
}
