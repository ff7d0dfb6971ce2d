import Foundation
@testable import StoreAPI
import StoreCore
import StoreModel
import StoreSecurity
import StoreTestSupport
import StoreWire
import Testing

/// What `/verifyReceipt` says of accounts with subscriptions: what is so today, for whoever knows
/// the secret.
@Suite struct VerifySubscriptionTests {
    private static let month: TimeInterval = 300

    @Test(arguments: Altitude.allCases)
    func `a receipt with a subscription takes the secret of its app or team`(
        altitude: Altitude
    ) async throws {
        let fixture = try await ReceiptFixture(altitude: altitude)
        let client = try await fixture.server.customer()
        let plain = try await fixture.receipt(client)
        _ = try await client.buy(ServerShop.monthly(1))
        let receipt = try await fixture.receipt(client)
        for password in [nil, "", String(repeating: "0", count: 32)] as [String?] {
            #expect(try await fixture.refusal(receipt, password: password) == 21004)
        }
        let secrets = fixture.shop.store.services.sharedSecrets
        let app = try await fixture.secret()
        let team = try await secrets.generate(
            for: .team(try await fixture.server.app().teamID), by: .machine
        ).text
        #expect(app != team)
        for secret in [app, team, app.uppercased()] {
            #expect(try await fixture.verify(receipt, password: secret)["status"] == 0)
            // A receipt without subscriptions takes none, and none that is wrong.
            #expect(try await fixture.verify(plain, password: secret)["status"] == 0)
        }
        #expect(try await fixture.verify(plain)["status"] == 0)
        for wrong in [String(app.dropLast()), app + "0", team.replacing(team.prefix(1), with: "g")]
        {
            #expect(try await fixture.refusal(receipt, password: wrong) == 21004)
            #expect(try await fixture.refusal(plain, password: wrong) == 21004)
        }
        let number = JSONValue.object([
            "receipt-data": .string(receipt.base64EncodedString()), "password": 5,
        ])
        #expect(try await fixture.number(number.encoded()) == 21004)
        // A new one takes the place of the old one.
        let renewed = try await fixture.secret()
        #expect(try await fixture.refusal(receipt, password: app) == 21004)
        #expect(try await fixture.verify(receipt, password: renewed)["status"] == 0)
    }

