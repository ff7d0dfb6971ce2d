import Foundation
@testable import StoreKit
import Testing

struct PurchaseOptions {
    private typealias Option = Product.PurchaseOption

    @Test func `options are equal by kind and value`() {
        let token = UUID()
        let question = Option.onStorefrontChange { $0.countryCode == "USA" }
        let options: Set<Option> = [
            .quantity(2), .quantity(2), .quantity(3), .appAccountToken(token),
            .appAccountToken(token), .simulatesAskToBuyInSandbox(true), question, question,
            .onStorefrontChange { _ in false }, .custom(key: "a", value: "1"),
            .custom(key: "a", value: 1.0), .custom(key: "a", value: true),
            .custom(key: "a", value: Data([1])), .custom(key: "a", value: "1"),
            .billingPlanType(.upFront), .introductoryOfferEligibility(compactJWS: "a.b.c"),
        ]
        #expect(options.count == 12)
        #expect(
            Option.introductoryOfferEligibility(compactJWS: "a.b.c")
                == .custom(key: "introOfferEligibilityParam", value: "a.b.c"))
    }

    @Test func `a signed promotional offer is two custom options`() {
        let options = Option.promotionalOffer("spring", compactJWS: "a.b.c")
        #expect(
            options == [
                .custom(key: "adHocOfferId", value: "spring"),
                .custom(key: "adHocSignature", value: "YS5iLmM="),
            ])
    }

    @available(*, deprecated)
    @Test func `both forms of the older signature are one option`() {
        let nonce = UUID()
        let signature = Product.SubscriptionOffer.Signature(
            keyID: "key", nonce: nonce, timestamp: 1, signature: Data([7]))
        let option = Option.promotionalOffer(offerID: "spring", signature: signature)
        #expect(
            option
                == .promotionalOffer(
                    offerID: "spring", keyID: "key", nonce: nonce, signature: Data([7]),
                    timestamp: 1))
        #expect(option.debugDescription == "promotionalOffer: spring")
    }

    @Test func `no two errors of a purchase have the same reason, and each has a way out`() {
        let errors: [Product.PurchaseError] = [
            .invalidQuantity, .productUnavailable, .purchaseNotAllowed, .ineligibleForOffer,
            .invalidOfferIdentifier, .invalidOfferPrice, .invalidOfferSignature,
            .missingOfferParameters, .paymentMethodBindingConfigurationRequired,
        ]
        #expect(Set(errors.compactMap(\.failureReason)).count == errors.count)
        #expect(errors.allSatisfy { $0.recoverySuggestion != nil && $0.errorDescription != nil })
        #expect(
            Product.PurchaseError.invalidQuantity.localizedDescription.hasPrefix("The purchase"))
    }
}
