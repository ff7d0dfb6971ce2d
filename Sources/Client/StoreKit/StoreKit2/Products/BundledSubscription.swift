import StoreWire

@available(iOS 27.0, macOS 27.0, tvOS 27.0, watchOS 27.0, visionOS 27.0, *)
extension Product.SubscriptionInfo {
    /// A subscription that a bundle has in it.
    ///
    /// This store sells no bundles, so the list is empty for its own products.
    public struct BundledSubscription: Hashable, Sendable {
        /// The identifier of the product that it is on its own.
        public let id: Product.ID
        /// The name, in the storefront's language; empty if it has none.
        public let displayName: String
        /// The description, in the storefront's language.
        public let description: String
        /// What it costs on its own, in units of the storefront's currency.
        public let price: Decimal
        /// ``price`` as people of the storefront write it.
        public var displayPrice: String { shownPrice.text }
        /// Whether the customer's family may use it too.
        public let isFamilyShareable: Bool
        /// The identifier of the group that it belongs to.
        public let subscriptionGroupID: String
        /// The level in that group: 1 is the highest; 0 if the store says none.
        public let subscriptionGroupLevel: Int
        /// The group's name, in the storefront's language; empty if it has none.
        public let subscriptionGroupDisplayName: String

        private let shownPrice: DisplayPrice

        /// Reads one of the bundle's `bundledSubscriptions`.
        ///
        /// How Apple's JSON spells them is not known. Here each has the keys that the attributes of
        /// a product have.
        ///
        /// - Parameter locale: the bundle's, for one that names none.
        /// - Throws: `JSONBacking.Missing` if it lacks what every subscription has.
        init(_ attributes: JSONValue, in locale: CatalogueLocale?) throws {
            let offer: JSONValue = attributes["offers"]?.elements?.first ?? .null
            id = try attributes.requiredText("offerName")
            displayName = attributes["name"]?.text ?? ""
            description = attributes["description"]?["standard"]?.text ?? ""
            (price, shownPrice) = try offer.price(
                in: CatalogueLocale(attributes: attributes) ?? locale)
            isFamilyShareable = attributes["isFamilyShareable"] == 1
            subscriptionGroupID = try attributes.requiredText("subscriptionFamilyId")
            subscriptionGroupLevel = attributes["subscriptionFamilyRank"]?.integer ?? 0
            subscriptionGroupDisplayName = attributes["subscriptionFamilyName"]?.text ?? ""
        }
    }
}
