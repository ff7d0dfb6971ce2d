import Foundation
import StoreSecurity

/// Receipts, requests of OCSP, statements and tokens; see Fuzz/ReceiptFuzz.swift and
/// Fuzz/StatementFuzz.swift for what the first byte says.
enum SecuritySeeds {
    static func all() throws -> [(kind: String, name: String, data: Data)] {
        let authority = try SampleAuthority()
        let receipt = try SampleAuthority.receipt()
        let transaction = SampleAuthority.transactionReceipt()
        var seeds: [(kind: String, name: String, data: Data)] = []
        func add(_ kind: String, _ name: String, _ letter: Character, _ data: Data) {
            seeds.append((kind, name, Data(String(letter).utf8) + data))
        }
        add("receipt", "app", "a", try authority.receiptSigner.sign(receipt))
        add("receipt", "payload", "p", try receipt.payload())
        add("receipt", "transaction", "t", try authority.receiptSigner.sign(transaction))
        add("receipt", "information", "i", transaction.purchaseInformation())
        for (sha256, nonce) in [(false, false), (true, true)] {
            add(
                "receipt", "status-\(sha256)", "o",
                authority.statusRequest(sha256: sha256, nonce: nonce))
        }
        let statement = try authority.signer.sign(Data("{}".utf8))
        add("statement", "statement", "s", Data(statement.utf8))
        add("statement", "parts", "h", parts(of: statement))
        add("statement", "certificate", "c", try authority.leaf.der())
        for (name, payload) in statementPayloads {
            add("statement", name, "v", Data(payload.utf8))
        }
        let token = try APIToken.sign(
            SampleAuthority.claims(), keyID: "2X9R4HXF34", key: authority.leafKey)
        add("statement", "token", "t", Data(token.utf8))
        add("statement", "claims", "k", parts(of: token))
        let seal = SealedTokens(secret: Data(repeating: 7, count: 32)).seal(Data("sealed".utf8))
        add("statement", "sealed", "m", Data(seal.utf8))
        return seeds
    }

    /// What StoreKit 2 reads as a transaction, renewal information and an app transaction.
    private static let statementPayloads = [
        (
            "transaction",
            #"""
            {"transactionId":"2","originalTransactionId":"1","productId":"com.example.pro",
            "bundleId":"com.example.app","purchaseDate":1800000000000,"signedDate":1800000000000,
            "expiresDate":1802592000000.5,"quantity":2,"type":"Auto-Renewable Subscription",
            "price":19990,"currency":"EUR","storefront":"DEU","storefrontId":"143443",
            "offerType":3,"offerIdentifier":"spring","offerPeriod":"P3M","revocationReason":1,
            "revocationDate":1800000100000,"revocationPercentage":50500,"environment":"Sandbox",
            "commitmentInfo":{"billingPeriodNumber":3,"totalBillingPeriods":12,
            "commitmentExpiresDate":1820000000000,"commitmentPrice":120000},
            "advancedCommerceInfo":{"taxRate":"0.19","period":"P1M","items":[{"SKU":"a",
            "offer":{"price":990,"period":"P1M","periodCount":3},
            "refunds":[{"refundDate":1800000000000,"refundAmount":1990}]}]},
            "deviceVerificationNonce":"5f3759df-1c1c-4b1b-9b2a-0123456789ab",
            "deviceVerification":"AAAA"}
            """#
        ),
        (
            "renewal",
            #"""
            {"originalTransactionId":"1","productId":"com.example.pro","autoRenewStatus":1,
            "autoRenewProductId":"com.example.pro","expirationIntent":2,"priceIncreaseStatus":0,
            "isInBillingRetryPeriod":true,"gracePeriodExpiresDate":1800100000000,
            "renewalDate":1800000300000,"renewalPrice":4990,"currency":"EUR",
            "recentSubscriptionStartDate":1700000000000,"eligibleWinBackOfferIds":["a","b"],
            "commitmentInfo":{"commitmentAutoRenewProductId":"a","commitmentRenewalPrice":1,
            "commitmentRenewalBillingPlanType":"MONTHLY","commitmentRenewalDate":1820000000000},
            "signedDate":1800000000000,"environment":"Sandbox"}
            """#
        ),
        (
            "app",
            #"""
            {"receiptType":"Sandbox","appAppleId":42,"bundleId":"com.example.app",
            "applicationVersion":"7","versionExternalIdentifier":43,"storeType":"EDUCATION",
            "receiptCreationDate":1800000000000,"originalPurchaseDate":1375340400000,
            "originalApplicationVersion":"1.0","originalPlatform":"iOS",
            "preorderDate":1375340300000,"appRevocationDate":1800000100000}
            """#
        ),
    ]

    /// The parts of a JWS without their base64, behind the lengths of the first two.
    private static func parts(of text: String) -> Data {
        let parts = text.split(separator: ".").map { Base64URL.decode($0) ?? Data() }
        let lengths = parts.prefix(2).flatMap { [UInt8($0.count >> 8), UInt8($0.count & 255)] }
        return Data(lengths) + parts.joined()
    }
}
