import StoreKit

extension SKTestSession {
    // MARK: Payments for renewals

    /// Whether payments for renewals fail: the store tries again for sixty days, or as long as the
    /// rate has it, and the customer has nothing meanwhile; false at the beginning.
    ///
    /// ``resolveIssueForTransaction(identifier:)-(UInt)`` lets one payment go through.
    public var shouldEnterBillingRetryOnRenewal: Bool {
        get { environment.settings.value.failsRenewals }
        set { environment.change { $0.failsRenewals = newValue } }
    }

    /// Whether customers go on for a while when a payment for a renewal fails: six days by the week,
    /// and sixteen otherwise, or as long as the rate has it; false at the beginning.
    public var billingGracePeriodIsEnabled: Bool {
        get { environment.settings.value.hasGracePeriod }
        set { environment.change { $0.hasGracePeriod = newValue } }
    }

    // MARK: Subscriptions

    /// Ends a subscription now; it is not renewed.
    ///
    /// - Throws: ``SKTestError/noSubscriptionFound`` if the customer has none that runs;
    ///   ``SKTestError/invalidProductType`` for a product that is none.
    public func expireSubscription(productIdentifier: String) throws {
        try environment.run { try await $0.endPeriod(of: productIdentifier, renews: false) }
    }

    /// Ends the running period of a subscription now, and begins the next one.
    ///
    /// A subscription whose renewal is switched off ends.
    ///
    /// - Throws: as ``expireSubscription(productIdentifier:)``.
    public func forceRenewalOfSubscription(productIdentifier: String) throws {
        try environment.run { try await $0.endPeriod(of: productIdentifier, renews: true) }
    }

    /// Lets the subscription of a transaction end with its period, as if its customer had
    /// cancelled it.
    ///
    /// - Throws: ``SKTestError/noTransactionFound``; ``SKTestError/invalidProductType`` for a
    ///   transaction of another product; ``SKTestError/noSubscriptionFound`` if it has ended.
    public func disableAutoRenewForTransaction(identifier: UInt) throws {
        try environment.run { try await $0.setRenews(false, ofTransaction: identifier) }
    }

    /// As ``disableAutoRenewForTransaction(identifier:)-(UInt)``, for a number that is an `Int`.
    public func disableAutoRenewForTransaction(identifier: Int) throws {
        try disableAutoRenewForTransaction(identifier: try Self.unsigned(identifier))
    }

    /// Lets the subscription of a transaction go on by itself.
    ///
    /// - Throws: as ``disableAutoRenewForTransaction(identifier:)-(UInt)``.
    public func enableAutoRenewForTransaction(identifier: UInt) throws {
        try environment.run { try await $0.setRenews(true, ofTransaction: identifier) }
    }

    /// As ``enableAutoRenewForTransaction(identifier:)-(UInt)``, for a number that is an `Int`.
    public func enableAutoRenewForTransaction(identifier: Int) throws {
        try enableAutoRenewForTransaction(identifier: try Self.unsigned(identifier))
    }
}
