import StoreCore
import StoreModel

/// What is done to the tester's subscriptions.
extension TestShop {
    /// Ends the running period of a subscription now.
    ///
    /// - Parameter renews: whether the next one begins.
    /// - Throws: `TestRefusal`.
    package func endPeriod(of product: String, renews: Bool) async throws {
        let found = beginning.report.products.first { $0.productID.text == product }
        guard let found else {
            throw TestRefusal(
                .invalidProductIdentifier, "The configuration has no product \(product).")
        }
        guard found.type == .autoRenewableSubscription else {
            throw TestRefusal(
                .invalidProductType,
                "\(product) is of the type \(found.type.rawValue), not an auto-renewable subscription."
            )
        }
        let testing = SubscriptionTesting(database: store.database, clock: clock)
        guard
            try await testing.endPeriod(
                of: found.productID, account: tester, app: app.id, renews: renews)
        else {
            throw TestRefusal(
                .noSubscriptionFound, "The tester has no running subscription to \(product).")
        }
        try await services.renewals.advance()
        try await tellTransactions()
    }

    /// Lets a subscription go on by itself, or end with its period.
    ///
    /// - Throws: `TestRefusal`.
    package func setRenews(_ renews: Bool, ofTransaction identifier: UInt) async throws {
        let found = try await subscriptionEntry(identifier)
        do {
            try await services.subscriberChoices.setRenews(
                renews, of: found.original.id, by: tester)
        } catch let refusal as SubscriptionChangeRefusal {
            throw TestRefusal(.noSubscriptionFound, refusal.description)
        }
    }

    /// The transaction of a subscription.
    ///
    /// - Throws: `TestRefusal`.
    private func subscriptionEntry(_ identifier: UInt) async throws -> LedgerEntry {
        let found = try await entry(identifier)
        guard found.details.productType == .autoRenewableSubscription else {
            throw TestRefusal(
                .invalidProductType,
                "The transaction \(identifier) is for \(found.details.productID), which is not an "
                    + "auto-renewable subscription.")
        }
        return found
    }

    // MARK: Prices

    /// Asks the tester about a higher price.
    ///
    /// - Throws: `TestRefusal`.
    package func askConsent(ofTransaction identifier: UInt) async throws {
        let found = try await subscriptionEntry(identifier)
        let subscription = try await store.database.read {
            try $0.renewals.subscription(found.original.id)
        }
        guard let subscription, subscription.state.isRunning else {
            throw TestRefusal(
                .noSubscriptionFound, "The subscription of the transaction \(identifier) has ended."
            )
        }
        let product = subscription.renewalProduct
        guard let account = try await account(),
            let price = try await services.offers.fullPrice(of: product, for: account, in: app.id)
        else {
            throw TestRefusal(
                .invalidAction, "\(product) is not sold in the storefront of the session.")
        }
        guard try await openConsent(about: product, account) == nil else {
            throw TestRefusal(
                .invalidAction,
                "The customer was asked about the price already, and has not answered.")
        }
        _ = try await services.offers.askConsent(
            PriceConsentDraft(
                account: tester, app: app.id, productID: product, currentPrice: price,
                newPrice: price.thousandths + Self.increase))
    }

    /// What is asked for in addition, in thousandths of the currency.
    private static let increase: Int64 = 1000

    private func openConsent(
        about product: ProductID, _ account: Account
    ) async throws -> PriceConsent? {
        try await services.offers.openConsents(of: tester, in: app.id).first {
            $0.details.productID == product
                && $0.details.isAsked(in: account.storefront.currency)
        }
    }

    /// Answers a question about a higher price for the tester; who declines is not renewed.
    ///
    /// - Throws: `TestRefusal`.
    package func answerConsent(_ isAgreed: Bool, ofTransaction identifier: UInt) async throws {
        let found = try await subscriptionEntry(identifier)
        let subscription = try await store.database.read {
            try $0.renewals.subscription(found.original.id)
        }
        guard let subscription, let account = try await account(),
            let open = try await openConsent(about: subscription.renewalProduct, account),
            try await services.offers.answerConsent(
                open.id, agreed: isAgreed, by: account, in: app)
        else {
            throw TestRefusal(
                .invalidAction,
                "The customer of \(identifier) has no open question about a price: nobody has asked, or "
                    + "it was answered.")
        }
    }
}
