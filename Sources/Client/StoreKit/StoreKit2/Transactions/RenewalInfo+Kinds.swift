@available(iOS 15.0, macOS 12.0, tvOS 15.0, watchOS 8.0, visionOS 1.0, *)
extension Product.SubscriptionInfo.RenewalInfo {
    /// Why a subscription ended.
    public struct ExpirationReason: RawRepresentable, Hashable, Sendable {
        /// The number that statements write.
        public let rawValue: Int

        /// The reason of a number, be it known or not.
        public init(rawValue: Int) { self.rawValue = rawValue }

        /// The customer cancelled it.
        public static let autoRenewDisabled = ExpirationReason(rawValue: 1)
        /// The store could not charge for it.
        public static let billingError = ExpirationReason(rawValue: 2)
        /// The customer did not agree to a higher price.
        public static let didNotConsentToPriceIncrease = ExpirationReason(rawValue: 3)
        /// The product was not sold any more.
        public static let productUnavailable = ExpirationReason(rawValue: 4)
        /// Any other reason.
        public static let unknown = ExpirationReason(rawValue: 5)
        /// It left its bundle.
        public static let unbundled = ExpirationReason(rawValue: 6)

        /// The reason in words.
        @available(iOS 15.4, macOS 12.3, tvOS 15.4, watchOS 8.5, visionOS 1.0, *)
        public var localizedDescription: String {
            switch self {
            case .autoRenewDisabled: "Automatic Renewal Disabled"
            case .billingError: "Billing Error"
            case .didNotConsentToPriceIncrease: "Did Not Consent to Price Increase"
            case .productUnavailable: "Product Unavailable"
            case .unbundled: "Unbundled"
            default: "Unknown"
            }
        }
    }

    /// Whether the customer agreed to a higher price.
    @frozen public enum PriceIncreaseStatus: Hashable, Sendable, BitwiseCopyable {
        /// The price stays.
        case noIncreasePending
        /// The customer was asked, and has not answered.
        case pending
        /// The customer agreed, or needed not be asked.
        case agreed

        /// The status in words.
        @available(iOS 15.4, macOS 12.3, tvOS 15.4, watchOS 8.5, visionOS 1.0, *)
        public var localizedDescription: String {
            switch self {
            case .noIncreasePending: "No Price Increase Pending"
            case .pending: "Price Increase Pending"
            case .agreed: "Agreed to Price Increase"
            }
        }
    }
}

@available(iOS 26.4, macOS 26.4, tvOS 26.4, watchOS 26.4, visionOS 26.4, *)
extension Product.SubscriptionInfo.RenewalInfo {
    /// What happens when a commitment ends of a customer who pays a longer subscription in parts.
    public struct CommitmentInfo: Hashable, Sendable {
        /// The product of the next commitment.
        public let autoRenewPreference: String
        /// How that is paid.
        public let renewalBillingPlanType: Product.SubscriptionInfo.BillingPlanType
        /// When that begins.
        public let renewalDate: Date
        /// What that costs.
        public let renewalPrice: Decimal
        /// Whether there is a next commitment.
        public let willAutoRenew: Bool

        init?(_ backing: JSONBacking?) {
            guard let backing, let product = backing.text("commitmentAutoRenewProductId"),
                let plan = backing.text("commitmentRenewalBillingPlanType"),
                let date = backing.date("commitmentRenewalDate"),
                let price = backing.thousandths("commitmentRenewalPrice")
            else { return nil }
            autoRenewPreference = product
            renewalBillingPlanType = .init(rawValue: plan)
            renewalDate = date
            renewalPrice = price
            willAutoRenew = backing.flag("commitmentAutoRenewStatus") ?? false
        }
    }

    /// What happens when the commitment ends; `nil` if there is none.
    public var commitmentInfo: CommitmentInfo? {
        CommitmentInfo(backing.member("commitmentInfo"))
    }

    /// How the next period is paid; `nil` if the statement does not say.
    public var renewalBillingPlanType: Product.SubscriptionInfo.BillingPlanType? {
        backing.text("renewalBillingPlanType").map { .init(rawValue: $0) }
    }
}
