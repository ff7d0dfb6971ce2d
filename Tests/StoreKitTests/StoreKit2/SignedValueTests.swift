import Foundation
@testable import StoreKit
import StoreWire
import Testing

private typealias RenewalInfo = Product.SubscriptionInfo.RenewalInfo

private func date(_ seconds: Double) -> Date { Date(timeIntervalSince1970: seconds) }

private func transaction(_ payload: JSONValue) throws -> Transaction {
    try Transaction(JSONBacking(payload.encoded()))
}

private func renewal(_ payload: JSONValue) throws -> Product.SubscriptionInfo.RenewalInfo {
    try RenewalInfo(JSONBacking(payload.encoded()))
}

private func app(_ payload: JSONValue) throws -> AppTransaction {
    try AppTransaction(JSONBacking(payload.encoded()))
}

@Suite("Values of signed statements")
struct SignedValueTests {
    @Test func `a transaction reads every key`() throws {
        let value = try transaction(FullPayload.transaction)
        #expect(value.id == 0 && value.originalID == .max && value.webOrderLineItemID == "31")
        #expect(value.productID == "com.example.pro" && value.productType == .autoRenewable)
        #expect(value.appBundleID == "com.example.app" && value.subscriptionGroupID == "21")
        #expect(value.purchaseDate == date(1_800_000_000))
        #expect(value.originalPurchaseDate == date(1_700_000_000.00025))
        #expect(value.expirationDate == date(1_802_592_000) && value.isUpgraded)
        #expect(value.purchasedQuantity == 2 && value.price == Decimal(string: "19.99"))
        #expect(value.currency?.identifier == "EUR" && value.reason == .renewal)
        #expect(value.appAccountToken?.uuidString == "7E3FB20B-4CDB-47CC-936D-99D65F608138")
        #expect(value.environment == .sandbox && value.ownershipType == .familyShared)
        #expect(value.storefront.countryCode == "DEU" && value.storefront.id == "143443")
        #expect(value.storefront.currency?.identifier == "EUR" && value.appTransactionID == "77")
        #expect(value.signedDate == date(1_800_000_200))
        #expect(try JSONValue(reading: value.jsonRepresentation) == FullPayload.transaction)
        #expect(value.debugDescription.contains("\"productId\" : \"com.example.pro\""))
    }

    @Test func `a transaction reads offer, revocation, commitment and bundle`() throws {
        let value = try transaction(FullPayload.transaction)
        #expect(value.revocationDate == date(1_800_000_100))
        #expect(value.revocationReason == .developerIssue)
        #expect(value.revocationType == .proratedRefund)
        #expect(value.revocationPercentage == Decimal(string: "50.5"))
        #expect(value.billingPlanType == .monthly)
        #expect(value.commitmentInfo?.billingPeriodNumber == 3)
        #expect(value.commitmentInfo?.totalBillingPeriods == 12)
        #expect(value.commitmentInfo?.expirationDate == date(1_820_000_000))
        #expect(value.commitmentInfo?.price == 120)
        #expect(value.bundleProductID == "suite" && value.bundleSubscriptionGroupID == "22")
        #expect(value.bundleTransactionID == "41" && value.bundleOriginalTransactionID == "40")
        #expect(value.previousOriginalTransactionID == 39)
        let offer = try #require(value.offer)
        #expect(offer.id == "spring" && offer.type == .code && offer.paymentMode == .payUpFront)
        #expect(offer.period == Product.SubscriptionPeriod(unit: .month, value: 3))
    }

    @Test func `renewal information reads every key`() throws {
        let value = try renewal(FullPayload.renewal)
        #expect(value.originalTransactionID == 12 && value.currentProductID == "com.example.pro")
        #expect(value.willAutoRenew && value.autoRenewPreference == "com.example.basic")
        #expect(value.expirationReason == .billingError && value.priceIncreaseStatus == .pending)
        #expect(value.isInBillingRetry)
        #expect(value.gracePeriodExpirationDate == date(1_800_100_000))
        #expect(value.offer?.type == .introductory && value.offer?.paymentMode == .freeTrial)
        #expect(value.environment == .sandbox && value.signedDate == date(1_800_000_200))
        #expect(value.recentSubscriptionStartDate == date(1_700_000_000))
        #expect(value.renewalDate == date(1_800_000_300))
        #expect(value.renewalPrice == Decimal(string: "4.99"))
        #expect(value.currency?.identifier == "EUR" && value.eligibleWinBackOfferIDs == ["a", "b"])
        #expect(value.appAccountToken != nil && value.appTransactionID == "77")
        #expect(value.commitmentInfo?.autoRenewPreference == "com.example.year")
        #expect(value.commitmentInfo?.renewalBillingPlanType == .upFront)
        #expect(value.commitmentInfo?.renewalDate == date(1_820_000_000))
        #expect(value.commitmentInfo?.renewalPrice == 99)
        #expect(value.commitmentInfo?.willAutoRenew == true)
        #expect(value.renewalBillingPlanType == .monthly && value.willUnbundle)
        #expect(value.bundleProductID == "suite" && value.bundleSubscriptionGroupID == "22")
        #expect(value.bundleOriginalTransactionID == "40")
        let ended = try renewal(FullPayload.renewal.with("autoRenewStatus", 0))
        #expect(!ended.willAutoRenew && ended.autoRenewPreference == nil)
        let agreed = try renewal(FullPayload.renewal.with("priceIncreaseStatus", 1))
        #expect(agreed.priceIncreaseStatus == .agreed)
    }

