import Foundation
import StoreWire

/// The answer of `/verifyReceipt` about the receipt of one transaction, in the form from before
/// app receipts.
struct VerifyTransactionAnswer: Sendable {
    var environment: String
    var receipt: VerifiedTransaction
    var subscription: Subscription?

    /// What is so today of the transaction's subscription.
    struct Subscription: Sendable {
        /// Its last transaction.
        var latest: VerifiedTransaction
        /// The receipt of that; nil where the subscription has expired.
        var latestReceipt: Data?
        /// Nil where nothing is known of a renewal.
        var renewal: VerifiedRenewal?
    }

    /// Valid, unless it is of a subscription that has expired.
    var status: VerifyReceiptStatus {
        guard let subscription else { return .valid }
        return subscription.latestReceipt == nil ? .subscriptionExpired : .valid
    }

    func encoded() -> Data {
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
struct VerifiedTransaction: Sendable {
    var bundleID: String
    var applicationVersion: String
    var itemID: String
    var deviceIdentifier: String
    var vendorIdentifier: String?
    var productID: String
    var quantity: Int64
    var transactionID: String
    var originalTransactionID: String
    var purchaseDate: VerifiedDate
    var originalPurchaseDate: VerifiedDate
    /// Of a subscription, with what else only these have.
    var period: Period?
    var cancellationDate: VerifiedDate?
    var cancellationReason: Int64?

    /// A period of a subscription.
    struct Period: Sendable {
        var end: VerifiedDate
        var webOrderLineItemID: String?
        var groupID: String?
        var isTrialPeriod: Bool
        var isInIntroductoryPeriod: Bool
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
