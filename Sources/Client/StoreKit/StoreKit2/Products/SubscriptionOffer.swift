import StoreModel
import StoreWire

@available(iOS 15.0, macOS 12.0, tvOS 15.0, watchOS 8.0, visionOS 1.0, *)
extension Product {
    /// A reduced price of a subscription.
    public struct SubscriptionOffer: Hashable, Sendable {
        /// The identifier; `nil` for an introductory offer.
        public let id: String?
        /// What makes a customer eligible.
        public let type: Product.SubscriptionOffer.OfferType
        /// The reduced price for one period, in units of the storefront's currency; 0 for a free
        /// trial.
        public let price: Decimal
        /// ``price`` as people of the storefront write it.
        public var displayPrice: String { shownPrice.text }
        /// How long one period of the offer is.
        public let period: Product.SubscriptionPeriod
        /// For how many periods the offer is good: 1 unless it is paid as one goes.
        public let periodCount: Int
        /// How the reduced price is paid.
        public let paymentMode: Product.SubscriptionOffer.PaymentMode

        private let shownPrice: DisplayPrice

        /// Reads a discount of a product's JSON.
        ///
        /// - Throws: `JSONBacking.Missing` if it lacks what every offer has.
        init(discount: JSONValue, in locale: CatalogueLocale?) throws {
            id = discount["offerId"]?.text
            type = OfferType(rawValue: try discount.required("type").text ?? "")
            (price, shownPrice) = try discount.price(in: locale)
            period = try discount.period("recurringSubscriptionPeriod")
            periodCount = max(1, discount["numOfPeriods"]?.integer ?? 1)
            paymentMode = PaymentMode(rawValue: try discount.required("modeType").text ?? "")
        }
    }
}

@available(iOS 15.0, macOS 12.0, tvOS 15.0, watchOS 8.0, visionOS 1.0, *)
extension Product.SubscriptionOffer {
    /// What makes a customer eligible for an offer.
    public struct OfferType: RawRepresentable, Hashable, Sendable {
        /// The name in the product's JSON.
        public let rawValue: String

        /// The type of a name, be it known or not.
        public init(rawValue: String) { self.rawValue = rawValue }

        /// For customers who are new to the subscription group.
        public static let introductory = OfferType(rawValue: "IntroOffer")
        /// For customers whom the developer's server picks.
        public static let promotional = OfferType(rawValue: "AdhocOffer")
        /// For customers who have cancelled.
        @available(iOS 18.0, macOS 15.0, tvOS 18.0, watchOS 11.0, visionOS 2.0, *)
        public static let winBack = OfferType(rawValue: "WinbackOffer")
    }

    /// How a reduced price is paid.
    public struct PaymentMode: RawRepresentable, Hashable, Sendable {
        /// The name in the product's JSON.
        public let rawValue: String

        /// The mode of a name, be it known or not.
        public init(rawValue: String) { self.rawValue = rawValue }

        /// The reduced price is paid for each period.
        public static let payAsYouGo = PaymentMode(rawValue: "PayAsYouGo")
        /// The reduced price is paid once, for all of the offer.
        public static let payUpFront = PaymentMode(rawValue: "PayUpFront")
        /// Nothing is paid.
        public static let freeTrial = PaymentMode(rawValue: "FreeTrial")
    }
}

@available(iOS 15.4, macOS 12.3, tvOS 15.4, watchOS 8.5, visionOS 1.0, *)
extension Product.SubscriptionOffer.OfferType {
    /// The type, for people; the raw value of one that is not known.
    public var localizedDescription: String {
        switch self {
        case .introductory: "Introductory Offer"
        case .promotional: "Promotional Offer"
        case .winBack: "Win-Back Offer"
        default: rawValue
        }
    }
}

@available(iOS 15.4, macOS 12.3, tvOS 15.4, watchOS 8.5, visionOS 1.0, *)
extension Product.SubscriptionOffer.PaymentMode {
    /// The mode, for people; the raw value of one that is not known.
    public var localizedDescription: String {
        switch self {
        case .payAsYouGo: "Pay As You Go"
        case .payUpFront: "Pay Up Front"
        case .freeTrial: "Free Trial"
        default: rawValue
        }
    }
}

@available(iOS 17.4, macOS 14.4, tvOS 17.4, watchOS 10.4, visionOS 1.1, *)
extension Product.SubscriptionOffer {
    /// The developer's server's signature for a promotional offer.
    @available(
        *, deprecated, message: "Sign the offer as JWS, and use promotionalOffer(_:compactJWS:)."
    )
    public struct Signature: Hashable, Sendable {
        /// The identifier of the key that signed.
        public var keyID: String
        /// What makes the signature good for one purchase.
        public var nonce: UUID
        /// When it was signed, in milliseconds since 1970.
        public var timestamp: Int
        /// The signature itself.
        public var signature: Data

        /// A signature as the developer's server sent it.
        public init(keyID: String, nonce: UUID, timestamp: Int, signature: Data) {
            self.keyID = keyID
            self.nonce = nonce
            self.timestamp = timestamp
            self.signature = signature
        }
    }
}
