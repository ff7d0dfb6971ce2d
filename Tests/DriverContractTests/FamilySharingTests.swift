import Foundation
@testable import StoreCore
import StoreModel
import StoreTestSupport
import Testing

/// What families share, when it comes, and when it goes.
@Suite(.usesDrivers) struct FamilySharingTests {
    @Test(arguments: StoreDriver.all)
    func `who comes back has again what the family shares`(driver: StoreDriver) async throws {
        let shop = try await SubscriberShop(driver, isShared: true)
        let grace = shop.shop.grace
        let chapter = try await shop.buy(SeededShop.chapter)
        let monthly = try await shop.buy(SubscriberShop.monthly, 2)
        for round in 1...3 {
            try await shop.join(grace)
            let shares = try await shop.shares(of: grace)
            #expect(shares.map(\.shared) == [chapter.id, monthly.id])
            #expect(try await shop.history(of: grace).count == 2 * round)
            #expect(
                try await Set(shop.history(of: grace).map(\.entry.original.id)).count == round + 1,
                "a subscription that is shared again is the same")
            // Whoever has it is not given it twice.
            #expect(
                try await shop.database.read { try $0.families.shares(of: chapter.id).count } == 1)
            try await shop.families.remove(grace.email, in: .sandbox)
            #expect(try await shop.shares(of: grace).isEmpty)
        }
    }

    @Test(arguments: StoreDriver.all, [true, false])
    func `a refund that is undone gives the family its share, and goes on as it was wanted`(
        driver: StoreDriver, renews: Bool
    ) async throws {
        let shop = try await SubscriberShop(driver, isShared: true)
        let (ada, grace) = (shop.shop.ada, shop.shop.grace)
        try await shop.join(grace)
        let chapter = try await shop.buy(SeededShop.chapter)
        let monthly = try await shop.buy(SubscriberShop.monthly, 2)
        if !renews { try await shop.management.setRenews(false, of: monthly.id, by: ada.id) }
        for record in [chapter, monthly] {
            _ = try await shop.purchases.revoke(record.id, reason: .other)
        }
        let revoked = try #require(try await shop.subscription())
        #expect(revoked.state == .revoked && !revoked.isRenewing)
        #expect(try await shop.shares(of: grace).isEmpty)
        for record in [chapter, monthly] { try await shop.refunds.reverse(record.id) }
        #expect(try await shop.shares(of: grace).map(\.shared) == [chapter.id, monthly.id])
        let again = try #require(try await shop.subscription())
        #expect(again.state == .active && again.renews == renews)
        #expect(again.intent == (renews ? nil : .cancelled))
        try await shop.wait(SubscriberShop.month)
        #expect(try await shop.subscription()?.state == (renews ? .active : .expired))
        #expect(try await shop.shares(of: grace).count == (renews ? 2 : 1))
    }

    @Test(arguments: StoreDriver.all)
    func `a refund that is undone after the period's end charges nothing`(
        driver: StoreDriver
    ) async throws {
        let shop = try await SubscriberShop(driver)
        let monthly = try await shop.buy()
        _ = try await shop.purchases.revoke(monthly.id, reason: .other)
        try await shop.wait(SubscriberShop.month)
        try await shop.refunds.reverse(monthly.id)
        try await shop.wait(SubscriberShop.month)
        #expect(try await shop.subscription()?.state == .expired)
        #expect(try await shop.history().map(\.id) == [monthly.id])
    }

    @Test(arguments: StoreDriver.all)
    func `with who leaves goes what runs, and nothing that is over`(
        driver: StoreDriver
    ) async throws {
        let shop = try await SubscriberShop(driver, isShared: true)
        let (ada, grace) = (shop.shop.ada, shop.shop.grace)
        try await shop.join(grace)
        let chapter = try await shop.buy(SeededShop.chapter, 1, by: grace)
        let yearly = try await shop.buy(SubscriberShop.yearly, 2, by: grace)
        let premium = try await shop.buy(SubscriberShop.premium, 3, by: grace)
        try await shop.buy(SubscriberShop.monthly, 4)
        for _ in 1...3 { try await shop.wait(SubscriberShop.month) }
        let last = try #require(try await shop.subscription(of: grace)).latest
        #expect(last != premium.id)
        let before = try await shop.told()
        try await shop.families.remove(grace.email, in: .sandbox)
        let revoked = try await shop.history().filter { $0.facts.revocation != nil }
        #expect(Set(revoked.map(\.shared)) == [chapter.id, yearly.id, last])
        #expect(
            try await shop.history(of: grace).filter { $0.facts.revocation != nil }.count == 1)
        let told = try await shop.told().dropFirst(before.count)
        #expect(Array(told) == Array(repeating: "REVOKE", count: 4))
        #expect(try await shop.shares(of: ada).isEmpty)
    }

    @Test(arguments: StoreDriver.all)
    func `what somebody shared goes with them, also where their history was cleared`(
        driver: StoreDriver
    ) async throws {
        let shop = try await SubscriberShop(driver, isShared: true)
        let (ada, grace) = (shop.shop.ada, shop.shop.grace)
        try await shop.join(grace)
        try await shop.buy(SeededShop.chapter, 1, by: grace)
        try await shop.database.write {
            try $0.testers.recordClearing(of: grace.id, at: shop.clock.now())
        }
        #expect(try await shop.shares(of: ada).count == 1)
        try await shop.families.remove(grace.email, in: .sandbox)
        #expect(try await shop.shares(of: ada).isEmpty)
    }

    @Test(arguments: StoreDriver.all)
    func `who organized a family that has ended can join another`(
        driver: StoreDriver
    ) async throws {
        let shop = try await SubscriberShop(driver, isShared: true)
        let (ada, grace) = (shop.shop.ada, shop.shop.grace)
        for leaving in [grace, ada] {
            try await shop.join(grace)
            try await shop.families.remove(leaving.email, in: .sandbox)
            #expect(try await shop.families.families().isEmpty)
            await #expect(throws: FamilyRefusal.notInFamily(ada.email)) {
                try await shop.families.remove(ada.email, in: .sandbox)
            }
        }
        let family = try await shop.families.add(
            ada.email, toFamilyOf: grace.email, in: .sandbox)
        #expect(family.organizer == grace.id && family.members == [ada.id])
    }

    @Test(arguments: StoreDriver.all)
    func `a longer period is longer for the family`(driver: StoreDriver) async throws {
        let shop = try await SubscriberShop(driver, isShared: true)
        let grace = shop.shop.grace
        try await shop.join(grace)
        let monthly = try await shop.buy()
        let events = try await shop.events(of: grace)
        let longer = try await shop.extensions.extend(
            monthly.id, in: shop.shop.app.id, .sandbox,
            ExtensionService.Request(days: 90, reason: .outage, identifier: "one")
        ).get()
        #expect(try await shop.shares(of: grace).map(\.facts.expiration) == [longer.expiration])
        #expect(
            try await shop.events(of: grace).dropFirst(events.count) == [
                .subscription, .transactions,
            ])
    }

    @Test(arguments: StoreDriver.all)
    func `what was not paid for is not extended`(driver: StoreDriver) async throws {
        let shop = try await SubscriberShop(driver)
        try await shop.giveGrace("THREE_DAYS")
        let monthly = try await shop.buy()
        try await shop.setPayments(.all)
        try await shop.wait(SubscriberShop.month)
        let before = try await shop.subscription()
        #expect(before?.state == .grace)
        let extended = try await shop.extensions.extend(
            monthly.id, in: shop.shop.app.id, .sandbox,
            ExtensionService.Request(days: 1, reason: .outage, identifier: "one"))
        guard case .failure(.notActive) = extended else {
            Issue.record("extended: \(extended)")
            return
        }
        #expect(try await shop.subscription() == before)
    }

    @Test(arguments: StoreDriver.all)
    func `an upgrade to what is not shared takes the family's share away`(driver: StoreDriver)
        async throws
    {
        let shop = try await SubscriberShop(driver, isShared: true)
        try await shop.stopSharing(SubscriberShop.premium)
        let grace = shop.shop.grace
        try await shop.join(grace)
        try await shop.buy(SubscriberShop.monthly)
        #expect(try await shop.shares(of: grace).map(\.facts.revocation) == [nil])
        shop.clock.advance(by: SubscriberShop.month / 4)
        try await shop.buy(SubscriberShop.premium, 2)
        #expect(try await shop.shares(of: grace).isEmpty)
        let told = try await shop.notifications().filter { $0.details.account == grace.id }
        #expect(told.last?.details.type == .revoke)
    }

    @Test(arguments: StoreDriver.all)
    func `servers hear of what comes through a family as of what is bought`(
        driver: StoreDriver
    ) async throws {
        let shop = try await SubscriberShop(driver, isShared: true)
        let grace = shop.shop.grace
        try await shop.buy(SeededShop.chapter)
        try await shop.join(grace)
        try await shop.buy(SubscriberShop.monthly, 2)
        try await shop.wait(SubscriberShop.month)
        try await shop.families.remove(grace.email, in: .sandbox)
        try await shop.join(grace)
        let told = try await shop.notifications().filter { $0.details.account == grace.id }
        #expect(
            told.map { "\($0.details.type.rawValue)/\($0.details.subtype?.rawValue ?? "")" } == [
                "ONE_TIME_CHARGE/", "SUBSCRIBED/INITIAL_BUY", "DID_RENEW/", "REVOKE/", "REVOKE/",
                "ONE_TIME_CHARGE/", "SUBSCRIBED/RESUBSCRIBE",
            ])
        let shares = try await shop.history(of: grace)
        let first = try #require(shares.first { $0.group != nil }).entry.original.id
        let renewals = told.map(\.details.facts.renewal)
        #expect(
            renewals.map { $0?.originalID } == [nil, first, first, nil, first, nil, first])
        #expect(renewals.map { $0?.status } == [nil, 1, 1, nil, 5, nil, 1])
        #expect(renewals.allSatisfy { $0?.renewalPrice == nil })
    }

    @Test(arguments: StoreDriver.all)
    func `servers hear what becomes of a subscription for each member of the family`(
        driver: StoreDriver
    ) async throws {
        let shop = try await SubscriberShop(driver, isShared: true)
        let (ada, grace) = (shop.shop.ada, shop.shop.grace)
        try await shop.giveGrace("THREE_DAYS")
        try await shop.join(grace)
        let monthly = try await shop.buy()
        for renews in [false, true] {
            try await shop.management.setRenews(renews, of: monthly.id, by: ada.id)
        }
        _ = try await shop.extensions.extend(
            monthly.id, in: shop.shop.app.id, .sandbox,
            ExtensionService.Request(days: 1, reason: .outage, identifier: "one")
        ).get()
        try await shop.setPayments(.all)
        let end = try #require(try await shop.subscription()?.expiration)
        try await shop.wait(end.timeIntervalSince(shop.clock.now()))
        for _ in 0...30 { try await shop.wait(30) }
        let notifications = try await shop.notifications()
        func told(of account: Account) -> [String] {
            notifications.filter { $0.details.account == account.id }
                .map { "\($0.details.type.rawValue)/\($0.details.subtype?.rawValue ?? "")" }
        }
        #expect(
            told(of: ada) == [
                "SUBSCRIBED/INITIAL_BUY", "DID_CHANGE_RENEWAL_STATUS/AUTO_RENEW_DISABLED",
                "DID_CHANGE_RENEWAL_STATUS/AUTO_RENEW_ENABLED", "RENEWAL_EXTENDED/",
                "DID_FAIL_TO_RENEW/GRACE_PERIOD", "GRACE_PERIOD_EXPIRED/", "EXPIRED/BILLING_RETRY",
            ])
        #expect(told(of: grace) == told(of: ada))
        let facts = notifications.filter { $0.details.account == grace.id }.map(\.details.facts)
        #expect(facts.map { $0.renewal?.status } == [1, 1, 1, 1, 4, 3, 2])
        #expect(facts.map { $0.renewal?.renews } == [true, false, true, true, true, true, false])
        #expect(facts[3].transaction?.expiration == end)
        #expect(Set(facts.map { $0.renewal?.originalID }).count == 1)
    }

    @Test(arguments: StoreDriver.all)
    func `a family loses what goes on with a product that is not shared, and servers hear of it`(
        driver: StoreDriver
    ) async throws {
        let shop = try await SubscriberShop(driver, isShared: true)
        try await shop.stopSharing(SubscriberShop.monthly)
        let grace = shop.shop.grace
        try await shop.join(grace)
        try await shop.buy(SubscriberShop.premium)
        try await shop.buy(SubscriberShop.monthly, 2)
        try await shop.wait(SubscriberShop.month)
        #expect(try await shop.subscription()?.product == SubscriberShop.monthly)
        let told = try await shop.notifications().filter { $0.details.account == grace.id }
        #expect(
            told.map(\.details.type) == [.subscribed, .didChangeRenewalPreference, .expired])
        let renewal = try #require(told.last?.details.facts.renewal)
        #expect(renewal.status == 2 && !renewal.renews && renewal.intent == .other)
        #expect(try await shop.events(of: grace).last == .subscription)
    }

    @Test(arguments: StoreDriver.all)
    func `a family hears that who pays has left a failed payment for what is not shared`(
        driver: StoreDriver
    ) async throws {
        let shop = try await SubscriberShop(driver, isShared: true)
        try await shop.stopSharing(SubscriberShop.premium)
        let grace = shop.shop.grace
        try await shop.join(grace)
        try await shop.buy(SubscriberShop.monthly)
        try await shop.setPayments(.all)
        try await shop.wait(SubscriberShop.month)
        #expect(try await shop.subscription()?.state == .retry)
        try await shop.setPayments(.none)
        try await shop.buy(SubscriberShop.premium, 2)
        let told = try await shop.notifications().filter { $0.details.account == grace.id }
        #expect(told.map(\.details.type) == [.subscribed, .didFailToRenew, .expired])
        #expect(try await shop.events(of: grace).last == .subscription)
    }

    @Test(arguments: StoreDriver.all)
    func `servers hear of an upgrade and a recovery for each member as for who pays`(
        driver: StoreDriver
    ) async throws {
        let shop = try await SubscriberShop(driver, isShared: true)
        let (ada, grace) = (shop.shop.ada, shop.shop.grace)
        try await shop.join(grace)
        try await shop.buy()
        shop.clock.advance(by: 100)
        try await shop.buy(SubscriberShop.premium, 2)
        try await shop.setPayments(.all)
        try await shop.wait(SubscriberShop.month)
        try await shop.setPayments(.none)
        try await shop.wait(60)
        let notifications = try await shop.notifications()
        for account in [ada, grace] {
            #expect(
                notifications.filter { $0.details.account == account.id }
                    .map { "\($0.details.type.rawValue)/\($0.details.subtype?.rawValue ?? "")" }
                    == [
                        "SUBSCRIBED/INITIAL_BUY", "DID_CHANGE_RENEWAL_PREF/UPGRADE",
                        "DID_FAIL_TO_RENEW/", "DID_RENEW/BILLING_RECOVERY",
                    ])
        }
    }

    @Test(arguments: StoreDriver.all)
    func `what two share of the same product stays apart`(driver: StoreDriver) async throws {
        let shop = try await SubscriberShop(driver, isShared: true)
        let (ada, grace) = (shop.shop.ada, shop.shop.grace)
        let carol = try await shop.database.write {
            try $0.accounts.insert(
                AccountDraft(
                    environment: .sandbox, email: "carol@example.com", passwordHash: "",
                    storefront: .unitedStates), at: SeededShop.date)
        }
        try await shop.join(grace)
        try await shop.join(carol)
        try await shop.buy()
        shop.clock.advance(by: 100)
        try await shop.buy(SubscriberShop.monthly, 2, by: grace)
        #expect(try await Set(shop.shares(of: carol).map(\.entry.original.id)).count == 2)
        // Grace's is renewed last.
        try await shop.wait(200)
        try await shop.wait(100)
        #expect(try await Set(shop.shares(of: carol).map(\.entry.original.id)).count == 2)
        try await shop.families.remove(grace.email, in: .sandbox)
        let subject = HistorySubject(account: carol.id, app: shop.shop.app.id)
        let now = shop.clock.now()
        let statuses = try await shop.database.read {
            try UnitOfWork($0, now: now).subscriptionStatuses(of: subject).map(\.status)
        }
        #expect(statuses == [1, 5])
        #expect(try await shop.shares(of: ada).isEmpty)
    }
}

extension SubscriberShop {
    /// Takes an account into Ada's family.
    func join(_ account: Account) async throws {
        try await families.add(account.email, toFamilyOf: shop.ada.email, in: .sandbox)
    }

    /// Has a product not be shared any more.
    func stopSharing(_ id: ProductID) async throws {
        let app = shop.app.id
        try await database.write { repositories in
            var product = try #require(try repositories.catalog.product(id, in: app))
            product.details.isFamilyShareable = false
            try repositories.catalog.save(product.details, in: app)
        }
    }

    /// What an account has through its family.
    func shares(of account: Account) async throws -> [TransactionRecord] {
        let now = clock.now()
        return try await database.read { repositories in
            try repositories.families.sharesReceived(by: account.id, at: now)
                .compactMap { try repositories.transactions.record($0.id) }
        }
    }

    /// What an account's devices hear.
    func events(of account: Account) async throws -> [DeviceEventDraft.Kind] {
        let app = shop.app.id
        return try await database.read {
            try $0.events.events(
                account: account.id, in: .sandbox, app: app, after: DeviceEventID(number: 0),
                limit: 1000
            ).map(\.kind)
        }
    }
}
