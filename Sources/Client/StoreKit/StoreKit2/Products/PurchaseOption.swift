@available(iOS 15.0, macOS 12.0, tvOS 15.0, watchOS 8.0, visionOS 1.0, *)
extension Product {
    /// An option of a purchase.
    ///
    /// Options are equal by kind and value: a set can have two of a kind. Such a purchase fails,
    /// save for questions about the storefront, which are all asked, and custom options of
    /// different keys.
    public struct PurchaseOption: Hashable, Sendable {
        let kind: Kind
    }
}

extension Product.PurchaseOption {
    /// What an option says.
    enum Kind: Hashable, Sendable {
        case appAccountToken(UUID)
        case quantity(Int)
        case simulatesAskToBuyInSandbox(Bool)
        case onStorefrontChange(StorefrontQuestion)
        case promotionalOffer(SignedOffer)
        case winBackOffer(Product.SubscriptionOffer)
        case billingPlanType(Product.SubscriptionInfo.BillingPlanType)
        case custom(key: String, value: CustomValue)
    }

    /// A promotional offer with the developer's server's signature.
    struct SignedOffer: Hashable, Sendable {
        let offerID: String
        let keyID: String
        let nonce: UUID
        let signature: Data
        /// Milliseconds since 1970.
        let timestamp: Int
    }

    enum CustomValue: Hashable, Sendable {
        case text(String)
        case number(Double)
        case flag(Bool)
        case data(Data)
    }

    /// Whether a purchase goes on in another storefront: equal to itself only, as closures can't
    /// be compared.
    final class StorefrontQuestion: Hashable, Sendable {
        let shouldContinue: @Sendable (Storefront) -> Bool

        init(_ shouldContinue: @escaping @Sendable (Storefront) -> Bool) {
            self.shouldContinue = shouldContinue
        }

        static func == (a: StorefrontQuestion, b: StorefrontQuestion) -> Bool { a === b }

        func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
    }

    /// The keys of custom options that stand for an option of their own.
    enum Key {
        static let offerID = "adHocOfferId"
        static let offerSignature = "adHocSignature"
        static let introductoryEligibility = "introOfferEligibilityParam"
    }
}

@available(iOS 15.0, macOS 12.0, tvOS 15.0, watchOS 8.0, visionOS 1.0, *)
extension Product.PurchaseOption {
    /// A UUID by which the app knows its customer; the transaction carries it.
    public static func appAccountToken(_ token: UUID) -> Product.PurchaseOption {
        Self(kind: .appAccountToken(token))
    }

    /// How many are bought: from 1 to 10, and 1 for what is kept or renews by itself.
    public static func quantity(_ quantity: Int) -> Product.PurchaseOption {
        Self(kind: .quantity(quantity))
    }

    /// Whether a purchase in the sandbox waits for approval, as a child's does.
    public static func simulatesAskToBuyInSandbox(
        _ simulateAskToBuy: Bool
    ) -> Product.PurchaseOption {
        Self(kind: .simulatesAskToBuyInSandbox(simulateAskToBuy))
    }

    /// Asks the app whether the purchase goes on if the customer's storefront turns out to be
    /// another; without this option it does.
    ///
    /// - Parameter shouldContinuePurchase: gets the new storefront.
    @preconcurrency public static func onStorefrontChange(
        shouldContinuePurchase: @escaping @Sendable (Storefront) -> Bool
    ) -> Product.PurchaseOption {
        Self(kind: .onStorefrontChange(StorefrontQuestion(shouldContinuePurchase)))
    }

    /// A promotional offer, with the developer's server's signature.
    ///
    /// - Parameters:
    ///   - offerID: the identifier of the offer.
    ///   - keyID: the identifier of the key that has signed it.
    ///   - nonce: a number that the server used once.
    ///   - signature: the signature, DER.
    ///   - timestamp: when it was signed, in milliseconds since 1970.
    @available(*, deprecated, renamed: "promotionalOffer(_:compactJWS:)")
    public static func promotionalOffer(
        offerID: String, keyID: String, nonce: UUID, signature: Data, timestamp: Int
    ) -> Product.PurchaseOption {
        Self(
            kind: .promotionalOffer(
                SignedOffer(
                    offerID: offerID, keyID: keyID, nonce: nonce, signature: signature,
                    timestamp: timestamp)))
    }

