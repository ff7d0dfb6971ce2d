@available(iOS 18.4, macOS 15.4, tvOS 18.4, watchOS 11.4, visionOS 2.4, *)
extension Product.SubscriptionInfo.RenewalInfo {
    /// What the next period is made of, where the developer's server keeps the prices.
    public struct AdvancedCommerceInfo: Hashable, Sendable {
        /// What the next request of the developer's server for the subscription must carry.
        public let consistencyToken: String
        /// The request that the subscription was made by.
        public let requestReferenceID: String
        /// The code of what is sold, which the tax goes by.
        public let taxCode: String
        /// What is sold, in a sentence.
        public let description: String
        /// The name of what is sold.
        public let displayName: String
        /// How often it renews.
        public let period: Product.SubscriptionPeriod
        /// What renews.
        public let items: [Item]

        /// Something that renews.
        public struct Item: Hashable, Sendable {
            /// What an item is.
            public typealias Details = Transaction.AdvancedCommerceInfo.Item.Details

            /// What it is.
            public let details: Details
            /// That it becomes dearer; `nil` if it does not.
            @available(iOS 26.2, macOS 26.2, tvOS 26.2, watchOS 26.2, visionOS 26.2, *)
            public let priceIncreaseInfo: PriceIncreaseInfo?

            init(_ backing: JSONBacking) {
                details = Details(backing)
                priceIncreaseInfo = PriceIncreaseInfo(backing.member("priceIncreaseInfo"))
            }
        }

        init?(_ backing: JSONBacking?) {
            guard let backing, let period = backing.period("period") else { return nil }
            consistencyToken = backing.text("consistencyToken") ?? ""
            requestReferenceID = backing.text("requestReferenceId") ?? ""
            taxCode = backing.text("taxCode") ?? ""
            description = backing.member("descriptors")?.text("description") ?? ""
            displayName = backing.member("descriptors")?.text("displayName") ?? ""
            self.period = period
            items = (backing.members("items") ?? []).map { Item($0) }
        }
    }

    /// What the next period is made of, if the developer's server keeps its prices; `nil` if not.
    public var advancedCommerceInfo: AdvancedCommerceInfo? {
        AdvancedCommerceInfo(backing.member("advancedCommerceInfo"))
    }
}

@available(iOS 26.2, macOS 26.2, tvOS 26.2, watchOS 26.2, visionOS 26.2, *)
extension Product.SubscriptionInfo.RenewalInfo.AdvancedCommerceInfo.Item {
    /// That an item becomes dearer.
    public struct PriceIncreaseInfo: Hashable, Sendable {
        /// Whether the customer agreed.
        public let status: Status
        /// The new price.
        public let price: Decimal
        /// The items that end if the customer does not agree.
        public let dependentSKUs: [String]

        /// Whether a customer agreed.
        public struct Status: RawRepresentable, Hashable, Sendable {
            /// The name that statements write.
            public let rawValue: String

            /// The status of a name, be it known or not.
            public init(rawValue: String) { self.rawValue = rawValue }

            /// The customer was asked, and has not answered.
            public static let pending = Status(rawValue: "PENDING")
            /// The customer agreed.
            public static let accepted = Status(rawValue: "ACCEPTED")
            /// The customer will be asked, or told.
            public static let scheduled = Status(rawValue: "SCHEDULED")
        }

        init?(_ backing: JSONBacking?) {
            guard let backing else { return nil }
            status = Status(rawValue: backing.text("status") ?? "")
            price = backing.thousandths("price") ?? 0
            dependentSKUs = backing["dependentSKUs"]?.elements?.compactMap(\.text) ?? []
        }
    }
}
