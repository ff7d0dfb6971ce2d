extension Transaction {
    /// What made a customer eligible for an offer.
    public struct OfferType: RawRepresentable, Hashable, Sendable {
        /// The number that statements write.
        public let rawValue: Int

        /// The type of a number, be it known or not.
        public init(rawValue: Int) { self.rawValue = rawValue }

        /// For customers who are new to the group.
        public static let introductory = OfferType(rawValue: 1)
        /// For whom the developer chose.
        public static let promotional = OfferType(rawValue: 2)
        /// For customers with a code.
        public static let code = OfferType(rawValue: 3)
        /// For former subscribers.
        @available(iOS 18.0, macOS 15.0, tvOS 18.0, watchOS 11.0, visionOS 2.0, *)
        public static let winBack = OfferType(rawValue: 4)

        /// The type in words.
        @available(iOS 15.4, macOS 12.3, tvOS 15.4, watchOS 8.5, visionOS 1.0, *)
        public var localizedDescription: String {
            switch self {
            case .introductory: "Introductory Offer"
            case .promotional: "Promotional Offer"
            case .code: "Offer Code"
            case .winBack: "Win-Back Offer"
            default: String(rawValue)
            }
        }
    }

    /// The offer that a transaction was made with.
    @available(iOS 17.2, macOS 14.2, tvOS 17.2, watchOS 10.2, visionOS 1.1, *)
    public struct Offer: Hashable, Sendable {
        /// The identifier of the offer; `nil` for an introductory one.
        public let id: String?
        /// What made the customer eligible.
        public let type: OfferType
        /// How the reduced price is paid; `nil` if the statement does not say.
        public let paymentMode: PaymentMode?
        /// How long one period of the offer is; `nil` if the statement does not say.
        @available(iOS 18.4, macOS 15.4, tvOS 18.4, watchOS 11.4, visionOS 2.4, *)
        public let period: Product.SubscriptionPeriod?

        /// How a reduced price is paid.
        public struct PaymentMode: RawRepresentable, Hashable, Sendable {
            /// The name that statements write.
            public let rawValue: String

            /// The mode of a name, be it known or not.
            public init(rawValue: String) { self.rawValue = rawValue }

            /// Nothing is paid.
            public static let freeTrial = PaymentMode(rawValue: "FREE_TRIAL")
            /// A reduced price for each period.
            public static let payAsYouGo = PaymentMode(rawValue: "PAY_AS_YOU_GO")
            /// One payment for all periods of the offer.
            public static let payUpFront = PaymentMode(rawValue: "PAY_UP_FRONT")
            /// A reduced price for a product that does not renew.
            public static let oneTime = PaymentMode(rawValue: "ONE_TIME")
        }

        /// The offer that a statement names; `nil` if it names none.
        init?(_ backing: JSONBacking) {
            guard let type = backing.integer("offerType") else { return nil }
            self.type = OfferType(rawValue: Int(clamping: type))
            id = backing.text("offerIdentifier")
            paymentMode = backing.text("offerDiscountType").map { PaymentMode(rawValue: $0) }
            period = backing.period("offerPeriod")
        }
    }

    /// The offer that it was made with; `nil` if it was made with none.
    @available(iOS 17.2, macOS 14.2, tvOS 17.2, watchOS 10.2, visionOS 1.1, *)
    public var offer: Offer? { Offer(backing) }
}
