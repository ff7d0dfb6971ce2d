/// Decides for the payment queue where the customer's storefront changes.
public protocol SKPaymentQueueDelegate: NSObjectProtocol {
    /// Whether a payment goes on although the storefront is another one than when it was
    /// added. Without an answer within about a second it fails with
    /// ``SKError/storeProductNotAvailable``.
    func paymentQueue(
        _ paymentQueue: SKPaymentQueue, shouldContinue transaction: SKPaymentTransaction,
        in newStorefront: SKStorefront
    ) -> Bool
    /// Whether the framework may ask the customer to agree to a higher price now.
    func paymentQueueShouldShowPriceConsent(_ paymentQueue: SKPaymentQueue) -> Bool
}

// Apple's optional methods.
extension SKPaymentQueueDelegate {
    /// Goes on.
    public func paymentQueue(
        _ paymentQueue: SKPaymentQueue, shouldContinue transaction: SKPaymentTransaction,
        in newStorefront: SKStorefront
    ) -> Bool { true }
    /// May ask.
    public func paymentQueueShouldShowPriceConsent(_ paymentQueue: SKPaymentQueue) -> Bool { true }
}
