/// What happens when the period of a subscription ends.
@available(iOS 18.4, macOS 15.4, tvOS 18.4, watchOS 11.4, visionOS 2.4, *)
public typealias SubscriptionRenewalInfo = Product.SubscriptionInfo.RenewalInfo

@available(iOS 15.0, macOS 12.0, tvOS 15.0, watchOS 8.0, visionOS 1.0, *)
extension Product.SubscriptionInfo {
    /// What happens when the period of a subscription ends, as the store signed it.
    ///
    /// What a statement lacks that each should have is empty or
    /// `Date.distantPast`, and the ``VerificationResult`` around the value is not
    /// verified.
    public struct RenewalInfo: Sendable, SignedValue {
        let backing: JSONBacking

        /// The number of the subscription's first transaction.
        public let originalTransactionID: UInt64
        /// The product of the period that runs, or ran last.
        public let currentProductID: String
        /// Whether the subscription goes on when the period ends.
        public let willAutoRenew: Bool
        /// The product of the next period; `nil` if there is none.
        public let autoRenewPreference: String?
        /// Whether the store tries to charge for a period that it could not charge for.
        ///
        /// True in the grace period too.
        public let isInBillingRetry: Bool
        /// Until when the customer is entitled to a period that is not paid; `nil` if there is no
        /// such period.
        public let gracePeriodExpirationDate: Date?
        /// When the store signed this statement of it.
        public let signedDate: Date

        init(_ backing: JSONBacking) throws {
            self.backing = backing
            originalTransactionID = try backing.requiredIdentifier("originalTransactionId")
            currentProductID = try backing.requiredText("productId")
            willAutoRenew = backing.flag("autoRenewStatus") ?? false
            autoRenewPreference = willAutoRenew ? backing.text("autoRenewProductId") : nil
            isInBillingRetry = backing.flag("isInBillingRetryPeriod") ?? false
            gracePeriodExpirationDate = backing.date("gracePeriodExpiresDate")
            signedDate = backing.date("signedDate") ?? .distantPast
        }

        static let guaranteedKeys = [
            "autoRenewStatus", "deviceVerification", "deviceVerificationNonce", "environment",
            "signedDate",
        ]
    }
}

extension Product.SubscriptionInfo.RenewalInfo {
    /// The payload that the store signed, as JSON.
    public var jsonRepresentation: Data { backing.data }
    /// Why the subscription ended; `nil` if it did not.
    public var expirationReason: ExpirationReason? {
        backing.integer("expirationIntent").map { ExpirationReason(rawValue: Int(clamping: $0)) }
    }
    /// Whether the customer agreed to a higher price.
    public var priceIncreaseStatus: PriceIncreaseStatus {
        switch backing.integer("priceIncreaseStatus") {
        case 0: .pending
        case 1: .agreed
        default: .noIncreasePending
        }
    }
    /// The offer of the next period; `nil` if there is none.
    @available(iOS 18.0, macOS 15.0, tvOS 18.0, watchOS 11.0, visionOS 2.0, *)
    public var offer: Transaction.Offer? { Transaction.Offer(backing) }
    /// The environment of the subscription.
    @available(iOS 16.0, macOS 13.0, tvOS 16.0, watchOS 9.0, visionOS 1.0, *)
    public var environment: AppStore.Environment { backing.environment }
    /// When the customer subscribed without a gap of more than 60 days since.
    public var recentSubscriptionStartDate: Date {
        backing.date("recentSubscriptionStartDate") ?? .distantPast
    }
    /// When the next period begins or would have begun; `nil` if the statement does not say.
    public var renewalDate: Date? { backing.date("renewalDate") }
    /// What the next period costs, in ``currency``.
    public var renewalPrice: Decimal? { backing.thousandths("renewalPrice") }
    /// The currency of ``renewalPrice``.
    @available(iOS 16.0, macOS 13.0, tvOS 16.0, watchOS 9.0, visionOS 1.0, *)
    public var currency: Locale.Currency? { backing.currency }
    /// The win-back offers that the customer may have, the best one first.
    @available(iOS 18.0, macOS 15.0, tvOS 18.0, watchOS 11.0, visionOS 2.0, *)
    public var eligibleWinBackOfferIDs: [String] {
        backing["eligibleWinBackOfferIds"]?.elements?.compactMap(\.text) ?? []
    }
    /// The SHA-384 of ``deviceVerificationNonce`` and ``AppStore/deviceVerificationID``, both in
    /// small letters; empty if the statement was made for no device.
    public var deviceVerification: Data { backing.deviceVerification }
    /// What was hashed for ``deviceVerification``.
    public var deviceVerificationNonce: UUID { backing.deviceVerificationNonce }
    /// The token that the app named when the customer subscribed.
    public var appAccountToken: UUID? { backing.uuid("appAccountToken") }
    /// The account's app transaction; empty if the statement names none.
    public var appTransactionID: String { backing.text("appTransactionId") ?? "" }
    /// The bundle that the subscription comes with; `nil` if it comes with none.
    public var bundleProductID: String? { backing.text("bundleProductId") }
    /// The group of that bundle.
    public var bundleSubscriptionGroupID: String? {
        backing.text("bundleSubscriptionGroupIdentifier")
    }
    /// The original transaction of that bundle.
    public var bundleOriginalTransactionID: String? { backing.text("bundleOriginalTransactionId") }
    /// Whether the subscription leaves its bundle with the next period.
    public var willUnbundle: Bool { backing.flag("willUnbundle") ?? false }
}

// What newer properties replace: texts as the statement writes them.
extension Product.SubscriptionInfo.RenewalInfo {
    /// The identifier of the next period's offer.
    @available(*, deprecated, message: "use offer.id")
    public var offerID: String? { backing.text("offerIdentifier") }
    /// What made the customer eligible for that offer.
    @available(*, deprecated, message: "use offer.type")
    public var offerType: Transaction.OfferType? { offer?.type }
    /// How its reduced price is paid.
    @available(*, deprecated, message: "use offer.paymentMode")
    public var offerPaymentModeStringRepresentation: String? { backing.text("offerDiscountType") }
    /// How long one period of it is, as ISO 8601 writes it.
    @available(*, deprecated, message: "use offer.period")
    public var offerPeriodStringRepresentation: String? { backing.text("offerPeriod") }
    /// The environment of the subscription.
    @available(*, deprecated, renamed: "environment")
    public var environmentStringRepresentation: String { environment.rawValue }
    /// The currency of ``renewalPrice``.
    @available(*, deprecated, renamed: "currency")
    public var currencyCode: String? { currency?.identifier }
}

extension Product.SubscriptionInfo.RenewalInfo: Hashable {
    /// Equal if the JSON of both says the same.
    public static func == (
        one: Product.SubscriptionInfo.RenewalInfo, other: Product.SubscriptionInfo.RenewalInfo
    ) -> Bool {
        one.backing == other.backing
    }

    /// Hashes what `==` compares.
    public func hash(into hasher: inout Hasher) { hasher.combine(backing) }
}

extension Product.SubscriptionInfo.RenewalInfo: CustomDebugStringConvertible {
    /// The JSON, for people.
    public var debugDescription: String { backing.prettyText }
}
