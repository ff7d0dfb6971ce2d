@testable import StoreAPI
import Foundation
import StoreCore
import StoreHTTP
import StoreModel
import StoreTestSupport
import StoreWire
import Testing

@Suite struct SubscriptionStatusTests {
    @Test(arguments: Altitude.allCases)
    func `a subscription is told with its last period and its renewal, in its group`(
        altitude: Altitude
    ) async throws {
        let shop = try await ServerShop(altitude: altitude)
        let first = try await shop.customer().buy(ServerShop.monthly(1))
        _ = try await shop.customer().buy(APIClient.badge(2))
        try await shop.pass(300)
        let app = try #require(first.appTransactionId)
        for id in [first.transactionId.description, app] {
            let answer: StatusResponse = try await shop.server.get("/v1/subscriptions/\(id)")
            #expect(answer.environment == "Sandbox" && answer.appAppleId == nil)
            #expect(answer.bundleId == SampleShop.bundleID.text)
            #expect(answer.data.map(\.subscriptionGroupIdentifier) == ["22222222"])
            let item = try #require(answer.data.first?.lastTransactions.first)
            #expect(item.status == 1)
            #expect(item.originalTransactionId == first.transactionId.description)
            let transaction = try shop.server.transaction(item.signedTransactionInfo)
            #expect(transaction.originalTransactionId == first.transactionId)
            #expect(transaction.transactionId != first.transactionId)
            #expect(transaction.transactionReason == "RENEWAL")
            let renewal = try shop.server.renewal(try #require(item.signedRenewalInfo))
            #expect(renewal.originalTransactionId == first.transactionId)
            #expect(renewal.productId == SampleShop.monthly && renewal.autoRenewStatus == 1)
            #expect(renewal.renewalDate == transaction.expiresDate)
            #expect(renewal.renewalPrice == 4990 && renewal.currency == "USD")
        }
    }

    @Test func `each status is told, and asked for`() async throws {
        let shop = try await ServerShop()
        let first = try await shop.customer().buy(ServerShop.monthly(1))
        let path = "/v1/subscriptions/\(first.transactionId)"
        func statuses(_ wanted: Int...) async throws -> [Int] {
            let answer: StatusResponse = try await shop.server.get(
                path, query: wanted.map { ("status", "\($0)") })
            return answer.data.flatMap { $0.lastTransactions.map(\.status) }
        }
        #expect(try await statuses() == [1])
        #expect(try await statuses(2, 3, 4, 5).isEmpty)
        try await shop.setGrace()
        try await shop.shop.change { $0.paymentFailure = .all }
        try await shop.pass(300)
        #expect(try await statuses(4, 1) == [4])
        try await shop.pass(31)
        #expect(try await statuses() == [3])
        try await shop.pass(1000)
        #expect(try await statuses(2) == [2])
        try await shop.shop.change { $0.paymentFailure = .none }
        _ = try await shop.customer().buy(ServerShop.monthly(2))
        #expect(try await statuses(1) == [1])
        let latest: StatusResponse = try await shop.server.get(path)
        let id = try shop.server.transaction(
            try #require(latest.data.first?.lastTransactions.first).signedTransactionInfo
        ).transactionId
        _ = try await shop.shop.store.services.purchases.revoke(id, reason: .other)
        #expect(try await statuses(5) == [5])
    }

    @Test func `why it ends is said when it has ended`() async throws {
        let shop = try await ServerShop()
        let first = try await shop.customer().buy(ServerShop.monthly(1))
        func information() async throws -> RenewalPayload {
            let answer: StatusResponse = try await shop.server.get(
                "/v1/subscriptions/\(first.transactionId)")
            let item = try #require(answer.data.first?.lastTransactions.first)
            return try shop.server.renewal(try #require(item.signedRenewalInfo))
        }
        let original = try #require(try await shop.shop.ledger().first)
        try await shop.shop.store.services.subscriberChoices.setRenews(
            false, of: original.id, by: original.details.account)
        let cancelled = try await information()
        #expect(cancelled.autoRenewStatus == 0 && cancelled.expirationIntent == nil)
        try await shop.pass(300)
        #expect(try await information().expirationIntent == 1)
    }

    @Test(arguments: ["0", "6", "-1", "", "one", "1,2", "1.0"])
    func `what is no status is refused`(text: String) async throws {
        let shop = try await ServerShop()
        let bought = try await shop.customer().buy(APIClient.badge(1))
        #expect(
            try await shop.server.refusal(
                "GET", "/v1/subscriptions/\(bought.transactionId)",
                query: [("status", "1"), ("status", text)]) == 4_000_031)
    }

    @Test func `who subscribes to nothing has no groups, and strangers are not there`() async throws
    {
        let shop = try await ServerShop()
        let bought = try await shop.customer().buy(APIClient.badge(1))
        let answer: StatusResponse = try await shop.server.get(
            "/v1/subscriptions/\(bought.transactionId)")
        #expect(answer.data.isEmpty)
        let foreign = try await shop.otherTeamsSale()
        #expect(try await shop.server.refusal("GET", "/v1/subscriptions/\(foreign)") == 4_040_010)
        #expect(try await shop.server.refusal("GET", "/v1/subscriptions/extend") == 4_000_006)
        var server = shop.server
        server.environment = .production
        #expect(
            try await server.refusal("GET", "/v1/subscriptions/\(bought.transactionId)")
                == 4_040_010)
    }

