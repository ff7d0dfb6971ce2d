@testable import StoreAPI
import Foundation
import StoreCore
import StoreModel
import StoreSecurity
import StoreTestSupport
import StoreWire
import Testing

/// What a device reads of its account, and what it asks for.
@Suite struct DeviceHistoryTests {
    // MARK: History

    @Test(arguments: Altitude.allCases)
    func `a history comes in pages, bound to the device, and goes on with what has changed since`(
        altitude: Altitude
    ) async throws {
        let shop = try await ServerShop()
        let ids = try await shop.sell(205)
        let device = try await APIClient.signedIn(shop.shop, altitude: altitude)
        var pages: [DeviceHistoryAnswer] = []
        repeat {
            pages.append(try await device.history(after: pages.last?.revision))
        } while pages.last?.hasMore == true && pages.count < 10
        #expect(pages.map(\.transactions.count) == [100, 100, 5])
        #expect(pages.allSatisfy { !$0.startsOver })
        let payloads = try pages.flatMap(\.transactions).map { try shop.server.transaction($0) }
        #expect(payloads.map(\.transactionId) == ids)
        #expect(payloads.allSatisfy { $0.purchaseKey == nil })
        #expect(
            payloads.allSatisfy {
                device.isBound($0.deviceVerification, $0.deviceVerificationNonce)
            })
        #expect(Set(payloads.map(\.deviceVerificationNonce)).count == 205)

