import Foundation
@testable import StoreKit
import StoreCore
import StoreModel
import StoreServer
import StoreTestSupport
import Testing

/// What the store tells an app beside transactions, and what an app asks it for.
struct StoreMessageTests {
    @Test func `an account of another country is told by updates of the storefront`() async throws {
        let store = try await TestStore()
        let device = try await TestDevice(store)
        try await device.device.signedIn()
        _ = try await device.all { Transaction.all }
        var updates = device.loop { StoreKit.Storefront.updates }
        try await device.device.signIn(
            email: TestStore.japanese, password: TestStore.password)
        let storefront = try #require(await device.use { await updates.next() })
        #expect(storefront.countryCode == "JPN")
        #expect(storefront.id == "143462")
        #expect(storefront.currency?.identifier == "JPY")
        #expect(await device.use { await StoreKit.Storefront.current?.countryCode } == "JPN")
        await device.engine.close()
    }

    @Test func `a question about a price is a message while the app loops over messages`()
        async throws
    {
        let store = try await TestStore()
        let device = try await TestDevice(store, listens: true)
        try await device.device.signedIn()
        var messages = device.loop { Message.messages }
        _ = try await device.all { Transaction.all }
        try await device.untilListening()
        try await store.askConsent(SampleShop.credits, newPrice: 1990)
        #expect(
            await device.use { await messages.next() } == Message(reason: .priceIncreaseConsent))
        #expect(try await store.openConsents() == 1)
        await device.engine.close()
    }

    @Test func `a purchase that began in the store is an intent, and waits for a loop`()
        async throws
    {
        let store = try await TestStore()
        let device = try await TestDevice(store, listens: true)
        try await device.device.signedIn()
        _ = try await device.all { Transaction.all }
        try await device.untilListening()
        try await store.beginStorePayment(SampleShop.badge)
        try await device.untilHeard(try await store.store.database.lastEvent())
        var intents = device.loop { PurchaseIntent.intents }
        let intent = try #require(await device.use { await intents.next() })
        #expect(intent.id == SampleShop.badge)
        let result = try await device.use { try await intent.product.purchase() }
        guard case .success = result else {
            Issue.record("\(result)")
            return
        }
        #expect(try await device.entitlements() == [SampleShop.badge])
        await device.engine.close()
    }

    @Test func `a request for a refund is taken once, and the refund comes through updates`()
        async throws
    {
        let store = try await TestStore()
        let device = try await TestDevice(store, listens: true)
        let bought = try #require(try await device.purchase(SampleShop.badge))
        await device.use { await bought.finish() }
        #expect(
            try await device.use { try await bought.openStoreBeginRefundRequest(reason: .legal) }
                == .success)
        await #expect(throws: Transaction.RefundRequestError.duplicateRequest) {
            try await device.use { try await bought.openStoreBeginRefundRequest(reason: .legal) }
        }
        try await device.untilListening()
        async let update = device.updates(1)
        let refunds = store.store.services.refunds
        let id = try #require(TransactionID(bought.id.description))
        let request = try #require(
            try await store.store.database.read { try $0.refunds.lastRequest(for: id) })
        try await refunds.decide(
            request.id, .refunded(percentage: Revocation.everything), grounds: "The law.")
        #expect(try await update.first?.revocationDate != nil)
        await device.engine.close()
    }

    @Test func `sync asks for the password, and fetches what the account has bought elsewhere`()
        async throws
    {
        let store = try await TestStore()
        let other = try await TestDevice(store)
        _ = try #require(try await other.purchase(SampleShop.badge))
        await other.engine.close()
        let device = try await TestDevice(store)
        #expect(try await device.entitlements().isEmpty)
        try await device.use { try await AppStore.sync() }
        #expect(try await device.entitlements() == [SampleShop.badge])
        await device.engine.close()

        let customer = OpenStoreScriptedSheet(confirm: { _ in false }, signIn: { _ in nil })
        let unwilling = try await TestDevice(store, customer: customer)
        await #expect {
            try await unwilling.use { try await AppStore.sync() }
        } throws: { error in
            if case StoreKitError.userCancelled = error { true } else { false }
        }
        await unwilling.engine.close()
    }

    @Test func `each group that was subscribed to has its statuses, and eligibility`() async throws
    {
        let store = try await TestStore()
        let device = try await TestDevice(store)
        #expect(
            try await device.use { try await SubscriptionInfo.status(for: "1") }.isEmpty)
        let bought = try #require(try await device.purchase(SampleShop.monthly))
        let group = try #require(bought.subscriptionGroupID)
        let groups = await device.use {
            var groups: [String: [SubscriptionRenewalState]] = [:]
            for await entry in SubscriptionInfo.Status.all {
                groups[entry.groupID] = entry.statuses.map(\.state)
            }
            return groups
        }
        #expect(groups == [group: [.subscribed]])
        let found = try await device.use {
            try await SubscriptionInfo.status(transactionID: bought.id)
        }
        #expect(found?.transaction.unsafePayloadValue.originalID == bought.originalID)
        // Who subscribes has no right to an introductory offer; of another group it may have one.
        #expect(
            await device.use { await !SubscriptionInfo.isEligibleForIntroOffer(for: group) })
        #expect(
            await device.use { await SubscriptionInfo.isEligibleForIntroOffer(for: "another") })
        await device.engine.close()
    }

    @Test func `what a family shares takes no introductory offer away`() async throws {
        let store = try await TestStore()
        try await store.setShareable(SampleShop.monthly)
        try await store.store.services.families.add(
            TestStore.japanese, toFamilyOf: TestStore.american, in: .sandbox)
        let payer = try await TestDevice(store)
        let bought = try #require(try await payer.purchase(SampleShop.monthly))
        let group = try #require(bought.subscriptionGroupID)
        let member = try await TestDevice(store, email: TestStore.japanese)
        try await member.use {
            try await AppStore.sync()
            #expect(try await SubscriptionInfo.status(for: group).map(\.state) == [.subscribed])
            #expect(await SubscriptionInfo.isEligibleForIntroOffer(for: group))
        }
        for device in [payer, member] { await device.engine.close() }
    }
}
