import Foundation
import StoreCore
import StoreModel
import Testing

/// What customers and Connect read of purchases, refunds and families, over the database.
@Suite(.usesDrivers) struct OrderContractTests {
    private func orders(_ shop: SubscriberShop) -> OrderService {
        OrderService(database: shop.database, clock: shop.clock)
    }

    @Test(arguments: StoreDriver.all)
    func `an account's orders are read page by page, the newest first`(
        driver: StoreDriver
    ) async throws {
        let shop = try await SubscriberShop(driver)
        let ada = shop.shop.ada
        var bought: [TransactionID] = []
        for number in 1...5 {
            bought.append(
                try await shop.buy(SeededShop.product(of: .consumable), number).id)
        }
        try await shop.buy(SubscriberShop.monthly, 6, by: shop.shop.grace)
        let orders = orders(shop)
        let first = try await orders.orders(of: ada, PageRequest(limit: 3))
        #expect(first.items.map(\.record.id) == bought.suffix(3).reversed())
        let second = try await orders.orders(
            of: ada, PageRequest(limit: 3, cursor: first.next))
        #expect(second.items.map(\.record.id) == bought.prefix(2).reversed())
        #expect(second.next == nil)
        await #expect(throws: ConnectRefusal.self) {
            try await orders.orders(of: ada, PageRequest(limit: 3, cursor: "x"))
        }
        let one = try #require(
            try await orders.order(OrderID(bought[0]), of: ada))
        #expect(one.title == "Title" && one.appName == "Shop" && one.status == .bought)
        #expect(one.refusal == nil)
        #expect(try await orders.order(OrderID(bought[0]), of: shop.shop.grace) == nil)
        _ = try await shop.refunds.ask(bought[0], of: nil, reason: .other, comment: "").get()
        let waiting = try #require(try await orders.order(one.id, of: ada))
        #expect(waiting.status == .waiting && waiting.refusal == .waiting)
        // What was cleared is gone.
        try await shop.database.write {
            try $0.testers.recordClearing(of: ada.id, at: shop.clock.now())
        }
        #expect(try await orders.orders(of: ada, PageRequest(limit: 3)).items.isEmpty)
        #expect(try await orders.order(one.id, of: ada) == nil)
    }

    @Test(arguments: StoreDriver.all)
    func
        `a comment that is too long or has control characters is refused, and so is what was given back once`(
            driver: StoreDriver
        ) async throws
    {
        let shop = try await SubscriberShop(driver)
        let record = try await shop.buy(SeededShop.chapter)
        let long = String(repeating: "e\u{301}", count: RefundRules.commentLimit / 2)
        #expect(
            try await shop.refunds.ask(record.id, of: nil, reason: .other, comment: long + "!")
                == .failure(.commentTooLong))
        #expect(
            try await shop.refunds.ask(record.id, of: nil, reason: .other, comment: "no\0thing")
                == .failure(.commentCharacters))
        let request = try await shop.refunds.ask(
            record.id, of: nil, reason: .other, comment: "\(long.dropLast())\r\n"
        ).get()
        #expect(request.comment == long.dropLast())
        try await shop.refunds.decide(
            request.id, .refunded(percentage: 100_000), grounds: "So be it.")
        try await shop.refunds.reverse(record.id)
        #expect(
            try await shop.refunds.ask(record.id, of: nil, reason: .legal, comment: "")
                == .failure(.reversed))
    }

    @Test(arguments: StoreDriver.all)
    func `Connect lists requests by team, app, environment and state`(
        driver: StoreDriver
    ) async throws {
        let shop = try await SubscriberShop(driver)
        let app = shop.shop.app
        var ids: [RefundRequestID] = []
        for number in 1...3 {
            let record = try await shop.buy(SeededShop.product(of: .consumable), number)
            ids.append(
                try await shop.refunds.ask(
                    record.id, of: nil, reason: .unintended, comment: "By mistake."
                ).get().id)
        }
        let support = Self.actor(.customerSupport, of: app.teamID)
        func found(_ query: RefundQuery, _ actor: ConnectActor? = nil) async throws
            -> [RefundRequestID]
        {
            try await shop.refunds.cases(query, PageRequest(limit: 10), by: actor ?? support)
                .items.map(\.id)
        }
        _ = try await shop.refunds.decide(
            ids[1], .declined, grounds: " It was meant. ", by: .machine)
        #expect(try await found(RefundQuery()) == ids.reversed())
        #expect(try await found(RefundQuery(isWaiting: true)) == [ids[2], ids[0]])
        #expect(try await found(RefundQuery(isWaiting: false)) == [ids[1]])
        #expect(try await found(RefundQuery(app: app.id)) == ids.reversed())
        #expect(try await found(RefundQuery(app: shop.shop.otherApp.id)).isEmpty)
        #expect(try await found(RefundQuery(environment: .production)).isEmpty)
        #expect(try await found(RefundQuery(), Self.actor(.admin, of: app.teamID + 1)).isEmpty)
        let page = try await shop.refunds.cases(
            RefundQuery(), PageRequest(limit: 2), by: .machine)
        #expect(page.items.map(\.id) == [ids[2], ids[1]])
        let next = try await shop.refunds.cases(
            RefundQuery(), PageRequest(limit: 2, cursor: page.next), by: .machine)
        #expect(next.items.map(\.id) == [ids[0]] && next.next == nil)
        // Who it is, and what they wrote, is for those who decide.
        #expect(page.items.map(\.customer?.comment) == ["By mistake.", "By mistake."])
        #expect(
            try await shop.refunds.refundCase(ids[1], by: support).customer == nil)
        #expect(
            try await shop.refunds.refundCase(ids[1], by: support).decision?.grounds
                == "It was meant.")
    }

    @Test(arguments: StoreDriver.all)
    func `only the operator decides and reverses, and the log has it`(
        driver: StoreDriver
    ) async throws {
        let shop = try await SubscriberShop(driver)
        let team = shop.shop.app.teamID
        let record = try await shop.buy(SeededShop.chapter)
        let request = try await shop.refunds.ask(
            record.id, of: nil, reason: .other, comment: ""
        ).get()
        for role in ConnectRole.allCases where role != .operator {
            let actor = Self.actor(role, of: role.isStaff ? nil : team)
            let decided = try await refusingRule {
                try await shop.refunds.decide(
                    request.id, .declined, grounds: "No.", by: actor)
            }
            let reversed = try await refusingRule {
                try await shop.refunds.reverse(record.id, by: actor)
            }
            #expect(decided == "role" && reversed == "role", "\(role)")
        }
        let looking = try await refusingRule {
            _ = try await shop.refunds.refundCase(
                request.id, by: Self.actor(.marketing, of: team))
        }
        #expect(looking == "role")
        let notRefunded = try await refusingRule {
            try await shop.refunds.reverse(record.id, by: .machine)
        }
        #expect(notRefunded == "purchaseNotRefunded")
        try await shop.refunds.decide(
            request.id, .refunded(percentage: 100_000), grounds: "So be it.", by: .machine)
        let twice = try await refusingRule {
            try await shop.refunds.decide(request.id, .declined, grounds: "No.", by: .machine)
        }
        #expect(twice == "refundDecided")
        try await shop.refunds.reverse(record.id, by: .machine)
        #expect(
            try await shop.refunds.refundCase(request.id, by: .machine).state == .reversed)
        let entries = try await shop.database.read {
            try $0.audit.entries(team: team, before: nil, limit: 10).map(\.entry)
        }
        #expect(entries.map(\.action) == ["refund.reverse", "refund.grant"])
        #expect(entries.map(\.after) == [nil, "So be it."])
        #expect(entries.map(\.actor) == ["command line", "command line"])
    }

    @Test(arguments: StoreDriver.all)
    func `who leaves a family is told what goes, and only the organizer takes others out`(
        driver: StoreDriver
    ) async throws {
        let shop = try await SubscriberShop(driver, isShared: true)
        let (ada, grace) = (shop.shop.ada, shop.shop.grace)
        try await shop.families.add(grace.email, toFamilyOf: ada.email, in: .sandbox)
        try await shop.buy(SeededShop.chapter)
        try await shop.buy(SubscriberShop.monthly, 2)
        let service = shop.families
        let leaving = try await service.departure(of: grace.id, by: grace)
        #expect(leaving.lost.map(\.appName) == ["Shop"] && leaving.taken.isEmpty)
        #expect(!leaving.endsFamily)
        let subscriptions = try await orders(shop).familySubscriptions(of: grace)
        #expect(subscriptions.map(\.status) == [.shared])
        let ending = try await service.departure(of: ada.id, by: ada)
        #expect(ending.endsFamily && ending.lost.isEmpty && ending.taken.count == 1)
        let customer = shop.shop.customer
        for (member, account) in [(ada, grace), (grace, customer), (customer, ada)] {
            await #expect(throws: FamilyRefusal.notInFamily(account.email)) {
                try await service.departure(of: member.id, by: account)
            }
            await #expect(throws: FamilyRefusal.notInFamily(account.email)) {
                try await service.remove(member.id, by: account)
            }
        }
        #expect(try await service.household(of: grace.id)?.everybody.count == 2)
        try await service.remove(grace.id, by: ada)
        #expect(try await service.household(of: ada.id) == nil)
        #expect(try await orders(shop).familySubscriptions(of: grace).isEmpty)
    }

    @Test(arguments: StoreDriver.all)
    func `a subscription that was cancelled goes on with what is chosen, if it is sold`(
        driver: StoreDriver
    ) async throws {
        let shop = try await SubscriberShop(driver)
        let record = try await shop.buy()
        let ada = shop.shop.ada
        try await shop.management.setRenews(false, of: record.id, by: ada.id)
        let changed = try await shop.management.setRenewalProduct(
            SubscriberShop.yearly, of: record.id, by: ada.id, renews: true)
        #expect(changed.renews && changed.renewalProduct == SubscriberShop.yearly)
        #expect(
            try await shop.told().suffix(2).contains("DID_CHANGE_RENEWAL_STATUS/AUTO_RENEW_ENABLED")
        )
        try await shop.database.write { repositories in
            var product = try #require(
                try repositories.catalog.product(SubscriberShop.premium, in: shop.shop.app.id)
            ).details
            product.prices = PriceSchedule(dictionaryLiteral: ("JPN", 990_000))
            try repositories.catalog.save(product, in: shop.shop.app.id)
        }
        await #expect(
            throws: SubscriptionChangeRefusal.notInGroup(SubscriberShop.premium.text)
        ) {
            try await shop.management.setRenewalProduct(
                SubscriberShop.premium, of: record.id, by: ada.id)
        }
        let managed = try #require(
            try await shop.management.subscription(record.id, of: ada.id))
        #expect(
            managed.choices.map(\.details.productID) == [
                SubscriberShop.monthly, SubscriberShop.yearly,
            ])
        #expect(try await shop.management.subscription(record.id, of: shop.shop.grace.id) == nil)
        #expect(try await shop.management.subscriptions(of: ada.id) == [managed])
    }

    @Test(arguments: StoreDriver.all)
    func `going over to a better product is an upgrade, wherever it is asked for`(
        driver: StoreDriver
    ) async throws {
        let shop = try await SubscriberShop(driver)
        let ada = shop.shop.ada.id
        let first = try await shop.buy()
        func upgrade(_ price: Int64? = nil) async throws -> Subscription {
            try await shop.management.setRenewalProduct(
                SubscriberShop.premium, of: first.id, by: ada,
                expecting: price.map { Money(thousandths: $0, currency: "USD") })
        }
        let price = Money(thousandths: 1990, currency: "USD")
        await #expect(throws: SubscriptionChangeRefusal.priceChanged(price)) {
            try await upgrade(990)
        }
        try await shop.setPayments(.next)
        await #expect(throws: SubscriptionChangeRefusal.paymentDeclined) { try await upgrade() }
        #expect(try await shop.subscription()?.product == SubscriberShop.monthly)
        let upgraded = try await upgrade(1990)
        #expect(upgraded.product == SubscriberShop.premium && upgraded.renews)
        #expect(upgraded.original.id == first.id && upgraded.latest != first.id)
        #expect(upgraded.expiration == shop.clock.now().addingTimeInterval(SubscriberShop.month))
        let sold = try #require(try await shop.record(upgraded.latest))
        #expect(sold.entry.details.charged == price)
        #expect(try await shop.record(first.id)?.facts.isUpgraded == true)
        #expect(
            try await shop.told() == ["SUBSCRIBED/INITIAL_BUY", "DID_CHANGE_RENEWAL_PREF/UPGRADE"])
        // It is had already: nothing more is charged.
        #expect(try await upgrade().latest == upgraded.latest)
        try await shop.wait(SubscriberShop.month)
        #expect(try await shop.subscription()?.product == SubscriberShop.premium)
    }

    private static func actor(_ role: ConnectRole, of team: Int64?) -> ConnectActor {
        ConnectActor(
            kind: .person(PersonID(number: 1), email: "eve@example.com"), team: team,
            roles: [role])
    }
}
