import Foundation

extension TransactionPayload {
    /// The JSON that is signed: what `WireCoding` makes of it, with the members in the same order, in a
    /// fraction of the time.
    package func encoded() -> Data {
        var text = JSONText()
        text.member("appAccountToken", appAccountToken)
        text.member("appTransactionId", appTransactionId)
        text.member("bundleId", bundleId)
        text.member("currency", currency)
        text.member("deviceVerification", deviceVerification)
        text.member("deviceVerificationNonce", deviceVerificationNonce)
        text.member("environment", environment)
        text.member("expiresDate", integer: expiresDate)
        text.member("inAppOwnershipType", inAppOwnershipType)
        text.member("isUpgraded", flag: isUpgraded)
        text.member("offerDiscountType", offerDiscountType)
        text.member("offerIdentifier", offerIdentifier)
        text.member("offerPeriod", offerPeriod)
        text.member("offerType", integer: offerType)
        text.member("originalPurchaseDate", integer: originalPurchaseDate)
        text.member("originalTransactionId", originalTransactionId.description)
        text.member("price", integer: price)
        text.member("productId", productId)
        text.member("purchaseDate", integer: purchaseDate)
        text.member("purchaseKey", purchaseKey)
        text.member("quantity", integer: quantity)
        text.member("revocationDate", integer: revocationDate)
        text.member("revocationPercentage", integer: revocationPercentage)
        text.member("revocationReason", integer: revocationReason)
        text.member("revocationType", revocationType)
        text.member("signedDate", integer: signedDate)
        text.member("storefront", storefront)
        text.member("storefrontId", storefrontId)
        text.member("subscriptionGroupIdentifier", subscriptionGroupIdentifier)
        text.member("transactionId", transactionId.description)
        text.member("transactionReason", transactionReason)
        text.member("type", type)
        text.member("webOrderLineItemId", webOrderLineItemId)
        return text.finished()
    }
}
