import Foundation
import StoreAPI
import StoreCore
import StoreHTTP
import StoreModel
import StoreSecurity
import StoreServer
import StoreTestSupport
import StoreWire
import Testing

/// App receipts at `/verifyReceipt`: the numbers, and the form of every field.
@Suite struct VerifyReceiptTests {
    @Test(arguments: Altitude.allCases)
    func `a receipt with one product of each type is told field by field`(
        altitude: Altitude
    ) async throws {
        let fixture = try await ReceiptFixture(altitude: altitude)
        let client = try await fixture.server.customer()
        _ = try await client.buy(APIClient.badge(1))
        fixture.clock.advance(by: 60.25)
        _ = try await client.buy(APIClient.credits(2, quantity: 5))
        _ = try await client.buy(ServerShop.season(3))
        _ = try await client.buy(ServerShop.monthly(4))
        let receipt = try await fixture.receipt(client)
        fixture.clock.advance(by: 5.5)
        let answer = try await fixture.verify(receipt, password: try await fixture.secret())
        let golden = try JSONValue(reading: Data(Self.golden.utf8))
        #expect(answer["receipt"] == golden)
        #expect(answer["status"] == 0)
        #expect(answer["environment"] == "Sandbox")
        #expect(
            answer.names == [
                "receipt", "status", "environment", "latest_receipt", "latest_receipt_info",
                "pending_renewal_info",
            ])
    }

    @Test func `in production the app has its number, and the customer's download too`()
        async throws
    {
        let fixture = try await ReceiptFixture()
        let client = try await fixture.server.customer(in: .production)
        _ = try await client.buy(APIClient.badge(1))
        fixture.clock.advance(by: 86_400)
        let bytes = try await fixture.receipt(client)
        let answer = try await fixture.verify(bytes, in: .production)
        let receipt = try #require(answer["receipt"])
        let app = try await fixture.server.app().id.number
        #expect(answer["status"] == 0)
        #expect(answer["environment"] == "Production")
        #expect(receipt["receipt_type"] == "Production")
        #expect(receipt["adam_id"] == .integer(app))
        #expect(receipt["app_item_id"] == .integer(app))
        // Not read as a JSON number: it has more digits than a Double.
        let response = try await fixture.send(ReceiptFixture.body(bytes), in: .production)
        let download = try #require(try fixture.read(bytes).downloadID)
        #expect(
            String(decoding: response.data, as: UTF8.self)
                .contains("\"download_id\":\(download),"))
        #expect(receipt["original_application_version"] == "1.0")
        #expect(
            receipt.date("original_purchase_date") == [
                "2027-01-15 08:00:00 Etc/GMT", "1800000000000",
                "2027-01-15 00:00:00 America/Los_Angeles",
            ])
        #expect(receipt["receipt_creation_date_ms"] == "1800086400000")
        #expect(answer.names == ["receipt", "status", "environment"])
    }

    @Test func `a receipt without purchases is valid, and names whose it is`() async throws {
        let fixture = try await ReceiptFixture()
        let client = try await fixture.server.customer()
        let receipt = try await fixture.receipt(client)
        let answer = try await fixture.verify(receipt)
        #expect(answer["status"] == 0)
        #expect(answer["receipt"]?["in_app"] == [])
        // A second one is of the same account, and no other account's.
        let again = try await fixture.receipt(client)
        let stranger = try await fixture.receipt(
            try await fixture.server.customer(TestStore.japanese))
        let marks = try [receipt, again, stranger].map { try fixture.read($0).opaqueValue }
        #expect(marks.allSatisfy { $0.count == 24 })
        #expect(marks[0] != marks[1])
        #expect(marks[0].suffix(8) == marks[1].suffix(8))
        #expect(marks[0].suffix(8) != marks[2].suffix(8))
    }

    @Test func `the environments send each other's receipts away`() async throws {
        let fixture = try await ReceiptFixture()
        let sandbox = try await fixture.receipt(try await fixture.server.customer())
        let production = try await fixture.receipt(
            try await fixture.server.customer(in: .production))
        #expect(try await fixture.refusal(sandbox, in: .production) == 21007)
        #expect(try await fixture.refusal(production, in: .sandbox) == 21008)
        let volume = try await fixture.receipt(
            try await fixture.server.customer(), properties: ReceiptProperties(volumePurchase: true)
        )
        #expect(try await fixture.refusal(volume, in: .production) == 21007)
        let answer = try await fixture.verify(volume)
        #expect(answer["receipt"]?["receipt_type"] == "ProductionVPPSandbox")
        #expect(answer["receipt"]?["expiration_date_ms"] == "1831536000000")
    }

    @Test(arguments: ["GET", "PUT", "PATCH", "DELETE"])
    func `another method is none`(method: String) async throws {
        let fixture = try await ReceiptFixture(altitude: .socket)
        for environment in StoreEnvironment.allCases {
            #expect(
                try await fixture.number(Data("{}".utf8), in: environment, method: method) == 21000)
        }
    }

    @Test(
        arguments: [
            ("", 21000), ("{", 21000), ("[]", 21000), ("null", 21000), ("\"receipt\"", 21000),
            (#"{"receipt-data":"\ud800"}"#, 21000), ("\u{0}", 21000),
            (#"{"receipt-data":"AAAA","receipt-data":"AAAA"}"#, 21000),
            ("{}", 21002), (#"{"receipt-data":null}"#, 21002), (#"{"receipt-data":1}"#, 21002),
            (#"{"receipt-data":["AAAA"]}"#, 21002), (#"{"receipt-data":""}"#, 21002),
            (#"{"receipt-data":"no base64!"}"#, 21002), (#"{"receipt-data":"AAAA"}"#, 21002),
            (#"{"receipt-data":"MIIB"}"#, 21002), (#"{"receipt-data":"e30="}"#, 21002),
        ] as [(String, Int)])
    func `a body without a readable receipt has its status code`(body: String, number: Int)
        async throws
    {
        let fixture = try await ReceiptFixture()
        for environment in StoreEnvironment.allCases {
            #expect(try await fixture.number(Data(body.utf8), in: environment) == number)
        }
    }

    @Test func `any media type will do, and base64 in lines`() async throws {
        let fixture = try await ReceiptFixture(altitude: .socket)
        let receipt = try await fixture.receipt(try await fixture.server.customer())
        for type in ["", "text/plain", "application/x-www-form-urlencoded", "application/xml"] {
            let response = try await fixture.send(
                ReceiptFixture.body(receipt), headers: ["Content-Type": type])
            #expect(try JSONValue(reading: response.data)["status"] == 0, "\(type)")
        }
        let lines = receipt.base64EncodedString(
            options: [.lineLength64Characters, .endLineWithCarriageReturn, .endLineWithLineFeed])
        let body = JSONValue.object(["receipt-data": .string(lines)]).encoded()
        #expect(try await fixture.ask(body)["status"] == 0)
        let escaped = String(decoding: ReceiptFixture.body(receipt), as: UTF8.self)
            .replacing("/", with: "\\/")
        #expect(try await fixture.ask(Data(escaped.utf8))["status"] == 0)
    }

    @Test func `what the database can't say may be asked again`() async throws {
        var database: BreakingDatabase?
        let fixture = try await ReceiptFixture { shop in
            let breaking = BreakingDatabase(shop.store.database)
            database = breaking
            return try Store(
                directory: shop.folder.file("store"), database: breaking,
                vault: OpenSSLVault.forTests, log: .silent
            ).services
        }
        let receipt = try await fixture.receipt(try await fixture.server.customer())
        #expect(try await fixture.verify(receipt)["status"] == 0)
        database?.breakAfter(0)
        #expect(
            try await fixture.verify(receipt) == [
                "status": 21100, "is-retryable": true, "is_retryable": true,
            ])
    }

    @Test func `a store without room, and one that stops, can be asked again`() throws {
        for path in ["/verifyReceipt", "/sandbox/verifyReceipt"] {
            let stopping = [true, false].map {
                StoreRoutes.stopping(
                    HTTPServer.Unanswered(method: "POST", path: path, hasBegun: $0))
            }
            for response in [StoreRoutes.busy(path)] + stopping {
                #expect(response.status == 200)
                #expect(String(decoding: response.data, as: UTF8.self) == #"{"status":21005}"#)
            }
        }
    }

    @Test func `a tester who is gone has no receipts`() async throws {
        let fixture = try await ReceiptFixture()
        try await fixture.server.enroll()
        let client = try await fixture.server.customer()
        _ = try await client.buy(APIClient.badge(1))
        let receipt = try await fixture.receipt(client)
        let old = try await fixture.receipt(
            of: try await client.buy(APIClient.credits(2)), client)
        #expect(try await fixture.verify(receipt)["status"] == 0)
        let account = try await fixture.server.account()
        try await fixture.shop.store.services.testers.delete(account.id, by: .machine)
        #expect(try await fixture.refusal(receipt) == 21010)
        #expect(try await fixture.refusal(old) == 21010)
    }

    @Test func `a receipt from before the store kept whose it is is told by its purchases`()
        async throws
    {
        let fixture = try await ReceiptFixture()
        let client = try await fixture.server.customer()
        _ = try await client.buy(ServerShop.monthly(1))
        let now = try fixture.read(try await fixture.receipt(client))
        func old(_ purchases: [ReceiptPurchase], app: String = now.bundleID) throws -> Data {
            let receipt = try AppReceipt(
                type: now.type, appStoreID: 0, bundleID: app, applicationVersion: "7",
                opaqueValue: Data(repeating: 1, count: 16), deviceIdentifier: ReceiptFixture.device,
                creationDate: fixture.clock.now(), purchases: purchases)
            return try fixture.shop.store.keys.receiptSigner().sign(receipt)
        }
        let answer = try await fixture.verify(
            try old(now.purchases), password: try await fixture.secret())
        #expect(answer["status"] == 0)
        #expect(try answer.list("latest_receipt_info").count == 1)
        #expect(try await fixture.verify(try old([]))["status"] == 0)
        // What the store has signed, and does not know any more.
        #expect(try await fixture.refusal(try old([], app: "com.example.gone")) == 21009)
        var foreign = try #require(now.purchases.first)
        foreign.transactionID = "1000000000009999"
        foreign.expirationDate = nil
        foreign.productKind = .consumable
        #expect(try await fixture.refusal(try old([foreign])) == 21010)
    }

    /// Of the first test, as Apple's servers write it.
    private static let golden = """
        {
          "receipt_type": "ProductionSandbox", "adam_id": 0, "app_item_id": 0,
          "bundle_id": "com.example.shop", "application_version": "7", "download_id": 0,
          "version_external_identifier": 0,
          "receipt_creation_date": "2027-01-15 08:01:00 Etc/GMT",
          "receipt_creation_date_ms": "1800000060000",
          "receipt_creation_date_pst": "2027-01-15 00:01:00 America/Los_Angeles",
          "request_date": "2027-01-15 08:01:05 Etc/GMT", "request_date_ms": "1800000065750",
          "request_date_pst": "2027-01-15 00:01:05 America/Los_Angeles",
          "original_purchase_date": "2013-08-01 07:00:00 Etc/GMT",
          "original_purchase_date_ms": "1375340400000",
          "original_purchase_date_pst": "2013-08-01 00:00:00 America/Los_Angeles",
          "original_application_version": "1.0",
          "in_app": [
            {
              "quantity": "1", "product_id": "com.example.shop.badge",
              "transaction_id": "1000000000000001",
              "original_transaction_id": "1000000000000001",
              "purchase_date": "2027-01-15 08:00:00 Etc/GMT", "purchase_date_ms": "1800000000000",
              "purchase_date_pst": "2027-01-15 00:00:00 America/Los_Angeles",
              "original_purchase_date": "2027-01-15 08:00:00 Etc/GMT",
              "original_purchase_date_ms": "1800000000000",
              "original_purchase_date_pst": "2027-01-15 00:00:00 America/Los_Angeles",
              "is_trial_period": "false", "in_app_ownership_type": "PURCHASED"
            },
            {
              "quantity": "1", "product_id": "com.example.shop.season",
              "transaction_id": "1000000000000003",
              "original_transaction_id": "1000000000000003",
              "purchase_date": "2027-01-15 08:01:00 Etc/GMT", "purchase_date_ms": "1800000060000",
              "purchase_date_pst": "2027-01-15 00:01:00 America/Los_Angeles",
              "original_purchase_date": "2027-01-15 08:01:00 Etc/GMT",
              "original_purchase_date_ms": "1800000060000",
              "original_purchase_date_pst": "2027-01-15 00:01:00 America/Los_Angeles",
              "is_trial_period": "false", "in_app_ownership_type": "PURCHASED"
            },
            {
              "quantity": "5", "product_id": "com.example.shop.credits",
              "transaction_id": "1000000000000002",
              "original_transaction_id": "1000000000000002",
              "purchase_date": "2027-01-15 08:01:00 Etc/GMT", "purchase_date_ms": "1800000060000",
              "purchase_date_pst": "2027-01-15 00:01:00 America/Los_Angeles",
              "original_purchase_date": "2027-01-15 08:01:00 Etc/GMT",
              "original_purchase_date_ms": "1800000060000",
              "original_purchase_date_pst": "2027-01-15 00:01:00 America/Los_Angeles",
              "is_trial_period": "false", "in_app_ownership_type": "PURCHASED"
            },
            {
              "quantity": "1", "product_id": "com.example.shop.monthly",
              "transaction_id": "1000000000000004",
              "original_transaction_id": "1000000000000004",
              "purchase_date": "2027-01-15 08:01:00 Etc/GMT", "purchase_date_ms": "1800000060000",
              "purchase_date_pst": "2027-01-15 00:01:00 America/Los_Angeles",
              "original_purchase_date": "2027-01-15 08:01:00 Etc/GMT",
              "original_purchase_date_ms": "1800000060000",
              "original_purchase_date_pst": "2027-01-15 00:01:00 America/Los_Angeles",
              "expires_date": "2027-01-15 08:06:00 Etc/GMT", "expires_date_ms": "1800000360000",
              "expires_date_pst": "2027-01-15 00:06:00 America/Los_Angeles",
              "web_order_line_item_id": "2000000000000004", "is_trial_period": "false",
              "is_in_intro_offer_period": "false", "in_app_ownership_type": "PURCHASED"
            }
          ]
        }
        """
}