    @Test func `a period that an upgrade has ended is cancelled on that day`() async throws {
        let fixture = try await ReceiptFixture()
        let client = try await fixture.server.customer()
        let bought = try await client.buy(ServerShop.monthly(1))
        let id = try #require(TransactionID(bought.transactionId.description))
        var record = try #require(
            try await fixture.shop.store.database.read { try $0.transactions.record(id) })
        #expect(VerifiedPurchase(record).cancellationDate == nil)
        let date = fixture.shop.store.clock.now()
        record.facts.isUpgraded = true
        record.facts.upgradeDate = date
        let shown = VerifiedPurchase(record)
        #expect(shown.isUpgraded && shown.cancellationReason == 0)
        #expect(shown.cancellationDate == VerifiedDate(inReceipt: date))
    }

    @Test func `another team's secret opens nothing`() async throws {
        let fixture = try await ReceiptFixture()
        let client = try await fixture.server.customer()
        _ = try await client.buy(ServerShop.monthly(1))
        let receipt = try await fixture.receipt(client)
        _ = try await fixture.server.otherTeamsSale()
        let others = try await fixture.server.app(ServerShop.othersBundleID)
        for owner in [SharedSecret.Owner.app(others.id), .team(others.teamID)] {
            let secret = try await fixture.shop.store.services.sharedSecrets.generate(
                for: owner, by: .machine)
            #expect(try await fixture.refusal(receipt, password: secret.text) == 21004)
        }
    }

    @Test func `an old receipt tells of renewals, the newest first`() async throws {
        let fixture = try await ReceiptFixture()
        let secret = try await fixture.secret()
        let client = try await fixture.server.customer()
        let credits = try await client.buy(APIClient.credits(1))
        _ = try await client.buy(APIClient.credits(2))
        try await client.finish(credits)
        let token = UUID().uuidString.lowercased()
        var order = ServerShop.monthly(3)
        order.applicationUsername = token
        let first = try await client.buy(order)
        let old = try await fixture.receipt(client)
        try await fixture.server.pass(Self.month)
        try await fixture.server.pass(Self.month)

        let answer = try await fixture.verify(old, password: secret)
        let inApp = try #require(answer["receipt"]).list("in_app")
        #expect(inApp.count == 2)
        let latest = try answer.list("latest_receipt_info")
        let renewals = latest.filter { $0["product_id"]?.text == SampleShop.monthly }
        try #require(latest.count == 4 && renewals.count == 3)
        // The consumable that is not finished, and not the one that is.
        #expect(latest.last?["product_id"]?.text == SampleShop.credits)
        #expect(latest.last?["transaction_id"]?.text != credits.transactionId.description)
        let starts = renewals.compactMap { $0["purchase_date_ms"]?.text }
        #expect(starts == starts.sorted(by: >))
        #expect(Set(renewals.compactMap { $0["transaction_id"]?.text }).count == 3)
        for renewal in renewals {
            #expect(renewal["original_transaction_id"]?.text == "\(first.originalTransactionId)")
            #expect(renewal["original_purchase_date_ms"] == "1800000000000")
            #expect(renewal["subscription_group_identifier"] == "22222222")
            #expect(renewal["app_account_token"]?.text == token)
            #expect(renewal["is_trial_period"] == "false")
            #expect(renewal["is_in_intro_offer_period"] == "false")
            #expect(renewal["in_app_ownership_type"] == "PURCHASED")
            #expect(renewal["is_upgraded"] == nil && renewal["cancellation_date"] == nil)
        }
        #expect(
            renewals[0].date("expires_date") == [
                "2027-01-15 08:15:00 Etc/GMT", "1800000900000",
                "2027-01-15 00:15:00 America/Los_Angeles",
            ])
        #expect(
            try answer.list("pending_renewal_info") == [
                [
                    "auto_renew_product_id": .string(SampleShop.monthly),
                    "product_id": .string(SampleShop.monthly),
                    "original_transaction_id": .string("\(first.originalTransactionId)"),
                    "auto_renew_status": "1",
                ]
            ])
    }

    @Test func `the latest receipt is one for the same device, with everything in it`()
        async throws
    {
        let fixture = try await ReceiptFixture()
        let secret = try await fixture.secret()
        let client = try await fixture.server.customer()
        _ = try await client.buy(ServerShop.monthly(1))
        let old = try await fixture.receipt(client)
        try await fixture.server.pass(Self.month)
        _ = try await client.buy(APIClient.badge(2))

        func latest() async throws -> Data {
            let answer = try await fixture.verify(old, password: secret)
            return try #require(
                answer["latest_receipt"]?.text.flatMap { Data(base64Encoded: $0) })
        }
        let bytes = try await latest()
        let receipt = try fixture.read(bytes)
        #expect(receipt.purchases.count == 3)
        #expect(receipt.creationDate == fixture.clock.now())
        #expect(try receipt.isMade(forDevice: ReceiptFixture.device))
        #expect(receipt.opaqueValue == (try fixture.read(old).opaqueValue))
        #expect(receipt.applicationVersion == "7")
        #expect(receipt.originalApplicationVersion == "1.0")
        // It is verified like any other.
        let again = try await fixture.verify(bytes, password: secret)
        #expect(try #require(again["receipt"]).list("in_app").count == 3)
        // Within a minute the same one is given again; a change makes another one at once.
        fixture.clock.advance(by: 59)
        #expect(try await latest() == bytes)
        _ = try await client.buy(APIClient.credits(3))
        #expect(try fixture.read(try await latest()).purchases.count == 4)
        fixture.clock.advance(by: 61)
        #expect(try fixture.read(try await latest()).creationDate == fixture.clock.now())
    }

    @Test
    func `only the last transaction of each subscription is told where no old ones are wanted`()
        async throws
    {
        let fixture = try await ReceiptFixture()
        let secret = try await fixture.secret()
        let client = try await fixture.server.customer()
        _ = try await client.buy(APIClient.badge(1))
        _ = try await client.buy(ServerShop.monthly(2))
        let receipt = try await fixture.receipt(client)
        try await fixture.server.pass(Self.month)
        let all = try await fixture.verify(receipt, password: secret)
        let few = try await fixture.verify(receipt, password: secret, withoutOld: true)
        #expect(try all.list("latest_receipt_info").count == 3)
        let latest = try few.list("latest_receipt_info")
        #expect(latest.map { $0["product_id"]?.text } == [SampleShop.monthly, SampleShop.badge])
        #expect(latest.first == (try all.list("latest_receipt_info").first))
        // The receipt itself and the latest one stay whole.
        #expect(few["receipt"] == all["receipt"])
        #expect(few["latest_receipt"] == all["latest_receipt"])
        for value in ["true", "1", #""true""#] {
            let body =
                #"{"receipt-data":"\#(receipt.base64EncodedString())","password":"\#(secret)","#
                + #""exclude-old-transactions":\#(value)}"#
            let answer = try await fixture.ask(Data(body.utf8))
            #expect(try answer.list("latest_receipt_info").count == 2, "\(value)")
        }
    }

    @Test func `how a subscription goes on is told, and how it ended`() async throws {
        let fixture = try await ReceiptFixture()
        try await fixture.server.setGrace()
        let secret = try await fixture.secret()
        let client = try await fixture.server.customer()
        let bought = try await client.buy(ServerShop.monthly(1))
        let receipt = try await fixture.receipt(client)
        func pending() async throws -> JSONValue {
            let answer = try await fixture.verify(receipt, password: secret)
            #expect(answer["status"] == 0)
            return try #require(try answer.list("pending_renewal_info").first)
        }
        // The payment fails: the customer goes on for a while, then not.
        try await fixture.shop.change { $0.paymentFailure = .all }
        try await fixture.server.pass(Self.month)
        let grace = try await pending()
        #expect(grace["auto_renew_status"] == "1")
        #expect(grace["is_in_billing_retry_period"] == "1")
        #expect(grace["expiration_intent"] == "2")
        let end = grace.date("grace_period_expires_date")
        #expect(end.allSatisfy { $0 != nil })
        #expect(try #require(end[0]).hasSuffix(" Etc/GMT"))
        let number = try #require(end[1])
        let milliseconds = try #require(Int64(number))
        #expect(milliseconds > 1_800_000_300_000)
        #expect(try #require(end[2]).hasSuffix(" America/Los_Angeles"))
        // It is paid after all, and the customer ends it.
        try await fixture.shop.change { $0.paymentFailure = .none }
        try await fixture.server.pass(60)
        let paid = try await pending()
        #expect(paid["is_in_billing_retry_period"] == nil && paid["expiration_intent"] == nil)
        #expect(paid["grace_period_expires_date"] == nil)
        try await fixture.shop.store.services.subscriberChoices.setRenews(
            false, of: bought.originalTransactionId, by: try await fixture.server.account().id)
        let leaving = try await pending()
        #expect(leaving["auto_renew_status"] == "0")
        #expect(leaving["expiration_intent"] == nil)
        try await fixture.server.pass(2 * Self.month)
        let ended = try await pending()
        #expect(ended["auto_renew_status"] == "0")
        #expect(ended["expiration_intent"] == "1")
        #expect(ended["is_in_billing_retry_period"] == "0")
    }

    @Test func `what is given back says when and why`() async throws {
        let fixture = try await ReceiptFixture()
        let secret = try await fixture.secret()
        let client = try await fixture.server.customer()
        let badge = try await client.buy(APIClient.badge(1))
        let monthly = try await client.buy(ServerShop.monthly(2))
        let before = try await fixture.receipt(client)
        fixture.clock.advance(by: 30)
        for (id, reason) in [
            (badge.transactionId, Revocation.Reason.developerIssue),
            (monthly.transactionId, .other),
        ] {
            _ = try await fixture.shop.store.services.purchases.revoke(id, reason: reason)
        }
        let answer = try await fixture.verify(before, password: secret)
        // The receipt says what it said.
        #expect(
            try #require(answer["receipt"]).list("in_app")
                .allSatisfy { $0["cancellation_date"] == nil })
        let latest = try answer.list("latest_receipt_info")
        #expect(latest.map { $0["cancellation_reason"] } == ["0", "1"])
        for purchase in latest {
            #expect(
                purchase.date("cancellation_date") == [
                    "2027-01-15 08:00:30 Etc/GMT", "1800000030000",
                    "2027-01-15 00:00:30 America/Los_Angeles",
                ])
        }
        let after = try await fixture.verify(try await fixture.receipt(client), password: secret)
        let reasons = try #require(after["receipt"]).list("in_app").map {
            ($0["product_id"]?.text, $0["cancellation_reason"]?.text)
        }
        #expect(reasons.contains { $0 == (SampleShop.badge, "1") })
        #expect(reasons.contains { $0 == (SampleShop.monthly, "0") })
    }

    @Test func `what comes through the family says so, and how it goes on`() async throws {
        let fixture = try await ReceiptFixture()
        try await fixture.server.setShareable(SampleShop.monthly)
        let secret = try await fixture.secret()
        try await fixture.shop.store.services.families.add(
            TestStore.japanese, toFamilyOf: TestStore.american, in: .sandbox)
        _ = try await fixture.server.customer().buy(ServerShop.monthly(1))
        let member = try await fixture.server.customer(TestStore.japanese)
        let share = try #require(try await fixture.shop.ledger(of: TestStore.japanese).first)
        let answer = try await fixture.verify(try await fixture.receipt(member), password: secret)
        let inApp = try #require(answer["receipt"]).list("in_app")
        for purchase in try inApp + answer.list("latest_receipt_info") {
            #expect(purchase["in_app_ownership_type"] == "FAMILY_SHARED")
            #expect(purchase["transaction_id"]?.text == share.id.description)
        }
        #expect(inApp.count == 1)
        let pending = try answer.list("pending_renewal_info")
        #expect(pending.map { $0["original_transaction_id"]?.text } == [share.id.description])
        #expect(pending.first?["auto_renew_status"] == "1")
    }

    @Test func `a cleared history is told as empty`() async throws {
        let fixture = try await ReceiptFixture()
        try await fixture.server.enroll()
        let secret = try await fixture.secret()
        let client = try await fixture.server.customer()
        _ = try await client.buy(ServerShop.monthly(1))
        let receipt = try await fixture.receipt(client)
        try await fixture.shop.store.services.testers.clearHistory(
            of: [try await fixture.server.account().id], by: .machine)
        let answer = try await fixture.verify(receipt, password: secret)
        #expect(answer["status"] == 0)
        #expect(answer["latest_receipt_info"] == [])
        #expect(answer["pending_renewal_info"] == [])
    }
}
