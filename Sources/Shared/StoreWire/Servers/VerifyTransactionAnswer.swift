import Foundation

/// The answer of `/verifyReceipt` about the receipt of one transaction, in the form from before
/// app receipts.
package struct VerifyTransactionAnswer: Sendable {
    package var environment: String
    package var receipt: VerifiedTransaction
    package var subscription: Subscription?

    /// What is so today of the transaction's subscription.
    package struct Subscription: Sendable {
        /// Its last transaction.
        package var latest: VerifiedTransaction
        /// The receipt of that; nil where the subscription has expired.
        package var latestReceipt: Data?
        /// Nil where nothing is known of a renewal.
        package var renewal: VerifiedRenewal?

        package init(latest: VerifiedTransaction, latestReceipt: Data?, renewal: VerifiedRenewal?) {
            self.latest = latest
            self.latestReceipt = latestReceipt
            self.renewal = renewal
        }
    }

    package init(
        environment: String, receipt: VerifiedTransaction, subscription: Subscription? = nil
    ) {
        self.environment = environment
        self.receipt = receipt
        self.subscription = subscription
    }

    /// Valid, unless it is of a subscription that has expired.
    package var status: VerifyReceiptStatus {
        guard let subscription else { return .valid }
        return subscription.latestReceipt == nil ? .subscriptionExpired : .valid
    }

    package func encoded() -> Data {
        var text = JSONText(capacity: 8192)
        text.object("receipt") { receipt.write(to: &$0) }
        if let subscription {
            if let latestReceipt = subscription.latestReceipt {
                text.object("latest_receipt_info") { subscription.latest.write(to: &$0) }
                text.member("latest_receipt", base64: latestReceipt)
            } else {
                text.object("latest_expired_receipt_info") { subscription.latest.write(to: &$0) }
            }
            if let renewal = subscription.renewal {
                text.member("auto_renew_product_id", renewal.renewalProductID)
                text.member("auto_renew_status", integer: renewal.renews ? 1 : 0)
                text.member("expiration_intent", renewal.expirationIntent.map { String($0) })
                text.member(
                    "is_in_billing_retry_period", renewal.isInRetry.map { $0 ? "1" : "0" })
            }
        }
        text.member("environment", environment)
        text.member("status", integer: status.rawValue)
        return text.finished()
    }
}

/// A transaction as the receipt of one shows it.
package struct VerifiedTransaction: Sendable {
    package var bundleID: String
    package var applicationVersion: String
    package var itemID: String
    package var deviceIdentifier: String
    package var vendorIdentifier: String?
    package var productID: String
    package var quantity: Int64
    package var transactionID: String
    package var originalTransactionID: String
    package var purchaseDate: VerifiedDate
    package var originalPurchaseDate: VerifiedDate
    /// Of a subscription, with what else only these have.
    package var period: Period?
    package var cancellationDate: VerifiedDate?
    package var cancellationReason: Int64?

    /// A period of a subscription.
    package struct Period: Sendable {
        package var end: VerifiedDate
        package var webOrderLineItemID: String?
        package var groupID: String?
        package var isTrialPeriod: Bool
        package var isInIntroductoryPeriod: Bool

        package init(
            end: VerifiedDate, webOrderLineItemID: String?, groupID: String?,
            isTrialPeriod: Bool, isInIntroductoryPeriod: Bool
        ) {
            self.end = end
            self.webOrderLineItemID = webOrderLineItemID
            self.groupID = groupID
            self.isTrialPeriod = isTrialPeriod
            self.isInIntroductoryPeriod = isInIntroductoryPeriod
        }
    }

    package init(
        bundleID: String, applicationVersion: String, itemID: String, deviceIdentifier: String,
        productID: String, quantity: Int64, transactionID: String, originalTransactionID: String,
        purchaseDate: VerifiedDate, originalPurchaseDate: VerifiedDate
    ) {
        self.bundleID = bundleID
        self.applicationVersion = applicationVersion
        self.itemID = itemID
        self.deviceIdentifier = deviceIdentifier
        self.productID = productID
        self.quantity = quantity
        self.transactionID = transactionID
        self.originalTransactionID = originalTransactionID
        self.purchaseDate = purchaseDate
        self.originalPurchaseDate = originalPurchaseDate
    }

    func write(to text: inout JSONText) {
        text.date(
            originalPurchaseDate, "original_purchase_date", "original_purchase_date_ms",
            "original_purchase_date_pst")
        text.date(purchaseDate, "purchase_date", "purchase_date_ms", "purchase_date_pst")
        text.member("unique_identifier", deviceIdentifier)
        text.member("unique_vendor_identifier", vendorIdentifier)
        text.member("original_transaction_id", originalTransactionID)
        text.member("transaction_id", transactionID)
        text.member("bvrs", applicationVersion)
        text.member("bid", bundleID)
        text.member("item_id", itemID)
        text.member("product_id", productID)
        text.member("quantity", String(quantity))
        if let period {
            // The only date whose plain name holds milliseconds.
            text.member("expires_date", period.end.milliseconds)
            text.member("expires_date_formatted", period.end.gmt)
            text.member("expires_date_formatted_pst", period.end.pacific)
            text.member("web_order_line_item_id", period.webOrderLineItemID)
            text.member("subscription_group_identifier", period.groupID)
            text.member("is_trial_period", quotedFlag: period.isTrialPeriod)
            text.member("is_in_intro_offer_period", quotedFlag: period.isInIntroductoryPeriod)
        }
        text.date(
            cancellationDate, "cancellation_date", "cancellation_date_ms", "cancellation_date_pst")
        text.member("cancellation_reason", cancellationReason.map { String($0) })
    }
}
