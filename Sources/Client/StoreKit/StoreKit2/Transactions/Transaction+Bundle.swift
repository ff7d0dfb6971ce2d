extension Transaction {
    /// The bundle that the subscription came with; `nil` if it came with none.
    public var bundleProductID: String? { backing.text("bundleProductId") }
    /// The group of that bundle.
    public var bundleSubscriptionGroupID: String? {
        backing.text("bundleSubscriptionGroupIdentifier")
    }
    /// The transaction of that bundle.
    public var bundleTransactionID: String? { backing.text("bundleTransactionId") }
    /// The original transaction of that bundle.
    public var bundleOriginalTransactionID: String? { backing.text("bundleOriginalTransactionId") }
    /// The original transaction of the subscription that this one took the place of.
    public var previousOriginalTransactionID: UInt64? {
        backing.identifier("previousOriginalTransactionId")
    }
}

@available(iOS 26.4, macOS 26.4, tvOS 26.4, watchOS 26.4, visionOS 26.4, *)
extension Transaction {
    /// What a customer promised who pays a longer subscription in parts.
    public struct CommitmentInfo: Hashable, Sendable {
        /// Which part this transaction pays, from 1.
        public let billingPeriodNumber: UInt64
        /// Of how many.
        public let totalBillingPeriods: UInt64
        /// When the last part's period ends.
        public let expirationDate: Date
        /// What all parts cost together.
        public let price: Decimal

        init?(_ backing: JSONBacking?) {
            guard let backing, let number = backing.integer("billingPeriodNumber"),
                let total = backing.integer("totalBillingPeriods"),
                let expirationDate = backing.date("commitmentExpiresDate"),
                let price = backing.thousandths("commitmentPrice")
            else { return nil }
            self.billingPeriodNumber = UInt64(clamping: number)
            self.totalBillingPeriods = UInt64(clamping: total)
            self.expirationDate = expirationDate
            self.price = price
        }
    }

    /// How the subscription is paid; `nil` if the statement does not say.
    public var billingPlanType: Product.SubscriptionInfo.BillingPlanType? {
        backing.text("billingPlanType").map { .init(rawValue: $0) }
    }

    /// What the customer promised; `nil` if nothing.
    public var commitmentInfo: CommitmentInfo? {
        CommitmentInfo(backing.member("commitmentInfo"))
    }
}