    @Test func `what comes through a family is told as long as it is shared, and as revoked then`()
        async throws
    {
        let shop = try await ServerShop()
        try await shop.setShareable(SampleShop.monthly)
        let families = shop.shop.store.services.families
        try await families.add(
            TestStore.japanese, toFamilyOf: TestStore.american, in: .sandbox)
        let bought = try await shop.customer().buy(ServerShop.monthly(1))
        let share = try #require(try await shop.shop.ledger(of: TestStore.japanese).first)
        let path: String = "/v1/subscriptions/\(share.id)"
        func item() async throws -> StatusResponse.Item {
            let answer: StatusResponse = try await shop.server.get(path)
            let groups: [String] = answer.data.map(\.subscriptionGroupIdentifier)
            #expect(groups == ["22222222"])
            return try #require(answer.data.first?.lastTransactions.first)
        }
        let first: StatusResponse.Item = try await item()
        #expect(first.status == 1)
        #expect(first.originalTransactionId == share.id.description)
        let transaction = try shop.server.transaction(first.signedTransactionInfo)
        #expect(transaction.inAppOwnershipType == "FAMILY_SHARED")
        #expect(transaction.price == 0)
        #expect(transaction.expiresDate == bought.expiresDate)
        let renewal = try shop.server.renewal(try #require(first.signedRenewalInfo))
        #expect(renewal.originalTransactionId == share.id)
        #expect(renewal.autoRenewStatus == 1)
        #expect(renewal.renewalPrice == nil)
        #expect(renewal.appTransactionId == transaction.appTransactionId)
        // It goes on with the subscription of who pays, and stops with it for a while.
        try await shop.pass(300)
        let next: StatusResponse.Item = try await item()
        let renewed = try shop.server.transaction(next.signedTransactionInfo)
        #expect(renewed.transactionId != share.id)
        #expect(renewed.originalTransactionId == share.id)
        try await shop.shop.change { $0.paymentFailure = .all }
        try await shop.pass(300)
        #expect(try await item().status == 3)
        try await shop.shop.change { $0.paymentFailure = .none }
        try await shop.pass(60)
        #expect(try await item().status == 1)
        try await families.remove(TestStore.japanese, in: .sandbox)
        let ended = try await item()
        #expect(ended.status == 5)
        let revoked = try shop.server.transaction(ended.signedTransactionInfo)
        #expect(revoked.revocationType == "FAMILY_REVOKE")
        let last = try shop.server.renewal(try #require(ended.signedRenewalInfo))
        #expect(last.autoRenewStatus == 0)
        // Who pays has theirs still, and sees nothing of the other's.
        let own: StatusResponse = try await shop.server.get(
            "/v1/subscriptions/\(bought.transactionId)")
        let items: [StatusResponse.Item] = own.data.flatMap(\.lastTransactions)
        #expect(items.count == 1)
        #expect(items.first?.status == 1)
    }
}
