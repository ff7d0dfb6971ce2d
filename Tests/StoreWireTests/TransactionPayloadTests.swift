import Foundation
import StoreModel
import StoreWire
import Testing

/// What is signed is written by hand, and is what JSON's encoder would write.
@Suite struct TransactionPayloadTests {
    private func payload() -> TransactionPayload {
        TransactionPayload(
            transactionId: TransactionID("2000000001")!,
            originalTransactionId: TransactionID("1000000001")!, bundleId: "com.example.app",
            productId: "com.example.app.book", type: "Auto-Renewable Subscription", quantity: 3,
            purchaseDate: 1_800_000_000_123, originalPurchaseDate: 0, signedDate: -1,
            environment: "Sandbox", inAppOwnershipType: "PURCHASED",
            transactionReason: "PURCHASE", storefront: "USA", storefrontId: "143441",
            currency: "USD", price: .max, appAccountToken: nil)
    }

    private func full() -> TransactionPayload {
        var payload = payload()
        payload.appAccountToken = "7c5dbbee-8a41-4a4c-8f1a-62b1f33e8f11"
        payload.appTransactionId = "704900000000000001"
        payload.webOrderLineItemId = "5"
        payload.subscriptionGroupIdentifier = "22222222"
        payload.expiresDate = 1_800_000_000_999
        payload.isUpgraded = true
        payload.offerType = 2
        payload.offerIdentifier = "back"
        payload.offerDiscountType = "PAY_AS_YOU_GO"
        payload.offerPeriod = "P1M"
        payload.revocationDate = .min
        payload.revocationReason = 1
        payload.revocationType = "REFUND_PRORATED"
        payload.revocationPercentage = 50_000
        payload.purchaseKey = "key"
        payload.periodTransactionId = TransactionID("2000000000")
        payload.deviceVerification = "hJ2b+/=="
        payload.deviceVerificationNonce = "5fdc4a2e-9d1b-4c56-8b0f-0e4a6a2d7c11"
        return payload
    }

    @Test func `every field is written, in the order of their names`() throws {
        let full = full()
        for field in Mirror(reflecting: full).children {
            #expect("\(field.value)" != "nil", "the test has no value for \(field.label ?? "")")
        }
        #expect(try full.encoded() == WireCoding.encode(full))
        let read = try WireCoding.decode(TransactionPayload.self, from: full.encoded())
        #expect(read == full)
    }

    @Test func `what there is not is left out`() throws {
        let payload = payload()
        #expect(try payload.encoded() == WireCoding.encode(payload))
        #expect(payload.encoded().range(of: Data("null".utf8)) == nil)
    }

    @Test(arguments: [
        "", "\"", "\\", "\\\"", "/", "\n\r\t\u{8}\u{c}", "\u{0}\u{1}\u{1f}\u{7f}", "日本 😀 é",
        "\u{2028}\u{2029}", "e\u{301}", "</script>", "\u{feff}", "a\u{0}b",
    ])
    func `text is escaped as JSON's encoder does`(text: String) throws {
        var payload = payload()
        payload.bundleId = text
        payload.productId = "before \(text) behind"
        #expect(try payload.encoded() == WireCoding.encode(payload))
    }

    @Test(arguments: [[], ["plain"], ["\"quoted\"\n", "日本"]])
    func `the answer to a purchase is what JSON's encoder would write`(
        contents: [String]
    ) throws {
        let answer = TransactionAnswer(
            signedTransaction: "eyJ.e30.c2ln-_",
            contents: try contents.enumerated().map { index, name in
                WireContent(
                    contentIdentifier: name, version: try #require(ContentVersion("1.\(index)")),
                    length: .max)
            })
        #expect(try answer.encoded() == WireCoding.encode(answer))
    }
}
