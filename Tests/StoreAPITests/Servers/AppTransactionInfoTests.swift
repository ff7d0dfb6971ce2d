@testable import StoreAPI
import Foundation
@testable import StoreCore
import StoreHTTP
import StoreModel
import StoreTestSupport
import StoreWire
import Testing

@Suite struct AppTransactionInfoTests {
    @Test func `any number of a customer leads to their app transaction`() async throws {
        let shop = try await ServerShop()
        let bought = try await shop.customer().buy(APIClient.badge(1))
        let id = try #require(bought.appTransactionId)
        shop.clock.advance(by: 60)
        var payloads: [AppTransactionPayload] = []
        for number in [bought.transactionId.description, id] {
            let answer: AppTransactionInfoResponse = try await shop.server.get(
                "/v1/transactions/appTransactions/\(number)")
            payloads.append(try shop.server.appTransaction(answer.signedAppTransactionInfo))
        }
        #expect(payloads[0] == payloads[1])
        let payload = payloads[0]
        #expect(payload.appTransactionId == id)
        #expect(payload.bundleId == SampleShop.bundleID.text)
        #expect(payload.receiptType == "Sandbox")
        #expect(payload.appAppleId == 0 && payload.versionExternalIdentifier == 0)
        #expect(payload.receiptCreationDate == shop.clock.now().milliseconds)
        // The first version and day of every app in Apple's sandbox.
        #expect(payload.originalApplicationVersion == "1.0")
        #expect(payload.originalPurchaseDate == 1_375_340_400_000)
    }

    @Test func `in production it says since when the account has the app, and in which version`()
        async throws
    {
        let shop = try await ServerShop()
        let (app, released) = (try await shop.app(), shop.clock.now())
        try await shop.shop.store.database.write { repositories in
            for (number, version) in ["1.0", "1.1", "2.0"].enumerated() {
                var next = AppVersion(
                    id: AppVersionID(UUID()), app: app.id, platform: .linux,
                    version: ContentVersion(version)!, created: released)
                try repositories.appVersions.insert(next)
                let build = AppBuildID(UUID())
                try repositories.appVersions.insert(
                    AppBuild(
                        id: build, version: next.id, number: ContentVersion(version)!,
                        digest: ContentDigest(String(repeating: "0", count: 64))!, size: 1,
                        uploaded: released))
                next.build = build
                next.submitted = released
                next.released = released.addingTimeInterval(Double(number) * 1000)
                next.state = number == 2 ? .readyForSale : .replacedWithNewVersion
                try repositories.appVersions.update(next)
            }
        }
        shop.clock.advance(by: 1500)
        let date = shop.clock.now().milliseconds
        let bought = try await shop.customer(in: .production).buy(APIClient.badge(1))
        shop.clock.advance(by: 1500)
        var server = shop.server
        server.environment = .production
        let answer: AppTransactionInfoResponse = try await server.get(
            "/v1/transactions/appTransactions/\(bought.transactionId)")
        let payload = try server.appTransaction(answer.signedAppTransactionInfo)
        #expect(payload.receiptType == "Production")
        #expect(payload.appAppleId == app.id.number)
        #expect(payload.applicationVersion == "2.0" && payload.versionExternalIdentifier == 3)
        #expect(payload.originalApplicationVersion == "1.1")
        #expect(payload.originalPurchaseDate == date)
    }

    @Test func `who has not got the app has no app transaction`() async throws {
        let shop = try await ServerShop()
        let bought = try await shop.customer().buy(APIClient.badge(1))
        let foreign = try await shop.otherTeamsSale()
        let others = try await shop.shop.store.database.read {
            try #require(try $0.transactions.record(foreign)).appTransaction
        }
        let path = "/v1/transactions/appTransactions/"
        #expect(try await shop.server.refusal("GET", path + others.description) == 4_040_019)
        #expect(try await shop.server.refusal("GET", path + "700000000009999999") == 4_040_019)
        #expect(try await shop.server.refusal("GET", path + foreign.description) == 4_040_010)
        #expect(try await shop.server.refusal("GET", path + "abc") == 4_000_006)
        var server = shop.server
        server.environment = .production
        let id = try #require(bought.appTransactionId)
        #expect(try await server.refusal("GET", path + id) == 4_040_019)
    }

    @Test func `a deleted tester is an unknown account`() async throws {
        let shop = try await ServerShop()
        let bought = try await shop.customer().buy(APIClient.badge(1))
        try await shop.enroll()
        try await shop.shop.store.services.testers.delete(
            try await shop.account().id, by: .machine)
        for path in [
            "/v1/transactions/appTransactions/", "/v1/history/", "/v2/history/",
            "/v2/refund/lookup/",
        ] {
            #expect(
                try await shop.server.refusal("GET", path + "\(bought.transactionId)")
                    == 4_040_001)
        }
    }
}