    /// A promotional offer, with the developer's server's signature.
    @available(iOS 17.4, macOS 14.4, tvOS 17.4, watchOS 10.4, visionOS 1.1, *)
    @available(*, deprecated, renamed: "promotionalOffer(_:compactJWS:)")
    public static func promotionalOffer(
        offerID: String, signature: Product.SubscriptionOffer.Signature
    ) -> Product.PurchaseOption {
        promotionalOffer(
            offerID: offerID, keyID: signature.keyID, nonce: signature.nonce,
            signature: signature.signature, timestamp: signature.timestamp)
    }

    /// A promotional offer, with the developer's server's permission as JWS: the options of the
    /// purchase that say so.
    public static func promotionalOffer(
        _ offerID: String, compactJWS: String
    ) -> [Product.PurchaseOption] {
        [
            .custom(key: Key.offerID, value: offerID),
            .custom(
                key: Key.offerSignature, value: Data(compactJWS.utf8).base64EncodedString()),
        ]
    }

    /// An offer for a customer who has cancelled.
    @available(iOS 18.0, macOS 15.0, tvOS 18.0, watchOS 11.0, visionOS 2.0, *)
    public static func winBackOffer(
        _ offer: Product.SubscriptionOffer
    ) -> Product.PurchaseOption {
        Self(kind: .winBackOffer(offer))
    }

    /// Whether the customer is eligible for the introductory offer, as the developer's server says
    /// in a JWS.
    public static func introductoryOfferEligibility(compactJWS: String) -> Product.PurchaseOption {
        .custom(key: Key.introductoryEligibility, value: compactJWS)
    }

    /// How a subscription is paid: by one of its ``Product/SubscriptionInfo/pricingTerms``.
    ///
    /// A purchase by a plan that the product has not throws `StoreKitError.unsupported`.
    @available(iOS 26.4, macOS 26.4, tvOS 26.4, watchOS 26.4, visionOS 26.4, *)
    public static func billingPlanType(
        _ type: Product.SubscriptionInfo.BillingPlanType
    ) -> Product.PurchaseOption {
        Self(kind: .billingPlanType(type))
    }

    /// An option by its name, with a text.
    public static func custom(key: String, value: String) -> Product.PurchaseOption {
        Self(kind: .custom(key: key, value: .text(value)))
    }

    /// An option by its name, with a number.
    public static func custom(key: String, value: Double) -> Product.PurchaseOption {
        Self(kind: .custom(key: key, value: .number(value)))
    }

    /// An option by its name, with a flag.
    public static func custom(key: String, value: Bool) -> Product.PurchaseOption {
        Self(kind: .custom(key: key, value: .flag(value)))
    }

    /// An option by its name, with bytes.
    public static func custom(key: String, value: Data) -> Product.PurchaseOption {
        Self(kind: .custom(key: key, value: .data(value)))
    }
}

@available(iOS 15.0, macOS 12.0, tvOS 15.0, watchOS 8.0, visionOS 1.0, *)
extension Product.PurchaseOption: CustomDebugStringConvertible {
    /// What the option says; of signatures nothing but that they are there.
    public var debugDescription: String {
        switch kind {
        case .appAccountToken(let token): "appAccountToken: \(token)"
        case .quantity(let quantity): "quantity: \(quantity)"
        case .simulatesAskToBuyInSandbox(let simulates): "simulatesAskToBuyInSandbox: \(simulates)"
        case .onStorefrontChange: "onStorefrontChange"
        case .promotionalOffer(let offer): "promotionalOffer: \(offer.offerID)"
        case .winBackOffer(let offer): "winBackOffer: \(offer.id ?? "")"
        case .billingPlanType(let type): "billingPlanType: \(type.rawValue)"
        case .custom(let key, _): "custom: \(key)"
        }
    }
}
