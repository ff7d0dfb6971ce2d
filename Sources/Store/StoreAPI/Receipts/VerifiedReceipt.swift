import StoreWire

/// An app receipt as `/verifyReceipt` shows it.
struct VerifiedReceipt: Sendable {
    var type: String
    var appStoreID: Int64
    var bundleID: String
    var applicationVersion: String
    var downloadID: Int64
    var versionNumber: Int64
    var creationDate: VerifiedDate
    var requestDate: VerifiedDate
    var originalPurchaseDate: VerifiedDate?
    var originalApplicationVersion: String?
    var expirationDate: VerifiedDate?
    var purchases: [VerifiedPurchase]

    func write(to text: inout JSONText) {
        text.member("receipt_type", type)
        text.member("adam_id", integer: appStoreID)
        text.member("app_item_id", integer: appStoreID)
        text.member("bundle_id", bundleID)
        text.member("application_version", applicationVersion)
        text.member("download_id", integer: downloadID)
        text.member("version_external_identifier", integer: versionNumber)
        text.date(
            creationDate, "receipt_creation_date", "receipt_creation_date_ms",
            "receipt_creation_date_pst")
        text.date(requestDate, "request_date", "request_date_ms", "request_date_pst")
        text.date(
            originalPurchaseDate, "original_purchase_date", "original_purchase_date_ms",
            "original_purchase_date_pst")
        text.member("original_application_version", originalApplicationVersion)
        text.date(expirationDate, "expiration_date", "expiration_date_ms", "expiration_date_pst")
        text.objects("in_app", purchases) { $1.write(to: &$0) }
    }
}

/// A transaction, of the receipt or of today.
struct VerifiedPurchase: Sendable {
    var quantity: Int64
    var productID: String
    var transactionID: String
    var originalTransactionID: String
    var purchaseDate: VerifiedDate
    var originalPurchaseDate: VerifiedDate
    var expirationDate: VerifiedDate?
    var webOrderLineItemID: String?
    var isTrialPeriod: Bool
    var isInIntroductoryPeriod: Bool?
    var isFamilyShared: Bool
    var groupID: String?
    var promotionalOfferID: String?
    var offerCodeName: String?
    var cancellationDate: VerifiedDate?
    var cancellationReason: Int64?
    var isUpgraded = false
    var accountToken: String?

    func write(to text: inout JSONText) {
        text.member("quantity", String(quantity))
        text.member("product_id", productID)
        text.member("transaction_id", transactionID)
        text.member("original_transaction_id", originalTransactionID)
        text.date(purchaseDate, "purchase_date", "purchase_date_ms", "purchase_date_pst")
        text.date(
            originalPurchaseDate, "original_purchase_date", "original_purchase_date_ms",
            "original_purchase_date_pst")
        text.date(expirationDate, "expires_date", "expires_date_ms", "expires_date_pst")
        text.member("web_order_line_item_id", webOrderLineItemID)
        text.member("is_trial_period", quotedFlag: isTrialPeriod)
        text.member("is_in_intro_offer_period", quotedFlag: isInIntroductoryPeriod)
        text.member("in_app_ownership_type", isFamilyShared ? "FAMILY_SHARED" : "PURCHASED")
        text.member("subscription_group_identifier", groupID)
        text.member("promotional_offer_id", promotionalOfferID)
        text.member("offer_code_ref_name", offerCodeName)
        text.date(
            cancellationDate, "cancellation_date", "cancellation_date_ms", "cancellation_date_pst")
        text.member("cancellation_reason", cancellationReason.map { String($0) })
        if isUpgraded { text.member("is_upgraded", "true") }
        text.member("app_account_token", accountToken)
    }
}

/// What becomes of a subscription.
struct VerifiedRenewal: Sendable {
    var productID: String
    var originalTransactionID: String
    /// The product that it goes on with.
    var renewalProductID: String
    var renews: Bool
    /// Why it has ended, or is about to because its payment failed.
    var expirationIntent: Int?
    /// Nil where the last payment has not failed, and it has not ended.
    var isInRetry: Bool?
    var graceEnd: VerifiedDate?
    /// 0 for a higher price that the customer has not agreed to, 1 where they have; nil for none.
    var priceIncrease: Int?
    var promotionalOfferID: String?
    var offerCodeName: String?

    func write(to text: inout JSONText) {
        text.member("expiration_intent", expirationIntent.map { String($0) })
        text.member("auto_renew_product_id", renewalProductID)
        text.member("is_in_billing_retry_period", isInRetry.map { $0 ? "1" : "0" })
        text.date(
            graceEnd, "grace_period_expires_date", "grace_period_expires_date_ms",
            "grace_period_expires_date_pst")
        text.member("price_consent_status", priceIncrease.map { String($0) })
        text.member("price_increase_status", priceIncrease.map { String($0) })
        text.member("promotional_offer_id", promotionalOfferID)
        text.member("offer_code_ref_name", offerCodeName)
        text.member("product_id", productID)
        text.member("original_transaction_id", originalTransactionID)
        text.member("auto_renew_status", renews ? "1" : "0")
    }
}
