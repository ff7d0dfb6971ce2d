import StoreCore
import StoreKit
import StoreModel

/// What is done to the tester's subscriptions.
extension TestEnvironment {
    /// Ends the running period of a subscription now.
    ///
    /// - Parameter renews: whether the next one begins.
    /// - Throws: `SKTestError`.
    func endPeriod(of product: String, renews: Bool) async throws {
        try requireCharge()
        let found = shop.report.products.first { $0.productID.text == product }
        guard let found else {
            throw SKTestError(
                .invalidProductIdentifier, "The configuration has no product \(product).")
        }
        guard found.type == .autoRenewableSubscription else {
            throw SKTestError(
                .invalidProductType,
                "\(product) is a \(found.type.rawValue), and no auto-renewable subscription.")
        }
        let testing = SubscriptionTesting(database: store.database, clock: clock)
        guard
            try await testing.endPeriod(
                of: found.productID, account: tester, app: app.id, renews: renews)
        else {
            throw SKTestError(
                .noSubscriptionFound, "There is no subscription to \(product) that runs.")
        }
        try await services.renewals.advance()
        try await tellTransactions()
    }

    /// Lets a subscription go on by itself, or end with its period.
    ///
    /// - Throws: `SKTestError`.
    func setRenews(_ renews: Bool, ofTransaction identifier: UInt) async throws {
        let found = try await subscriptionEntry(identifier)
        do {
            try await services.subscriberChoices.setRenews(
                renews, of: found.original.id, by: tester)
        } catch let refusal as SubscriptionChangeRefusal {
            throw SKTestError(.noSubscriptionFound, refusal.description)
        }
    }

    /// The transaction of a subscription.
    ///
    /// - Throws: `SKTestError`.
    private func subscriptionEntry(_ identifier: UInt) async throws -> LedgerEntry {
        try requireCharge()
        var found: LedgerEntry?
        if let id = TransactionID(identifier) {
            found = try await store.database.read { try $0.ledger.entry(id) }
        }
        guard let found, found.details.account == tester else { throw Self.unknown(identifier) }
        guard found.details.productType == .autoRenewableSubscription else {
            throw SKTestError(
                .invalidProductType,
                "The transaction \(identifier) is of \(found.details.productID), which is no "
                    + "auto-renewable subscription.")
        }
        return found
    }

    // MARK: Prices

    /// Asks the tester about a higher price.
    ///
    /// - Throws: `SKTestError`.
    func askConsent(ofTransaction identifier: UInt) async throws {
        let found = try await subscriptionEntry(identifier)
        let subscription = try await store.database.read {
            try $0.renewals.subscription(found.original.id)
        }
        guard let subscription, subscription.state.isRunning else {
            throw SKTestError(
                .noSubscriptionFound, "The subscription of the transaction \(identifier) has ended."
            )
        }
        let known = try await services.offers.openConsents(of: tester, in: app.id)
        guard !known.contains(where: { $0.details.productID == subscription.renewalProduct }) else {
            throw SKTestError(
                .invalidAction,
                "The customer was asked about the price already, and has not answered.")
        }
        _ = try await services.offers.askConsent(
            PriceConsentDraft(
                account: tester, app: app.id, productID: subscription.renewalProduct,
                newPrice: found.details.unitPrice.thousandths + Self.increase))
        services.events.nudge(tester)
    }

    /// What is asked for in addition, in thousandths of the currency.
    private static let increase: Int64 = 1000

    /// Answers a question about a higher price for the tester; who declines is not renewed.
    ///
    /// - Throws: `SKTestError`.
    func answerConsent(_ isAgreed: Bool, ofTransaction identifier: UInt) async throws {
        let found = try await subscriptionEntry(identifier)
        let (original, account) = (found.original.id, try await account())
        let subscription = try await store.database.read {
            try $0.renewals.subscription(original)
        }
        let open = try await services.offers.openConsents(of: tester, in: app.id)
            .first { $0.details.productID == subscription?.renewalProduct }
        guard let open, let account,
            try await services.offers.answerConsent(
                open.id, agreed: isAgreed, by: account, in: app)
        else {
            throw SKTestError(
                .invalidAction, "The customer was not asked about the price of \(identifier).")
        }
        if isAgreed {
            services.events.nudge(tester)
        } else {
            try await setRenews(false, ofTransaction: identifier)
        }
    }

    // MARK: Time

    /// Certificates and sessions are looked after so often, in seconds of the session's clock.
    private static let hop: TimeInterval = 30 * 86_400

    /// Moves the clock forward, from one due date to the next: the store does what is due, the app
    /// hears of it, and then the clock moves again.
    ///
    /// - Throws: `SKTestError`, or what breaks in the store.
    func advance(by seconds: TimeInterval) async throws {
        try requireCharge()
        guard seconds >= 0, seconds.isFinite else {
            throw SKTestError(.invalidAction, "The clock can't be moved by \(seconds) seconds.")
        }
        let end = clock.now().addingTimeInterval(seconds)
        while true {
            let due = try await services.renewals.nextDue()
            let now = clock.now()
            let stop = min(end, now.addingTimeInterval(Self.hop), max(due ?? end, now))
            clock.advance(to: stop)
            try await keepAlive()
            if let due, due <= stop {
                try await services.renewals.advance()
                try await heard()
            } else if stop >= end {
                break
            }
        }
        try await heard()
    }
}
