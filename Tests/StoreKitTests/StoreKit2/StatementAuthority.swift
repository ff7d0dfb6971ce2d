import Foundation
@testable import StoreKit
import StoreSecurity
import StoreWire

/// A store's keys, and what they sign for one app on one device.
struct StatementAuthority: Sendable {
    static let shared: Result<StatementAuthority, any Error> = Result { try StatementAuthority() }
    static let date = Date(timeIntervalSince1970: 1_800_000_000)
    static let deviceID = "C0FFEE00-1234-4ABC-8DEF-00112233445A"
    static let nonce = "5f3759df-1c1c-4b1b-9b2a-0123456789ab"
    /// Made by Python's `hashlib.sha384` of the nonce and the identifier in small letters.
    static let digest = "j070iti+bLmn1eOfsDmHOyKD1slVXt+6YHY0+wsYtgwhw1v5VpEpmZwbUwYD32S8"

    let root: Certificate
    let leaf: Certificate
    private let signer: JWSSigner

    init() throws {
        func issue(
            _ role: CertificateRole, _ key: SigningKey, _ issuer: CertificateIssuer?
        ) throws -> Certificate {
            try Certificate.issue(
                role: role, name: "Test \(role)", organization: "Example", key: key,
                issuer: issuer, start: Self.date.addingTimeInterval(-86_400), days: 30)
        }
        let rootKey = try SigningKey.generate()
        let intermediateKey = try SigningKey.generate()
        let leafKey = try SigningKey.generate()
        root = try issue(.root, rootKey, nil)
        let intermediate = try issue(.intermediate, intermediateKey, (root, rootKey))
        leaf = try issue(.leaf, leafKey, (intermediate, intermediateKey))
        signer = try JWSSigner(key: leafKey, chain: [leaf, intermediate, root])
    }

    func sign(_ payload: JSONValue) throws -> String { try signer.sign(payload.encoded()) }

    func verifier(
        isRevoked: @escaping @Sendable (Certificate) -> Bool = { _ in false },
        deviceID: String = deviceID
    ) -> StatementVerifier {
        StatementVerifier(
            JWSVerifier(root: root, isRevoked: isRevoked), bundleID: "com.example.app",
            environment: "Sandbox", deviceID: deviceID)
    }
}

extension JSONValue {
    /// An object with another value for a key; without the key for none.
    func with(_ key: String, _ value: JSONValue?) -> JSONValue {
        var members: [String: JSONValue] = members ?? [:]
        members[key] = value
        return .object(members)
    }

    /// Reads JSON that a test was written with.
    static func written(_ text: String) -> JSONValue {
        (try? JSONValue(reading: Data(text.utf8))) ?? .null
    }
}

/// Payloads with every key that there is.
enum FullPayload {
    static let all = [transaction, renewal, app]

    static let advancedItem = """
        {"SKU":"a","displayName":"A","description":"An A","price":1990,
        "offer":{"price":990,"period":"P1M","periodCount":3,"reason":"WIN_BACK"},
        "partners":[{"id":"p","name":"P"},{"id":"q"}],
        "priceIncreaseInfo":{"status":"ACCEPTED","price":2990,"dependentSKUs":["b"]},
        "refunds":[{"refundReason":"LEGAL","refundType":"FULL","refundDate":1800000000000,
        "refundAmount":1990}],"revocationDate":1800000001000}
        """

