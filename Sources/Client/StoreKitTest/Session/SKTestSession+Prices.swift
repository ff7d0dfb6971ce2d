import StoreKit

extension SKTestSession {
    // MARK: Higher prices

    /// Asks the customer of a subscription whether they agree to a higher price: the app gets
    /// `Message.priceIncreaseConsent`, and the subscription's `priceIncreaseStatus` is `pending`.
    ///
    /// - Throws: ``SKTestError/noTransactionFound``; ``SKTestError/invalidProductType`` for a
    ///   transaction of another product; ``SKTestError/noSubscriptionFound`` if it has ended;
    ///   ``SKTestError/invalidAction`` if they were asked, and have not answered.
    public func requestPriceIncreaseConsentForTransaction(identifier: UInt) throws {
        try environment.run { try await $0.askConsent(ofTransaction: identifier) }
    }

    /// As ``requestPriceIncreaseConsentForTransaction(identifier:)-(UInt)``, for a number that is an
    /// `Int`.
    public func requestPriceIncreaseConsentForTransaction(identifier: Int) throws {
        try requestPriceIncreaseConsentForTransaction(identifier: try Self.unsigned(identifier))
    }

    /// Agrees to the higher price for the customer, so that the subscription renews.
    ///
    /// - Throws: as ``requestPriceIncreaseConsentForTransaction(identifier:)-(UInt)``, and
    ///   ``SKTestError/invalidAction`` if they were not asked.
    public func consentToPriceIncreaseForTransaction(identifier: UInt) throws {
        try environment.run { try await $0.answerConsent(true, ofTransaction: identifier) }
    }

    /// As ``consentToPriceIncreaseForTransaction(identifier:)-(UInt)``, for a number that is an
    /// `Int`.
    public func consentToPriceIncreaseForTransaction(identifier: Int) throws {
        try consentToPriceIncreaseForTransaction(identifier: try Self.unsigned(identifier))
    }

    /// Refuses the higher price for the customer: the subscription ends with its period.
    ///
    /// - Throws: as ``consentToPriceIncreaseForTransaction(identifier:)-(UInt)``.
    public func declinePriceIncreaseForTransaction(identifier: UInt) throws {
        try environment.run { try await $0.answerConsent(false, ofTransaction: identifier) }
    }

    /// As ``declinePriceIncreaseForTransaction(identifier:)-(UInt)``, for a number that is an `Int`.
    public func declinePriceIncreaseForTransaction(identifier: Int) throws {
        try declinePriceIncreaseForTransaction(identifier: try Self.unsigned(identifier))
    }
}