        let bought = try await device.buy(APIClient.badge(1)).transactionId
        _ = try await shop.shop.store.services.purchases.revoke(ids[3], reason: .developerIssue)
        let news = try await device.history(after: pages.last?.revision)
        let changed = try news.transactions.map { try shop.server.transaction($0) }
        #expect(changed.map(\.transactionId) == [bought, ids[3]])
        #expect(changed.map(\.revocationReason) == [nil, 1])
        let nothing = try await device.history(after: news.revision)
        #expect(nothing.transactions.isEmpty && !nothing.hasMore && !nothing.startsOver)
    }

    /// What a device may have in place of a revision that counts.
    enum Stranger: String, CaseIterable, Sendable {
        case nothing, garbage, ofAnotherAccount, ofAnotherApp, ofAServer, ofTheFuture,
            ofBeforeAClearing, ofBeforeARestore
    }

    @Test(arguments: Stranger.allCases)
    func `whoever has a revision that counts for nothing begins again`(
        stranger: Stranger
    ) async throws {
        let shop = try await ServerShop()
        try await shop.enroll()
        let device = try await shop.customer()
        var bought = [try await device.buy(APIClient.badge(1)).transactionId]
        var revision: String
        switch stranger {
        case .nothing: revision = ""
        case .garbage: revision = "device-history/1/1/0/0/0"
        case .ofAnotherAccount:
            revision = try await shop.customer(TestStore.japanese).history().revision
        case .ofAnotherApp:
            let other = shop.seals.seal(Data("device-history/1/9999/0/0/0".utf8))
            revision = other
        case .ofAServer:
            let page: HistoryResponse = try await shop.server.get("/v2/history/\(bought[0])")
            revision = page.revision
        case .ofTheFuture:
            let (account, app) = (try await shop.account(), try await shop.app())
            revision = shop.seals.seal(
                Data("device-history/\(account.id.number)/\(app.id.number)/0/0/2".utf8))
        case .ofBeforeARestore:
            // The database has gone back once less by then.
            let (account, app) = (try await shop.account(), try await shop.app())
            revision = shop.seals.seal(
                Data("device-history/\(account.id.number)/\(app.id.number)/0/1/0".utf8))
        case .ofBeforeAClearing:
            revision = try await device.history().revision
            let account = try await shop.account().id
            try await shop.shop.store.database.write {
                try $0.testers.recordClearing(of: account, at: shop.clock.now())
            }
            bought = [try await device.buy(APIClient.credits(2)).transactionId]
        }
        let page = try await device.history(after: revision)
        #expect(page.startsOver && !page.hasMore)
        #expect(
            try page.transactions.map { try shop.server.transaction($0).transactionId } == bought)
        #expect(try await !device.history(after: page.revision).startsOver)
    }

    // MARK: Subscriptions

    @Test func `who pays and who shares see each subscription, with what becomes of it`()
        async throws
    {
        let shop = try await ServerShop()
        try await shop.setShareable(SampleShop.monthly)
        try await shop.shop.store.services.families.add(
            TestStore.japanese, toFamilyOf: TestStore.american, in: .sandbox)
        let payer = try await shop.customer()
        let member = try await shop.customer(TestStore.japanese)
        #expect(try await payer.subscriptions() == DeviceSubscriptionsAnswer(groups: []))
        let first = try await payer.buy(ServerShop.monthly(1))
        _ = try await payer.buy(APIClient.badge(2))
        try await shop.pass(300)
        for (device, ownership) in [(payer, "PURCHASED"), (member, "FAMILY_SHARED")] {
            let groups = try await device.subscriptions().groups
            #expect(groups.map(\.groupId) == ["22222222"] && groups[0].items.count == 1)
            let item = try #require(groups.first?.items.first)
            #expect(item.status == 1)
            let period = try shop.server.transaction(item.signedTransaction)
            #expect(period.transactionReason == "RENEWAL" && period.inAppOwnershipType == ownership)
            #expect(period.transactionId != first.transactionId && period.purchaseKey == nil)
            #expect(device.isBound(period.deviceVerification, period.deviceVerificationNonce))
            let renewal = try shop.server.renewal(item.signedRenewalInfo)
            #expect(renewal.originalTransactionId == period.originalTransactionId)
            #expect(renewal.autoRenewStatus == 1 && renewal.renewalDate == period.expiresDate)
            #expect(device.isBound(renewal.deviceVerification, renewal.deviceVerificationNonce))
        }
        try await shop.shop.change { $0.paymentFailure = .all }
        try await shop.pass(300)
        for device in [payer, member] {
            let answer = try await device.subscriptions()
            #expect(answer.groups.flatMap { $0.items.map(\.status) } == [3])
        }
        // Another environment is another shop.
        let elsewhere = try await shop.customer(in: .production)
        #expect(try await elsewhere.subscriptions().groups.isEmpty)
    }

    // MARK: App transaction

    @Test(arguments: StoreEnvironment.allCases)
    func `the app transaction is there before anything is bought, and stays the same`(
        environment: StoreEnvironment
    ) async throws {
        let shop = try await ServerShop()
        let device = try await shop.customer(in: environment)
        let now = shop.clock.now().milliseconds
        var found: [AppTransactionPayload] = []
        for _ in 1...2 {
            let answer: AppTransactionAnswer = try await device.get(DeviceRoute.appTransaction)
            found.append(try shop.server.appTransaction(answer.signedAppTransaction))
            shop.clock.advance(by: 60)
        }
        let first = found[0]
        #expect(found.map(\.appTransactionId) == [first.appTransactionId, first.appTransactionId])
        #expect(found.map(\.receiptCreationDate) == [now, now + 60_000])
        #expect(found.map(\.requestDate) == [now, now + 60_000])
        #expect(first.bundleId == SampleShop.bundleID.text)
        #expect(first.receiptType == environment.rawValue)
        #expect(first.originalApplicationVersion == "1.0")
        let isSandbox = environment == .sandbox
        #expect((first.appAppleId == nil) == isSandbox)
        #expect((first.versionExternalIdentifier == nil) == isSandbox)
        #expect(first.originalPurchaseDate == (isSandbox ? 1_375_340_400_000 : now))
        #expect(
            found.allSatisfy { device.isBound($0.deviceVerification, $0.deviceVerificationNonce) })
        let bought = try await device.buy(APIClient.badge(1))
        #expect(bought.appTransactionId == first.appTransactionId)
    }

    @Test(
        arguments: [
            (nil, nil), ("4+", 4), ("9+", 9), ("12+", 12), ("13+", 13), ("16+", 16), ("17+", 17),
            ("18+", 18), ("PG-13", nil), ("12", nil), ("99999999999999999999+", nil), ("-4+", nil),
        ] as [(String?, Int?)])
    func `the app transaction comes with the years of the app's age rating`(
        _ rating: String?, _ years: Int?
    ) async throws {
        let shop = try await ServerShop()
        try await shop.shop.rate(rating)
        let device = try await shop.customer()
        let answer: AppTransactionAnswer = try await device.get(DeviceRoute.appTransaction)
        #expect(answer.ageRatingCode == years)
    }

    // MARK: Refunds

    @Test func `a refund is asked for once, by who paid, and each refusal says why`() async throws {
        let shop = try await ServerShop()
        try await shop.setShareable(SampleShop.badge)
        try await shop.shop.store.services.families.add(
            TestStore.japanese, toFamilyOf: TestStore.american, in: .sandbox)
        let (payer, member) = (
            try await shop.customer(), try await shop.customer(TestStore.japanese)
        )
        let badge = try await payer.buy(APIClient.badge(1)).transactionId
        let share = try #require(try await shop.shop.ledger(of: TestStore.japanese).first).id
        let credits = try await payer.buy(APIClient.credits(2)).transactionId
        let others = try await shop.otherTeamsSale()
        let long = String(repeating: "x", count: RefundRules.commentLimit + 1)
        typealias Row = (
            device: APIClient, id: String, reason: String?, comment: String?, outcome: String
        )
        let rows: [Row] = [
            (payer, "\(badge)", "WHATEVER", nil, "400 malformedRequest"),
            (payer, "\(badge)", nil, long, "400 malformedRequest"),
            (payer, "\(badge)", "UNINTENDED_PURCHASE", "By mistake.", "204"),
            (payer, "\(badge)", nil, nil, "409 refundRequested"),
            (member, "\(badge)", nil, nil, "404 transactionNotFound"),
            (member, "\(share)", nil, nil, "409 refundNotPossible"),
            (payer, "\(others)", nil, nil, "404 transactionNotFound"),
            (payer, "1", nil, nil, "404 transactionNotFound"),
            (payer, "one", nil, nil, "404 transactionNotFound"),
        ]
        for row in rows {
            #expect(
                try await row.device.askRefund(row.id, row.reason, row.comment) == row.outcome,
                "\(row.id) \(row.outcome)")
        }
        let request = try #require(
            try await shop.shop.store.services.refunds.requests(team: nil, waiting: true, limit: 9)
                .first)
        #expect(request.transaction == badge && request.reason == .unintended)
        #expect(request.comment == "By mistake.")
        shop.clock.advance(by: TimeInterval(RefundRules.askingDays + 1) * 86_400)
        // Sessions have ended meanwhile.
        let tooLate = try await shop.customer().askRefund("\(credits)", nil, nil)
        #expect(tooLate == "409 refundNotPossible")
    }
}

extension ServerShop {
    fileprivate var seals: SealedTokens { shop.store.services.seals }
}

extension APIClient {
    fileprivate func get<Answer: Decodable>(_ path: String) async throws -> Answer {
        let response = try await send("GET", path)
        guard response.status == 200 else { throw try response.failure() }
        #expect(response.headers["Cache-Control"] == "no-store")
        return try WireCoding.decode(Answer.self, from: response.data)
    }

    func history(after revision: String? = nil) async throws -> DeviceHistoryAnswer {
        try await post(DeviceRoute.history, DeviceHistoryRequest(revision: revision))
    }

    fileprivate func subscriptions() async throws -> DeviceSubscriptionsAnswer {
        try await get(DeviceRoute.subscriptions)
    }

    /// Status and code of what is answered to a request for a refund.
    fileprivate func askRefund(
        _ id: String, _ reason: String?, _ comment: String?
    ) async throws -> String {
        let response = try await send(
            "POST", DeviceRoute.refundRequests(id),
            WireCoding.encode(DeviceRefundRequest(reason: reason, comment: comment)))
        guard response.status != 204 else { return "204" }
        return Refusal(status: response.status, error: try response.failure()).name
    }
}