    @Test func `an app transaction reads every key`() throws {
        let value = try app(FullPayload.app)
        #expect(value.appID == 42 && value.appVersionID == 43 && value.appTransactionID == "77")
        #expect(value.bundleID == "com.example.app" && value.environment == .sandbox)
        #expect(value.appVersion == "7" && value.originalAppVersion == "1.0")
        #expect(value.originalPurchaseDate == date(1_375_340_400))
        #expect(value.originalPlatform == .iOS && value.storeType == .education)
        #expect(value.preorderDate == date(1_375_340_300))
        #expect(value.revocationDate == date(1_800_000_100))
        #expect(value.signedDate == date(1_800_000_200))
        // The sandbox gives no numbers; some stores write 0 for that.
        let sandbox = try app(FullPayload.app.with("appAppleId", 0))
        #expect(sandbox.appID == nil)
    }

    @Test func `advanced commerce reads every key`() throws {
        let value: Transaction = try transaction(FullPayload.transaction)
        let sold: Transaction.AdvancedCommerceInfo = try #require(value.advancedCommerceInfo)
        #expect(sold.requestReferenceID == "r" && sold.taxCode == "C1" && sold.period == .monthly)
        #expect(sold.estimatedTax == Decimal(string: "0.19") && sold.taxExclusivePrice == 1)
        #expect(sold.taxRate == Decimal(string: "0.19"))
        #expect(sold.description == "d" && sold.displayName == "n")
        let item: Transaction.AdvancedCommerceInfo.Item = try #require(sold.items.first)
        #expect(item.details.sku == "a" && item.details.displayName == "A")
        #expect(item.details.description == "An A" && item.details.price == Decimal(string: "1.99"))
        #expect(item.details.offer?.price == Decimal(string: "0.99"))
        #expect(item.details.offer?.period == .monthly && item.details.offer?.periodCount == 3)
        #expect(item.details.offer?.reason == .winBack)
        #expect(item.details.partners.map(\.id) == ["p", "q"])
        #expect(item.details.partners.map(\.name) == ["P", nil])
        #expect(item.revocationDate == date(1_800_000_001))
        let refund = try #require(item.refunds?.first)
        #expect(refund.reason == .legal && refund.type == .full)
        #expect(refund.date == date(1_800_000_000) && refund.amount == Decimal(string: "1.99"))
    }

    @Test func `advanced commerce of renewal information reads every key`() throws {
        let next = try #require(try renewal(FullPayload.renewal).advancedCommerceInfo)
        #expect(next.consistencyToken == "t" && next.requestReferenceID == "r")
        #expect(next.taxCode == "C1" && next.description == "d" && next.displayName == "n")
        #expect(next.period == .monthly && next.items.first?.details.sku == "a")
        let dearer = try #require(next.items.first?.priceIncreaseInfo)
        #expect(dearer.status == .accepted && dearer.price == Decimal(string: "2.99"))
        #expect(dearer.dependentSKUs == ["b"])
    }

    @Test func `what a statement leaves out is empty`() throws {
        let value = try transaction(
            [
                "transactionId": "1", "originalTransactionId": "1", "productId": "p",
                "purchaseDate": 0,
            ])
        #expect(value.purchaseDate == date(0) && value.originalPurchaseDate == .distantPast)
        #expect(value.expirationDate == nil && value.revocationDate == nil && !value.isUpgraded)
        #expect(value.appBundleID == "" && value.purchasedQuantity == 0 && value.price == nil)
        #expect(value.offer == nil && value.revocationReason == nil && value.currency == nil)
        #expect(value.reason == .purchase && value.ownershipType == .purchased)
        #expect(value.storefront.countryCode == "" && value.appTransactionID == "")
        #expect(value.advancedCommerceInfo == nil && value.commitmentInfo == nil)
        #expect(value.deviceVerification.isEmpty && value.signedDate == .distantPast)
        let next = try renewal(["originalTransactionId": "1", "productId": "p"])
        #expect(!next.willAutoRenew && next.expirationReason == nil && !next.isInBillingRetry)
        #expect(next.priceIncreaseStatus == .noIncreasePending && next.offer == nil)
        #expect(next.recentSubscriptionStartDate == .distantPast && next.renewalDate == nil)
        #expect(next.eligibleWinBackOfferIDs.isEmpty && !next.willUnbundle)
        let have = try app(["bundleId": "b"])
        #expect(have.originalPlatform.rawValue == "unknown" && have.storeType == .consumer)
        #expect(have.appID == nil && have.preorderDate == nil && have.appTransactionID == "")
    }

