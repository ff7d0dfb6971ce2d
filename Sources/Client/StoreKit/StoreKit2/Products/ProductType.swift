@available(iOS 15.0, macOS 12.0, tvOS 15.0, watchOS 8.0, visionOS 1.0, *)
extension Product {
    /// A kind of product.
    public struct ProductType: RawRepresentable, Hashable, Sendable {
        /// The name that JSON and statements write, such as `Non-Consumable`.
        public let rawValue: String

        /// The kind of a name, be it known or not.
        public init(rawValue: String) { self.rawValue = rawValue }

        /// It is used up, and can be bought again.
        public static let consumable = ProductType(rawValue: "Consumable")
        /// It is bought once and kept.
        public static let nonConsumable = ProductType(rawValue: "Non-Consumable")
        /// It is good for a time, and does not renew.
        public static let nonRenewable = ProductType(rawValue: "Non-Renewing Subscription")
        /// It renews until the customer cancels.
        public static let autoRenewable = ProductType(rawValue: "Auto-Renewable Subscription")
        // How Apple's JSON spells the following two is not known.
        /// It renews until the customer cancels, and has other subscriptions in it. This store sells
        /// none.
        @available(iOS 27.0, macOS 27.0, tvOS 27.0, watchOS 27.0, visionOS 27.0, *)
        public static let subscriptionBundle = ProductType(rawValue: "Subscription Bundle")
        /// It renews until the customer cancels, and has other subscriptions of the developer in it.
        /// This store sells none.
        @available(iOS 27.0, macOS 27.0, tvOS 27.0, watchOS 27.0, visionOS 27.0, *)
        public static let subscriptionSuite = ProductType(rawValue: "Subscription Suite")

        /// Whether products of the kind have a ``Product/subscription``.
        var renews: Bool {
            [.autoRenewable, .subscriptionBundle, .subscriptionSuite].contains(self)
        }
    }
}

@available(iOS 15.4, macOS 12.3, tvOS 15.4, watchOS 8.5, visionOS 1.0, *)
extension Product.ProductType {
    /// The kind, for people; the raw value of one that is not known.
    public var localizedDescription: String {
        switch self {
        case .consumable: "Consumable"
        case .nonConsumable: "Non-Consumable"
        case .nonRenewable: "Non-Renewing Subscription"
        case .autoRenewable: "Auto-Renewable Subscription"
        case .subscriptionBundle: "Subscription Bundle"
        case .subscriptionSuite: "Subscription Suite"
        default: rawValue
        }
    }
}
