import Foundation
import StoreAPI
import StoreCore
import StoreModel
import StoreSecurity
import StoreTestSupport
import StoreWire
import Testing

/// Receipts of single transactions at `/verifyReceipt`, in the form from before app receipts.
@Suite struct VerifyTransactionTests {
    @Test(arguments: Altitude.allCases)
    func `a transaction is told field by field`(altitude: Altitude) async throws {
        let fixture = try await ReceiptFixture(altitude: altitude)
        let client = try await fixture.server.customer()
        fixture.clock.advance(by: 0.125)
        let bought = try await client.buy(APIClient.credits(1, quantity: 3))
        let answer = try await fixture.verify(try await fixture.receipt(of: bought, client))
        let app = try await fixture.server.app().id
        let number = try await fixture.shop.store.database.read {
            try $0.products.number(of: ProductID(SampleShop.credits)!, in: app)
        }
        #expect(
            answer == [
                "status": 0, "environment": "Sandbox",
                "receipt": [
                    "bid": .string(SampleShop.bundleID.text), "bvrs": "7",
                    "item_id": .string(String(try #require(number).number)),
                    "product_id": .string(SampleShop.credits), "quantity": "3",
                    "transaction_id": "1000000000000001",
                    "original_transaction_id": "1000000000000001",
                    "unique_identifier": "be45cb2605bf36bebde684841a28f0fd43c69850",
                    "unique_vendor_identifier": "00010203-0405-0607-0809-0A0B0C0D0E0F",
                    "purchase_date": "2027-01-15 08:00:00 Etc/GMT",
                    "purchase_date_ms": "1800000000125",
                    "purchase_date_pst": "2027-01-15 00:00:00 America/Los_Angeles",
                    "original_purchase_date": "2027-01-15 08:00:00 Etc/GMT",
                    "original_purchase_date_ms": "1800000000125",
                    "original_purchase_date_pst": "2027-01-15 00:00:00 America/Los_Angeles",
                ],
            ])
    }

    @Test func `a store of a test names its environment as its other statements do`() async throws {
        let fixture = try await ReceiptFixture()
        let bought = try await fixture.server.customer().buy(APIClient.credits(1))
        let store = fixture.shop.store
        let record = try #require(
            try await store.database.read {
                try $0.transactions.record(bought.transactionId)
            })
        let issuer = ReceiptIssuer(signer: store.keys.receiptSigner(), names: .xcode)
        let receipt = try issuer.issue(
            record, productNumber: nil,
            ReceiptRequest(deviceIdentifier: ReceiptFixture.device, applicationVersion: "7"),
            at: fixture.clock.now()
        ).receipt
        let verified = try ReceiptVerifier(root: store.keys.root)
            .verify(transactionReceipt: receipt)
        #expect(verified.environment == "Xcode")
        #expect(
            try await fixture.verify(receipt)["receipt"]?["product_id"]?.text == SampleShop.credits)
    }

    @Test func `a subscription goes on with the receipt of its last transaction`() async throws {
        let fixture = try await ReceiptFixture()
        let secret = try await fixture.secret()
        let client = try await fixture.server.customer()
        let bought = try await client.buy(ServerShop.monthly(1))
        let receipt = try await fixture.receipt(of: bought, client)
        #expect(try await fixture.refusal(receipt) == 21004)
        try await fixture.server.pass(300)
        let answer = try await fixture.verify(receipt, password: secret)
        #expect(
            answer.names == [
                "receipt", "latest_receipt_info", "latest_receipt", "auto_renew_product_id",
                "auto_renew_status", "environment", "status",
            ])
        #expect(answer["status"] == 0)
        #expect(answer["auto_renew_status"] == 1)
        #expect(answer["auto_renew_product_id"]?.text == SampleShop.monthly)
        let first = try #require(answer["receipt"])
        #expect(first["expires_date"] == "1800000300000")
        #expect(first["expires_date_formatted"] == "2027-01-15 08:05:00 Etc/GMT")
        #expect(
            first["expires_date_formatted_pst"] == "2027-01-15 00:05:00 America/Los_Angeles")
        #expect(first["web_order_line_item_id"] == "2000000000000001")
        // Not a list, as for app receipts.
        let latest = try #require(answer["latest_receipt_info"])
        #expect(latest["expires_date"] == "1800000600000")
        #expect(latest["transaction_id"] != first["transaction_id"])
        #expect(latest["original_transaction_id"] == first["original_transaction_id"])
        #expect(latest["unique_identifier"] == first["unique_identifier"])
        // The latest receipt is verified itself, and says the same.
        let newer = try #require(
            answer["latest_receipt"]?.text.flatMap {
                Data(base64Encoded: $0)
            })
        let again = try await fixture.verify(newer, password: secret)
        #expect(again["receipt"] == latest)
        #expect(again["latest_receipt_info"] == latest)
    }

    @Test func `a subscription that has expired has its own number`() async throws {
        let fixture = try await ReceiptFixture()
        let secret = try await fixture.secret()
        let client = try await fixture.server.customer()
        let bought = try await client.buy(ServerShop.monthly(1))
        let receipt = try await fixture.receipt(of: bought, client)
        try await fixture.shop.store.services.subscriberChoices.setRenews(
            false, of: bought.originalTransactionId, by: try await fixture.server.account().id)
        #expect(try await fixture.verify(receipt, password: secret)["auto_renew_status"] == 0)
        try await fixture.server.pass(301)
        let answer = try await fixture.verify(receipt, password: secret)
        #expect(answer["status"] == 21006)
        #expect(answer["receipt"]?["transaction_id"]?.text == "\(bought.transactionId)")
        #expect(answer["latest_expired_receipt_info"] == answer["receipt"])
        #expect(answer["latest_receipt"] == nil && answer["latest_receipt_info"] == nil)
        #expect(answer["auto_renew_status"] == 0)
        #expect(answer["expiration_intent"] == "1")
        #expect(answer["is_in_billing_retry_period"] == "0")
        // The app receipt of the same subscription is valid.
        #expect(
            try await fixture.verify(try await fixture.receipt(client), password: secret)["status"]
                == 0)
    }

    @Test func `what was given back is told`() async throws {
        let fixture = try await ReceiptFixture()
        let client = try await fixture.server.customer()
        let bought = try await client.buy(APIClient.badge(1))
        let receipt = try await fixture.receipt(of: bought, client)
        fixture.clock.advance(by: 30)
        _ = try await fixture.shop.store.services.purchases.revoke(
            bought.transactionId, reason: .developerIssue)
        let answer = try await fixture.verify(receipt)
        #expect(answer["receipt"]?["cancellation_date_ms"] == "1800000030000")
        #expect(answer["receipt"]?["cancellation_reason"] == "1")
    }

    @Test func `the environments send each other's receipts away`() async throws {
        let fixture = try await ReceiptFixture()
        for environment in StoreEnvironment.allCases {
            let client = try await fixture.server.customer(in: environment)
            let receipt = try await fixture.receipt(
                of: try await client.buy(APIClient.badge(1)), client)
            #expect(try await fixture.verify(receipt, in: environment)["status"] == 0)
            let other: StoreEnvironment = environment == .sandbox ? .production : .sandbox
            #expect(
                try await fixture.refusal(receipt, in: other)
                    == (other == .production ? 21007 : 21008))
        }
    }

    @Test func `nobody gets the receipt of somebody else's transaction`() async throws {
        let fixture = try await ReceiptFixture()
        let bought = try await fixture.server.customer().buy(APIClient.badge(1))
        let stranger = try await fixture.server.customer(TestStore.japanese)
        for id in ["\(bought.transactionId)", "1", "x"] {
            let refusal = try await stranger.refusal(
                DeviceRoute.receipt(of: id),
                ReceiptRequest(
                    deviceIdentifier: ReceiptFixture.device, applicationVersion: "7"))
            #expect(refusal.name == "404 transactionNotFound")
        }
        let malformed = try await stranger.refusal(
            "POST", DeviceRoute.receipt(of: "\(bought.transactionId)"), Data("{}".utf8))
        #expect(malformed.name == "400 malformedRequest")
    }

    @Test func `a receipt that was changed is not authenticated`()
        async throws
    {
        let fixture = try await ReceiptFixture()
        let client = try await fixture.server.customer()
        let bought = try await client.buy(APIClient.badge(1))
        let receipt = try await fixture.receipt(of: bought, client)
        let text = String(decoding: receipt, as: UTF8.self)
        // What stands beside the signature is Apple's to say, and not believed here.
        let moved = text.replacing(#""environment" = "Sandbox";"#, with: "")
        #expect(try await fixture.refusal(Data(moved.utf8)) == 21003)
        for broken in ["{", "{}", "{\n}", #"{ "signature" = "AA=="; }"#, text + text] {
            #expect(try await fixture.refusal(Data(broken.utf8)) == 21002)
        }
    }
}