    /// What nobody writes, and anybody may send.
    private static let hostile: [JSONValue] = [
        .null, true, "", "\u{0}", "e\u{301}", "-1", "1e999",
        .string(String(repeating: "9", count: 999)),
        .number(1e300), .number(-1e300), .number(5e-324), .number(9.3e18), -1, .number(0.5), [],
        [:],
        .array(Array(repeating: [], count: 3)), [nil, 1, "", [:], ["period": "P1M"]],
        [
            "period": "P1M",
            "items": [[:], ["refunds": [[:]], "offer": ["period": "P999999999D"]]],
        ],
    ]

    @Test(arguments: 0..<3)
    func `no value of any key ends the process`(_ kind: Int) throws {
        let payload = FullPayload.all[kind]
        for key in try #require(payload.members).keys {
            for value in Self.hostile {
                let changed = payload.with(key, value)
                switch kind {
                case 0: if let value = try? transaction(changed) { read(value) }
                case 1: if let value = try? renewal(changed) { read(value) }
                default: if let value = try? app(changed) { read(value) }
                }
            }
        }
    }

    @Test func `a payload that is nested too deep is none`() {
        let deep = String(repeating: "[", count: 100_000) + String(repeating: "]", count: 100_000)
        let text = #"{"productId":"p","originalTransactionId":"1","x":\#(deep)}"#
        #expect(throws: WireFormatError.self) { try JSONBacking(Data(text.utf8)) }
    }

    @Test func `texts for people exist for every kind`() {
        let reasons: [Transaction.RevocationReason] = [.developerIssue, .other, .upgradedToBundle]
        let offers: [Transaction.OfferType] = [.introductory, .promotional, .code, .winBack]
        let owners: [Transaction.OwnershipType] = [.purchased, .familyShared, .assigned]
        let states: [Product.SubscriptionInfo.RenewalState] = [
            .subscribed, .expired, .inBillingRetryPeriod, .inGracePeriod, .revoked,
        ]
        let ends: [RenewalInfo.ExpirationReason] = [
            .autoRenewDisabled, .billingError, .didNotConsentToPriceIncrease,
            .productUnavailable, .unknown, .unbundled,
        ]
        let increases: [RenewalInfo.PriceIncreaseStatus] = [.noIncreasePending, .pending, .agreed]
        for texts: [String] in [
            reasons.map(\.localizedDescription), offers.map(\.localizedDescription),
            owners.map(\.localizedDescription), states.map(\.localizedDescription),
            ends.map(\.localizedDescription), increases.map(\.localizedDescription),
        ] {
            #expect(Set(texts).count == texts.count && !texts.contains(""))
        }
        #expect(states.map(\.rawValue) == [1, 2, 3, 4, 5])
        #expect(ends.map(\.rawValue) == [1, 2, 3, 4, 5, 6])
    }
}

/// Reads everything that an app can, dates as texts too.
private func read(_ value: Transaction) {
    let texts: [String?] = [
        value.purchaseDate.formatted(), value.originalPurchaseDate.formatted(.iso8601),
        value.expirationDate?.formatted(), value.revocationDate?.formatted(.iso8601),
        value.signedDate.description, value.commitmentInfo?.expirationDate.formatted(),
        value.debugDescription, value.price?.description, value.reason.rawValue,
        value.currency?.identifier, value.revocationPercentage?.description,
    ]
    let numbers: [Int] = [
        value.purchasedQuantity, value.deviceVerification.count, value.hashValue,
        value.offer.hashValue, value.advancedCommerceInfo.hashValue,
        value.commitmentInfo.hashValue, value.revocationReason.hashValue,
        value.appAccountToken.hashValue, value.previousOriginalTransactionID.hashValue,
    ]
    #expect(!texts.isEmpty && !numbers.isEmpty)
}

private func read(_ value: Product.SubscriptionInfo.RenewalInfo) {
    let texts: [String?] = [
        value.renewalDate?.formatted(), value.gracePeriodExpirationDate?.formatted(.iso8601),
        value.recentSubscriptionStartDate.formatted(), value.renewalPrice?.description,
        value.commitmentInfo?.renewalDate.formatted(), value.debugDescription,
        value.currency?.identifier, value.eligibleWinBackOfferIDs.first,
    ]
    let numbers: [Int] = [
        value.offer.hashValue, value.advancedCommerceInfo.hashValue,
        value.commitmentInfo.hashValue, value.expirationReason.hashValue,
        value.priceIncreaseStatus.hashValue, value.hashValue,
    ]
    #expect(!texts.isEmpty && !numbers.isEmpty)
}

private func read(_ value: AppTransaction) {
    let texts: [String?] = [
        value.originalPurchaseDate.formatted(), value.preorderDate?.formatted(.iso8601),
        value.revocationDate?.formatted(), value.debugDescription, value.storeType.rawValue,
        value.appID?.description, value.appVersionID?.description, value.environment.rawValue,
    ]
    #expect(!texts.isEmpty && value.hashValue == value.hashValue)
}
