import Foundation

extension TransactionPayload {
    /// The JSON that is signed: the bytes that `WireCoding` makes of it.
    package func encoded() -> Data {
        var object = JSONObjectWriter(capacity: 1024)
        object.add("appAccountToken", appAccountToken)
        object.add("appTransactionId", appTransactionId)
        object.add("bundleId", bundleId)
        object.add("currency", currency)
        object.add("deviceVerification", deviceVerification)
        object.add("deviceVerificationNonce", deviceVerificationNonce)
        object.add("environment", environment)
        object.add("expiresDate", expiresDate)
        object.add("inAppOwnershipType", inAppOwnershipType)
        object.add("isUpgraded", isUpgraded)
        object.add("originalPurchaseDate", originalPurchaseDate)
        object.add("originalTransactionId", originalTransactionId.description)
        object.add("price", price)
        object.add("productId", productId)
        object.add("purchaseDate", purchaseDate)
        object.add("purchaseKey", purchaseKey)
        object.add("quantity", quantity)
        object.add("revocationDate", revocationDate)
        object.add("revocationPercentage", revocationPercentage)
        object.add("revocationReason", revocationReason)
        object.add("revocationType", revocationType)
        object.add("signedDate", signedDate)
        object.add("storefront", storefront)
        object.add("storefrontId", storefrontId)
        object.add("subscriptionGroupIdentifier", subscriptionGroupIdentifier)
        object.add("transactionId", transactionId.description)
        object.add("transactionReason", transactionReason)
        object.add("type", type)
        object.add("webOrderLineItemId", webOrderLineItemId)
        return object.finish()
    }
}
