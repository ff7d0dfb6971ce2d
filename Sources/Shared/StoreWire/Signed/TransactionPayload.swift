import StoreModel

/// The payload of a signed transaction, with the keys of Apple's
/// `JWSTransactionDecodedPayload`.
package struct TransactionPayload: Codable, Sendable, Hashable {
    package var transactionId: TransactionID
    package var originalTransactionId: TransactionID
    package var bundleId: String
    package var productId: String
    package var type: String
    package var quantity: Int
    package var purchaseDate: Int64
    package var originalPurchaseDate: Int64
    package var signedDate: Int64
    package var environment: String
    package var inAppOwnershipType: String
    package var transactionReason: String
    /// Alpha-3 code and numeric identifier of the storefront.
    package var storefront: String
    package var storefrontId: String
    package var currency: String
    /// Thousandths of the currency, for the whole quantity.
    package var price: Int64
    /// The application user name, where it was a UUID.
    package var appAccountToken: String?
    /// That the account has the app.
    package var appTransactionId: String?
    /// Of a subscription's charge.
    package var webOrderLineItemId: String?
    package var subscriptionGroupIdentifier: String?
    package var expiresDate: Int64?
    /// True where the customer went on to a better product before the period's end.
    package var isUpgraded: Bool?
    package var revocationDate: Int64?
    /// 1 for an issue with the app, 0 for another reason.
    package var revocationReason: Int?
    package var revocationType: String?
    /// Thousandths of a per cent of the price.
    package var revocationPercentage: Int?
    /// The offer of the period: 1 introductory, 2 promotional, 3 of a code, 4 win-back.
    package var offerType: Int?
    package var offerIdentifier: String?
    /// `FREE_TRIAL`, `PAY_AS_YOU_GO` or `PAY_UP_FRONT`.
    package var offerDiscountType: String?
    /// How long one period of the offer is, ISO 8601.
    package var offerPeriod: String?
    /// The key of the purchase or restore, an addition to Apple's: it binds the answer to the
    /// one payment that asked for it.
    package var purchaseKey: String?
    /// The transaction of the paid period, where an order of a subscription has begun none: an
    /// addition to Apple's, for devices.
    package var periodTransactionId: TransactionID?
    /// Binds it to one device: the SHA-384 of nonce and device identifier, Base64; `nil` for
    /// servers.
    package var deviceVerification: String?
    /// A UUID in lower case.
    package var deviceVerificationNonce: String?

    package init(
        transactionId: TransactionID, originalTransactionId: TransactionID, bundleId: String,
        productId: String, type: String, quantity: Int, purchaseDate: Int64,
        originalPurchaseDate: Int64, signedDate: Int64, environment: String,
        inAppOwnershipType: String, transactionReason: String, storefront: String,
        storefrontId: String, currency: String, price: Int64, appAccountToken: String?,
        purchaseKey: String? = nil
    ) {
        self.transactionId = transactionId
        self.originalTransactionId = originalTransactionId
        self.bundleId = bundleId
        self.productId = productId
        self.type = type
        self.quantity = quantity
        self.purchaseDate = purchaseDate
        self.originalPurchaseDate = originalPurchaseDate
        self.signedDate = signedDate
        self.environment = environment
        self.inAppOwnershipType = inAppOwnershipType
        self.transactionReason = transactionReason
        self.storefront = storefront
        self.storefrontId = storefrontId
        self.currency = currency
        self.price = price
        self.appAccountToken = appAccountToken
        self.purchaseKey = purchaseKey
    }
}
