import StoreModel

/// The payload of signed renewal information, with the keys of Apple's
/// `JWSRenewalInfoDecodedPayload`.
package struct RenewalPayload: Codable, Sendable, Hashable {
    package var originalTransactionId: TransactionID
    package var productId: String
    package var autoRenewProductId: String
    /// 1 where the subscription goes on, 0 where it ends with the period.
    package var autoRenewStatus: Int
    package var environment: String
    package var signedDate: Int64
    package var recentSubscriptionStartDate: Int64
    package var renewalDate: Int64
    package var isInBillingRetryPeriod: Bool?
    /// 1 cancelled, 2 billing error, 3 price increase refused, 4 product unavailable, 5 other.
    package var expirationIntent: Int?
    package var gracePeriodExpiresDate: Int64?
    /// 0 where the customer has not answered, 1 where they agreed.
    package var priceIncreaseStatus: Int?
    /// ISO 4217.
    package var currency: String?
    /// Thousandths of the currency.
    package var renewalPrice: Int64?
    /// The offer of the next period, as in signed transactions.
    package var offerType: Int?
    package var offerIdentifier: String?
    package var offerDiscountType: String?
    package var offerPeriod: String?
    package var eligibleWinBackOfferIds: [String]?
    package var appAccountToken: String?
    package var appTransactionId: String?
    /// Binds it to one device: the SHA-384 of nonce and device identifier, Base64; `nil` for
    /// servers.
    package var deviceVerification: String?
    /// A UUID in lower case.
    package var deviceVerificationNonce: String?

    package init(
        originalTransactionId: TransactionID, productId: String, autoRenewProductId: String,
        autoRenewStatus: Int, environment: String, signedDate: Int64,
        recentSubscriptionStartDate: Int64, renewalDate: Int64
    ) {
        self.originalTransactionId = originalTransactionId
        self.productId = productId
        self.autoRenewProductId = autoRenewProductId
        self.autoRenewStatus = autoRenewStatus
        self.environment = environment
        self.signedDate = signedDate
        self.recentSubscriptionStartDate = recentSubscriptionStartDate
        self.renewalDate = renewalDate
    }
}
