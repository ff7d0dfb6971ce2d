import Foundation
import StoreCore
import StoreModel
import StoreTestSupport
import Testing

/// Rows that can't be dealt with, on both databases.
@Suite(.usesDrivers) struct SetAsideTests {
    @Test(arguments: CheckedDatabase.Kind.allCases)
    func `a row that can't be dealt with is set aside with its reason, and keeps no other waiting`(
        kind: CheckedDatabase.Kind
    ) async throws {
        let place = try CheckedDatabase(kind)
        let shop = try await SubscriberShop(place.driver)
        let grace = shop.shop.grace
        var requests: [RefundRequest] = []
        for (number, product) in [SeededShop.chapter, SeededShop.product(of: .consumable)]
            .enumerated()
        {
            let bought = try await shop.buy(product, number + 1)
            requests.append(
                try await shop.refunds.ask(bought.id, of: nil, reason: .other, comment: "").get())
        }
        try await shop.buy(SubscriberShop.monthly, 3)
        try await shop.buy(SubscriberShop.monthly, 4, by: grace)
        let told = try await shop.notifications().count
        let unlocked =
            kind == .sqlite
            ? "DROP TRIGGER notification_is_constant;" : "SET session_replication_role = replica;"
        try await place.run(
            """
            \(unlocked)
            UPDATE notification SET facts = '{' WHERE id = (SELECT min(id) FROM notification);
            UPDATE refund_request SET environment = 'Moon'
                WHERE id = (SELECT min(id) FROM refund_request);
            UPDATE subscription SET environment = 'Moon'
                WHERE original = (SELECT min(original) FROM subscription)
            """)
        #expect(try await shop.notifications().count == told - 1)
        let dispatch = NotificationDispatch(database: shop.database, clock: shop.clock)
        let taken = try await dispatch.take(limit: 100) { _ in 100 }
        #expect(taken.count == told - 1)
        shop.clock.advance(by: SubscriberShop.month)
        await #expect(throws: RowsSetAside.self) { try await shop.refunds.advance() }
        await #expect(throws: RowsSetAside.self) { try await shop.renewals.advance() }
        #expect(try await shop.refunds.request(requests[1].id)?.decision != nil)
        #expect(try await shop.subscription(of: grace)?.renewals == 1)
        // They are tried once.
        try await shop.refunds.advance()
        #expect(try await shop.renewals.advance() == 0)
        let rows = try place.inspection.setAsideRows()
        #expect(rows.map(\.what) == ["notification", "refund request", "subscription"])
        #expect(rows.dropFirst().allSatisfy { $0.reason.contains("Moon") }, "\(rows)")
    }

    @Test(arguments: CheckedDatabase.Kind.allCases)
    func `a subscription that can't be made longer keeps no other waiting, nor another app`(
        kind: CheckedDatabase.Kind
    ) async throws {
        let place = try CheckedDatabase(kind)
        let shop = try await SubscriberShop(place.driver)
        let broken = try await shop.buy(SubscriberShop.monthly, 1)
        let good = try await shop.buy(SubscriberShop.monthly, 2, by: shop.shop.grace)
        func work(_ name: String, _ environment: StoreEnvironment = .sandbox) -> MassExtension {
            MassExtension(
                app: shop.shop.app.id, environment: environment, request: name,
                product: SubscriberShop.monthly, days: 2, reason: .outage, storefronts: nil,
                date: shop.clock.now())
        }
        #expect(try await shop.extensions.begin(work("first")))
        #expect(try await shop.extensions.begin(work("second")))
        let unlocked = kind == .sqlite ? "" : "SET session_replication_role = replica;"
        try await place.run(
            "\(unlocked) UPDATE subscription SET renewal_product_id = '' "
                + "WHERE original = \(broken.id)")
        await #expect(throws: RowsSetAside.self) { try await shop.extensions.advance() }
        for name in ["first", "second"] {
            let done = try await shop.extensions.massExtension(
                name, product: SubscriberShop.monthly.text, app: shop.shop.app.id, in: .sandbox)
            #expect(done?.succeeded == 1 && done?.failed == 1 && done?.completion != nil)
        }
        #expect(
            try await shop.record(good.id)?.facts.expiration
                == good.facts.expiration?.addingTimeInterval(4 * 86_400))
        #expect(try place.inspection.setAsideRows().map(\.what) == ["subscription"])
        try await shop.extensions.advance()
    }

    @Test(arguments: StoreDriver.all)
    func `nothing is renewed or decided while the clock can't be believed`(
        driver: StoreDriver
    ) async throws {
        let shop = try await SubscriberShop(driver)
        let bought = try await shop.buy(SeededShop.chapter)
        let asked = try await shop.refunds.ask(
            bought.id, of: nil, reason: .other, comment: ""
        ).get()
        try await shop.buy(SubscriberShop.monthly, 2)
        shop.clock.advance(by: 5 * 365 * 86_400)
        #expect(try await shop.renewals.advance { nil } == 0)
        try await shop.refunds.advance { nil }
        #expect(try await shop.subscription()?.renewals == 0)
        #expect(try await shop.refunds.request(asked.id)?.decision == nil)
    }
}
