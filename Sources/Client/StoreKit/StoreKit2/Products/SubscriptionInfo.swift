import StoreWire

/// What makes a product a subscription that renews by itself.
@available(iOS 18.4, macOS 15.4, tvOS 18.4, watchOS 11.4, visionOS 2.4, *)
public typealias SubscriptionInfo = Product.SubscriptionInfo

@available(iOS 15.0, macOS 12.0, tvOS 15.0, watchOS 8.0, visionOS 1.0, *)
extension Product {
    /// What makes a product a subscription that renews by itself: its group, level, period and
    /// offers.
    public struct SubscriptionInfo: Sendable {
        /// The product's.
        let backing: JSONBacking

        /// The introductory offer, whether or not the customer is eligible for it.
        public let introductoryOffer: Product.SubscriptionOffer?
        /// The promotional offers.
        public let promotionalOffers: [Product.SubscriptionOffer]
        /// The offers for customers who have cancelled, whether or not the customer is eligible.
        @available(iOS 18.0, macOS 15.0, tvOS 18.0, watchOS 11.0, visionOS 2.0, *)
        public let winBackOffers: [Product.SubscriptionOffer]
        /// The identifier of the group that it belongs to.
        public let subscriptionGroupID: String
        /// How long it runs before it renews.
        public let subscriptionPeriod: Product.SubscriptionPeriod
        /// How it can be paid.
        @available(iOS 26.4, macOS 26.4, tvOS 26.4, watchOS 26.4, visionOS 26.4, *)
        public let pricingTerms: [PricingTerms]
        /// The subscriptions that a bundle has in it; empty for other products.
        @available(iOS 27.0, macOS 27.0, tvOS 27.0, watchOS 27.0, visionOS 27.0, *)
        public let bundledSubscriptions: [BundledSubscription]

        /// - Throws: `JSONBacking.Missing` if the JSON lacks what every subscription has.
        init(_ backing: JSONBacking, attributes: JSONValue) throws {
            self.backing = backing
            subscriptionGroupID = try attributes.required("subscriptionFamilyId").text ?? ""
            let terms: [JSONValue] = attributes["offers"]?.elements ?? []
            subscriptionPeriod = try (terms.first ?? .null).period("recurringSubscriptionPeriod")
            let locale = CatalogueLocale(attributes: attributes)
            pricingTerms = terms.compactMap { try? PricingTerms($0, in: locale) }
            let parts: [JSONValue] = attributes["bundledSubscriptions"]?.elements ?? []
            bundledSubscriptions = parts.compactMap { try? BundledSubscription($0, in: locale) }
            let offers: [SubscriptionOffer] = Self.offers(terms.first, in: locale)
            introductoryOffer = offers.first { $0.type == .introductory }
            promotionalOffers = offers.filter { $0.type == .promotional }
            winBackOffers = offers.filter { $0.type == .winBack }
        }

        /// The discounts of one of a product's offers; what can't be read is left out.
        fileprivate static func offers(
            _ terms: JSONValue?, in locale: CatalogueLocale?
        ) -> [SubscriptionOffer] {
            (terms?["discounts"]?.elements ?? []).compactMap {
                try? SubscriptionOffer(discount: $0, in: locale)
            }
        }
    }
}

@available(iOS 15.0, macOS 12.0, tvOS 15.0, watchOS 8.0, visionOS 1.0, *)
extension Product.SubscriptionInfo: Hashable {
    /// Equal if the product's JSON is.
    public static func == (a: Product.SubscriptionInfo, b: Product.SubscriptionInfo) -> Bool {
        a.backing == b.backing
    }

    /// Hashes the product's JSON.
    public func hash(into hasher: inout Hasher) { hasher.combine(backing) }
}

@available(iOS 16.4, macOS 13.3, tvOS 16.4, watchOS 9.4, visionOS 1.0, *)
extension Product.SubscriptionInfo {
    /// The level in its group: 1 is the highest; 0 if the store says none.
    public var groupLevel: Int { backing["attributes", "subscriptionFamilyRank"]?.integer ?? 0 }

    /// The group's name, in the storefront's language; empty if it has none.
    public var groupDisplayName: String {
        backing["attributes", "subscriptionFamilyName"]?.text ?? ""
    }
}

@available(iOS 26.4, macOS 26.4, tvOS 26.4, watchOS 26.4, visionOS 26.4, *)
extension Product.SubscriptionInfo {
    /// How often a subscription is paid.
    public typealias BillingPeriod = Product.SubscriptionPeriod

    /// Whether a subscription is paid at once or in parts.
    public struct BillingPlanType: RawRepresentable, Hashable, Sendable {
        /// The name that JSON and statements write.
        public let rawValue: String

        /// The plan of a name, be it known or not.
        public init(rawValue: String) { self.rawValue = rawValue }

        /// Every month, for as long as the customer has committed to.
        public static let monthly = BillingPlanType(rawValue: "MONTHLY")
        /// All of a period when it begins.
        public static let upFront = BillingPlanType(rawValue: "BILLED_UPFRONT")
    }

    /// What a customer commits to.
    public struct CommitmentInfo: Hashable, Sendable {
        /// What all of it costs, in units of the storefront's currency.
        public let price: Decimal
        /// ``price`` as people of the storefront write it.
        public var displayPrice: String { shownPrice.text }
        /// For how long.
        public let period: Product.SubscriptionPeriod

        fileprivate let shownPrice: DisplayPrice
    }

    /// One way to pay for a subscription.
    ///
    /// This store has one for each: all of a period when it begins.
    public struct PricingTerms: Hashable, Sendable {
        /// What one payment is, in units of the storefront's currency.
        public let billingPrice: Decimal
        /// ``billingPrice`` as people of the storefront write it.
        public var billingDisplayPrice: String { shownPrice.text }
        /// How often it is paid.
        public let billingPeriod: BillingPeriod
        /// Whether it is paid at once or in parts.
        public let billingPlanType: BillingPlanType
        /// What a customer commits to.
        public let commitmentInfo: CommitmentInfo
        /// The offers that go with these terms.
        public let subscriptionOffers: [Product.SubscriptionOffer]

        private let shownPrice: DisplayPrice

        /// Reads one of a product's offers.
        ///
        /// How Apple's JSON spells what a customer commits to who pays in parts is not known. Here
        /// it is a member `commitmentInfo`, named as in signed transactions, with the keys that an
        /// offer has for price and period.
        ///
        /// - Throws: `JSONBacking.Missing` if it lacks what all have.
        init(_ terms: JSONValue, in locale: CatalogueLocale?) throws {
            billingPlanType =
                terms["billingPlanType"]?.text.map { BillingPlanType(rawValue: $0) }
                ?? .upFront
            (billingPrice, shownPrice) = try terms.price(in: locale)
            billingPeriod = try terms.period("recurringSubscriptionPeriod")
            if billingPlanType == .upFront {
                commitmentInfo = CommitmentInfo(
                    price: billingPrice, period: billingPeriod, shownPrice: shownPrice)
            } else {
                let whole: JSONValue = try terms.required("commitmentInfo")
                let (price, shownPrice) = try whole.price(in: locale)
                commitmentInfo = CommitmentInfo(
                    price: price, period: try whole.period("recurringSubscriptionPeriod"),
                    shownPrice: shownPrice)
            }
            subscriptionOffers = Product.SubscriptionInfo.offers(terms, in: locale)
        }

        /// The offers of a type.
        public subscript(
            offers type: Product.SubscriptionOffer.OfferType
        ) -> [Product.SubscriptionOffer] {
            subscriptionOffers.filter { $0.type == type }
        }
    }
}