    static let transaction = JSONValue.written(
        """
        {"transactionId":"0","originalTransactionId":"18446744073709551615",
        "webOrderLineItemId":"31","bundleId":"com.example.app","productId":"com.example.pro",
        "subscriptionGroupIdentifier":"21","purchaseDate":1800000000000,
        "originalPurchaseDate":1700000000000.25,"expiresDate":1802592000000,"quantity":2,
        "type":"Auto-Renewable Subscription","isUpgraded":true,
        "appAccountToken":"7e3fb20b-4cdb-47cc-936d-99d65f608138","environment":"Sandbox",
        "inAppOwnershipType":"FAMILY_SHARED","transactionReason":"RENEWAL","storefront":"DEU",
        "storefrontId":"143443","currency":"EUR","price":19990,"appTransactionId":"77",
        "offerType":3,"offerIdentifier":"spring","offerDiscountType":"PAY_UP_FRONT",
        "offerPeriod":"P3M","revocationDate":1800000100000,"revocationReason":1,
        "revocationType":"REFUND_PRORATED","revocationPercentage":50500,
        "billingPlanType":"MONTHLY","commitmentInfo":{"billingPeriodNumber":3,
        "totalBillingPeriods":12,"commitmentExpiresDate":1820000000000,"commitmentPrice":120000},
        "bundleProductId":"suite","bundleSubscriptionGroupIdentifier":"22",
        "bundleTransactionId":"41","bundleOriginalTransactionId":"40",
        "previousOriginalTransactionId":"39","advancedCommerceInfo":{"requestReferenceId":"r",
        "estimatedTax":190,"taxRate":"0.19","taxCode":"C1","taxExclusivePrice":1000,
        "descriptors":{"description":"d","displayName":"n"},"period":"P1M",
        "items":[\(advancedItem)]},"deviceVerification":"\(StatementAuthority.digest)",
        "deviceVerificationNonce":"\(StatementAuthority.nonce)","signedDate":1800000200000}
        """)

    static let renewal = JSONValue.written(
        """
        {"originalTransactionId":"12","productId":"com.example.pro",
        "autoRenewProductId":"com.example.basic","autoRenewStatus":1,"expirationIntent":2,
        "priceIncreaseStatus":0,"isInBillingRetryPeriod":true,
        "gracePeriodExpiresDate":1800100000000,"offerType":1,"offerIdentifier":"spring",
        "offerDiscountType":"FREE_TRIAL","offerPeriod":"P1W","environment":"Sandbox",
        "recentSubscriptionStartDate":1700000000000,"renewalDate":1800000300000,
        "renewalPrice":4990,"currency":"EUR","eligibleWinBackOfferIds":["a","b"],
        "appAccountToken":"7e3fb20b-4cdb-47cc-936d-99d65f608138","appTransactionId":"77",
        "commitmentInfo":{"commitmentAutoRenewProductId":"com.example.year",
        "commitmentAutoRenewStatus":1,"commitmentRenewalBillingPlanType":"BILLED_UPFRONT",
        "commitmentRenewalDate":1820000000000,"commitmentRenewalPrice":99000},
        "renewalBillingPlanType":"MONTHLY","bundleProductId":"suite",
        "bundleSubscriptionGroupIdentifier":"22","bundleOriginalTransactionId":"40",
        "willUnbundle":true,"advancedCommerceInfo":{"consistencyToken":"t",
        "requestReferenceId":"r","taxCode":"C1","descriptors":{"description":"d",
        "displayName":"n"},"period":"P1M","items":[\(advancedItem)]},
        "deviceVerification":"\(StatementAuthority.digest)",
        "deviceVerificationNonce":"\(StatementAuthority.nonce)","signedDate":1800000200000}
        """)

    static let app = JSONValue.written(
        """
        {"receiptType":"Sandbox","appAppleId":42,"bundleId":"com.example.app",
        "applicationVersion":"7","versionExternalIdentifier":43,
        "receiptCreationDate":1800000200000,"requestDate":1800000200000,
        "originalPurchaseDate":1375340400000,"originalApplicationVersion":"1.0",
        "originalPlatform":"iOS","preorderDate":1375340300000,"appTransactionId":"77",
        "appRevocationDate":1800000100000,"storeType":"EDUCATION",
        "deviceVerification":"\(StatementAuthority.digest)",
        "deviceVerificationNonce":"\(StatementAuthority.nonce)"}
        """)
}
