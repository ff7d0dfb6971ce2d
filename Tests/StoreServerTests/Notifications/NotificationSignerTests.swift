import Foundation
@testable import StoreAPI
import StoreCore
import StoreModel
import StoreTestSupport
import StoreWire
import Testing

struct NotificationSignerTests {
    private let fixture: NotificationFixture
    private let publisher: PublisherServer

    init() async throws {
        fixture = try await NotificationFixture()
        publisher = try PublisherServer()
        try await fixture.send(to: publisher.url)
    }

    /// Has the American customer buy.
    private func buy(
        _ product: String, in environment: StoreEnvironment = .sandbox, key: Int = 1
    ) async throws -> LedgerEntry {
        try await fixture.buy(product, in: environment, key: key)
    }

    /// What the publisher's server has got, verified; several are sent at once, in no order.
    private func sent() async throws -> [NotificationPayload] {
        await fixture.delivery.sendDue()
        return try publisher.payloads().map(fixture.payload)
            .sorted { $0.notificationType < $1.notificationType }
    }

    @Test func `a purchase of what is no subscription tells of its transaction`() async throws {
        let entry = try await buy(SampleShop.badge)
        let payload = try #require(try await sent().first)
        #expect(payload.notificationType == "ONE_TIME_CHARGE" && payload.subtype == nil)
        #expect(payload.signedDate == fixture.clock.now().milliseconds)
        let data = try #require(payload.data)
        #expect(payload.summary == nil)
        #expect(data.environment == "Sandbox")
        // The sandbox has no number for apps.
        #expect(data.appAppleId == nil)
        #expect(data.bundleId == SampleShop.bundleID.text)
        #expect(data.status == nil && data.signedRenewalInfo == nil)
        let transaction = try fixture.decode(
            TransactionPayload.self, try #require(data.signedTransactionInfo))
        #expect(transaction.transactionId == entry.id)
        #expect(transaction.productId == SampleShop.badge)
        #expect(transaction.environment == "Sandbox")
        #expect(transaction.appAccountToken == "7c5dbbee-8a41-4a4c-8f1a-62b1f33e8f11")
        // The key of the purchase is the device's and nobody else's.
        #expect(transaction.purchaseKey == nil)
    }

    @Test func `a subscription comes with its renewal information and status`() async throws {
        let entry = try await buy(SampleShop.monthly, in: .production)
        let payload = try #require(try await sent().first)
        #expect(payload.notificationType == "SUBSCRIBED" && payload.subtype == "INITIAL_BUY")
        let data = try #require(payload.data)
        #expect(data.environment == "Production")
        #expect(data.appAppleId == fixture.app.id.number)
        #expect(data.status == 1)
        let transaction = try fixture.decode(
            TransactionPayload.self, try #require(data.signedTransactionInfo))
        let renewal = try fixture.decode(
            RenewalPayload.self, try #require(data.signedRenewalInfo))
        #expect(transaction.expiresDate == renewal.renewalDate)
        #expect(renewal.originalTransactionId == entry.id)
        #expect(renewal.autoRenewStatus == 1 && renewal.environment == "Production")
    }

    @Test func `what is sent late says what was so at its date`() async throws {
        let entry = try await buy(SampleShop.badge)
        fixture.clock.advance(by: 60)
        _ = try await fixture.shop.store.services.purchases.revoke(entry.id, reason: .other)
        fixture.clock.advance(by: 60)
        let payloads = try await sent()
        #expect(payloads.map(\.notificationType) == ["ONE_TIME_CHARGE", "REFUND"])
        let transactions = try payloads.map { payload in
            try fixture.decode(
                TransactionPayload.self, try #require(payload.data?.signedTransactionInfo))
        }
        #expect(
            transactions.map(\.revocationDate)
                == [nil, entry.details.date.milliseconds + 60_000])
        // It is signed when it is sent, by what is in force then.
        #expect(transactions.allSatisfy { $0.signedDate == fixture.clock.now().milliseconds })
    }

    @Test func `a summary stands instead of data`() async throws {
        _ = try await buy(SampleShop.monthly)
        let services = fixture.shop.store.services
        let isKnown = try await services.extensions.begin(
            MassExtension(
                app: fixture.app.id, environment: .sandbox, request: "request-1",
                product: ProductID(SampleShop.monthly)!, days: 3, reason: .outage,
                storefronts: ["USA", "MEX"],
                date: fixture.clock.now()))
        #expect(isKnown)
        try await services.extensions.advance()
        let payloads = try await sent()
        try #require(
            payloads.map(\.notificationType) == [
                "RENEWAL_EXTENDED", "RENEWAL_EXTENSION", "SUBSCRIBED",
            ])
        let last = payloads[1]
        #expect(last.subtype == "SUMMARY" && last.data == nil)
        #expect(
            last.summary
                == NotificationSummary(
                    environment: "Sandbox", appAppleId: nil, bundleId: SampleShop.bundleID.text,
                    productId: SampleShop.monthly, requestIdentifier: "request-1",
                    storefrontCountryCodes: ["USA", "MEX"], succeededCount: 1, failedCount: 0))
    }

    @Test func `a test has neither transaction nor status`() async throws {
        try await fixture.test(.production)
        let payload = try #require(try await sent().first)
        let data = try #require(payload.data)
        #expect(data.signedTransactionInfo == nil && data.signedRenewalInfo == nil)
        #expect(data.status == nil && data.bundleId == SampleShop.bundleID.text)
        let text = String(
            decoding: try WireCoding.encode(payload), as: UTF8.self)
        // What is not there is left out, and never null.
        #expect(!text.contains("null") && !text.contains("summary"))
    }
}
