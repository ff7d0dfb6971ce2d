import Foundation
@testable import StoreCore
import StoreModel
import Testing

/// What happens, and what a publisher's server hears of it. The lives of subscriptions, refunds,
/// families and extensions have suites of their own; here is what these leave out, and whether
/// together they leave anything out.
@Suite(.usesDrivers) struct NotificationKindTests {
    @Test(arguments: StoreDriver.all)
    func `renewing switched off and on again is told twice`(driver: StoreDriver) async throws {
        let fixture = try await SubscriberShop(driver)
        let id = try await fixture.buy().id
        try await fixture.management.setRenews(false, of: id, by: fixture.shop.ada.id)
        try await fixture.management.setRenews(false, of: id, by: fixture.shop.ada.id)
        try await fixture.management.setRenews(true, of: id, by: fixture.shop.ada.id)
        #expect(
            try await fixture.told() == [
                "SUBSCRIBED/INITIAL_BUY", "DID_CHANGE_RENEWAL_STATUS/AUTO_RENEW_DISABLED",
                "DID_CHANGE_RENEWAL_STATUS/AUTO_RENEW_ENABLED",
            ])
    }

    @Test(arguments: StoreDriver.all)
    func `a downgrade that is taken back has no subtype`(driver: StoreDriver) async throws {
        let fixture = try await SubscriberShop(driver)
        let id = try await fixture.buy(SubscriberShop.premium).id
        let ada = fixture.shop.ada.id
        try await fixture.management.setRenewalProduct(SubscriberShop.monthly, of: id, by: ada)
        try await fixture.management.setRenewalProduct(SubscriberShop.premium, of: id, by: ada)
        #expect(
            try await fixture.told() == [
                "SUBSCRIBED/INITIAL_BUY", "DID_CHANGE_RENEWAL_PREF/DOWNGRADE",
                "DID_CHANGE_RENEWAL_PREF",
            ])
    }

    @Test(arguments: StoreDriver.all, [true, false, nil])
    func `a price increase is told when it is asked about and when it is agreed to`(
        driver: StoreDriver, answer: Bool?
    ) async throws {
        let fixture = try await SubscriberShop(driver)
        try await fixture.buy()
        let consent = try await fixture.ask()
        if let answer {
            try await fixture.answer(consent, agreed: answer)
            // Only the first answer counts.
            #expect(
                try await !fixture.offers.answerConsent(
                    consent.id, agreed: true, by: fixture.shop.ada, in: fixture.shop.app))
        }
        try await fixture.wait(SubscriberShop.month)
        let told = try await fixture.told()
        #expect(told.prefix(2) == ["SUBSCRIBED/INITIAL_BUY", "PRICE_INCREASE/PENDING"])
        #expect(
            told.dropFirst(2)
                == (answer == true
                    ? ["PRICE_INCREASE/ACCEPTED", "DID_RENEW"]
                    : answer == false
                        ? [
                            "DID_CHANGE_RENEWAL_STATUS/AUTO_RENEW_DISABLED",
                            "EXPIRED/PRICE_INCREASE",
                        ]
                        : ["EXPIRED/PRICE_INCREASE"]))
        let statuses = try await fixture.notifications().prefix(3).map {
            $0.details.facts.renewal?.priceIncrease
        }
        #expect(statuses == [nil, .unanswered, answer == true ? .agreed : .unanswered])
    }

    @Test(arguments: StoreDriver.all)
    func `a price is no matter for who does not subscribe`(driver: StoreDriver) async throws {
        let fixture = try await SubscriberShop(driver)
        for product in [SubscriberShop.monthly, SeededShop.chapter] {
            _ = try await fixture.offers.askConsent(
                PriceConsentDraft(
                    account: fixture.shop.ada.id, app: fixture.shop.app.id, productID: product,
                    currentPrice: Money(thousandths: 990, currency: "USD"), newPrice: 1990))
        }
        #expect(try await fixture.told().isEmpty)
    }

    @Test(arguments: StoreDriver.all)
    func `a subscription that a request can't extend is told of`(
        driver: StoreDriver
    ) async throws {
        let fixture = try await SubscriberShop(driver)
        try await fixture.buy()
        for number in 1...3 {
            let isKnown = try await fixture.extensions.begin(
                MassExtension(
                    app: fixture.shop.app.id, environment: .sandbox, request: "request-\(number)",
                    product: SubscriberShop.monthly, days: 1, reason: .outage, storefronts: nil,
                    date: fixture.clock.now()))
            #expect(isKnown)
            try await fixture.extensions.advance()
        }
        // Twice within a year is enough.
        #expect(
            try await fixture.told() == [
                "SUBSCRIBED/INITIAL_BUY", "RENEWAL_EXTENDED", "RENEWAL_EXTENSION/SUMMARY",
                "RENEWAL_EXTENDED", "RENEWAL_EXTENSION/SUMMARY", "RENEWAL_EXTENSION/FAILURE",
                "RENEWAL_EXTENSION/SUMMARY",
            ])
        let summary = try #require(try await fixture.notifications().last?.details.facts.summary)
        #expect(summary.succeeded == 0 && summary.failed == 1 && summary.storefronts.isEmpty)
    }

    @Test(arguments: StoreDriver.all)
    func `only who gave a URL of version 2 is told anything`(driver: StoreDriver) async throws {
        for url in [nil, StatusURL(url: "https://example.com/", version: .v1)] {
            let fixture = try await SubscriberShop(driver)
            try await fixture.database.write { [app = fixture.shop.app.id] repositories in
                var record = try #require(try repositories.apps.record(app))
                record.attributes.sandboxStatusURL = url
                try repositories.apps.update(record)
            }
            try await fixture.buy()
            try await fixture.buy(SeededShop.chapter, 2)
            #expect(try await fixture.told().isEmpty)
            #expect(
                try await fixture.database.read { try $0.notifications.nextDue() } == nil)
        }
    }

    /// Types without subtypes say so; the rest say which they have.
    @Test func `a subtype belongs to its type`() {
        let caused: [(NotificationType, NotificationSubtype?)] = [
            (.subscribed, .initialBuy), (.subscribed, .resubscribe),
            (.didChangeRenewalPreference, .upgrade), (.didChangeRenewalPreference, .downgrade),
            (.didChangeRenewalPreference, nil), (.didChangeRenewalStatus, .autoRenewEnabled),
            (.didChangeRenewalStatus, .autoRenewDisabled), (.didRenew, nil),
            (.didRenew, .billingRecovery), (.expired, .voluntary), (.expired, .billingRetry),
            (.expired, .priceIncrease), (.expired, .productNotForSale), (.didFailToRenew, nil),
            (.didFailToRenew, .gracePeriod), (.gracePeriodExpired, nil),
            (.priceIncrease, .pending), (.priceIncrease, .accepted), (.refund, nil),
            (.refundDeclined, nil), (.refundReversed, nil), (.consumptionRequest, nil),
            (.renewalExtended, nil), (.renewalExtension, .summary), (.renewalExtension, .failure),
            (.revoke, nil), (.oneTimeCharge, nil), (.test, nil),
        ]
        for (type, subtype) in caused where subtype != nil {
            #expect(type.subtypes.contains(subtype!))
        }
        // Apple's store has these for offers on subscriptions, for purchases outside of it, for
        // families' consent, for moved subscriptions and for its commerce API.
        let others: Set<NotificationType> = [
            .offerRedeemed, .externalPurchaseToken, .rescindConsent, .metadataUpdate, .migration,
            .priceChange,
        ]
        #expect(
            Set(caused.map(\.0)).union(others) == Set(NotificationType.allCases)
                && others.isDisjoint(with: caused.map(\.0)))
    }
}

extension SubscriberShop {
    /// What the publisher's server is told, oldest first.
    func notifications(
        in environment: StoreEnvironment = .sandbox
    ) async throws -> [StoreNotification] {
        let app = shop.app.id
        return try await database.read {
            try $0.notifications.notifications(
                of: app, in: environment, NotificationQuery(), after: nil, newestFirst: false,
                limit: 1000)
        }
    }
}
